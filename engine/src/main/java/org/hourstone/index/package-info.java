/**
 * The series index: which series there are of a metric, by tag name and tag value. It is derived
 * from the tables of data, may be thrown away and rebuilt, and is kept in a table of its own. See
 * {@code docs/index.md}; {@link org.hourstone.index.SeriesIndex} states what it promises.
 */
@NullMarked
package org.hourstone.index;

import org.jspecify.annotations.NullMarked;
