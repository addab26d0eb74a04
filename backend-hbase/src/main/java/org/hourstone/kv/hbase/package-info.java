/** The HBase backend, for the schemes {@code hbase}, {@code hbase+zk} and {@code hbase+rpc}. */
@NullMarked
package org.hourstone.kv.hbase;

import org.jspecify.annotations.NullMarked;
