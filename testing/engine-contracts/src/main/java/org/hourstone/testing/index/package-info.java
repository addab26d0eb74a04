/** The guarantees of the index of series: kept, rebuilt, and used by queries. */
@NullMarked
package org.hourstone.testing.index;

import org.jspecify.annotations.NullMarked;
