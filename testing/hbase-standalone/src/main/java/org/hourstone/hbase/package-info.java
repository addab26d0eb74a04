/** A real HBase in a separate process. */
@NullMarked
package org.hourstone.hbase;

import org.jspecify.annotations.NullMarked;
