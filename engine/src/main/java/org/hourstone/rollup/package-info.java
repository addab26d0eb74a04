/**
 * Rollups and pre-aggregates: values that other programs compute from all points of an interval, or
 * of a group of series, stored in separate tables. See {@code docs/format/rollup.md}.
 */
@NullMarked
package org.hourstone.rollup;

import org.jspecify.annotations.NullMarked;
