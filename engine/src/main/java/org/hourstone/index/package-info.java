/**
 * The series index: the series of a metric, by tag name and tag value. It is derived from the data
 * tables, may be dropped and rebuilt, and is stored in a table of its own. See {@code
 * docs/index.md}; {@link org.hourstone.index.SeriesIndex} states its guarantees.
 */
@NullMarked
package org.hourstone.index;

import org.jspecify.annotations.NullMarked;
