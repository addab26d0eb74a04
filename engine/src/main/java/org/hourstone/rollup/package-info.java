/**
 * Rollups and pre-aggregates: values computed elsewhere from all points of an interval, or of a
 * group of series, and stored in tables of their own. See {@code docs/format/rollup.md}.
 */
@NullMarked
package org.hourstone.rollup;

import org.jspecify.annotations.NullMarked;
