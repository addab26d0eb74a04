/** A real HBase in a process of its own. */
@NullMarked
package org.hourstone.hbase;

import org.jspecify.annotations.NullMarked;
