/** Tests beside a running OpenTSDB, over the same tables. */
@NullMarked
package org.hourstone.kv.hbase.beside;

import org.jspecify.annotations.NullMarked;
