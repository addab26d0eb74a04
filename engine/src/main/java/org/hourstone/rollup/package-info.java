/**
 * Rollups and pre-aggregates: values that stand for all points of an interval, or of a group of
 * series, computed elsewhere and stored in tables of their own. See {@code docs/format/rollup.md}.
 */
@NullMarked
package org.hourstone.rollup;

import org.jspecify.annotations.NullMarked;
