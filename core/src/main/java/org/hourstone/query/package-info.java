/**
 * From a question to series: what to ask for, which rows hold it, what is done to each series, and
 * how series are put together.
 *
 * <pre>
 *   Query → Planner → RowReader → SeriesStage (per series) → Aggregation (per group) → SeriesCursor
 *           UIDs,     rows as      downsampling               union of instants,
 *           ranges    columns                                 interpolation
 * </pre>
 */
@NullMarked
package org.hourstone.query;

import org.jspecify.annotations.NullMarked;
