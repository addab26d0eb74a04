/**
 * Query execution: resolves a query's names, selects the rows to read, processes each series, and
 * combines the series of each group.
 *
 * <pre>
 *   Query → Planner → SliceStream → SliceReader → SeriesScan ─ SeriesState → SeriesGroup → SeriesCursor
 *           UIDs,     hours cut     rows as        steps of each series  union of
 *           filters,  into slices,  columns, often (buckets, fills,      timestamps,
 *           ranges    read ahead    downsampled    rates)                interpolation
 * </pre>
 *
 * <p>Planning a query takes these steps and types:
 *
 * <ul>
 *   <li>{@code TablePlanner} divides the query's range by the tables to read: points, rollups.
 *   <li>{@code Segment} is one part of the range, with the sources that can supply it in order of
 *       preference: a {@code TablePlanner.Segment} of routes becomes a {@code QueryRun.Segment} of
 *       scan plans.
 *   <li>{@code Route} is one such source for a segment: a row source, the query to run on it, and
 *       the hours to read.
 *   <li>{@code RowSource} is a table's family and how its rows are decoded.
 *   <li>{@code Plan} is the query with its names resolved: the ranges of row keys, the filters on
 *       them, and the tags to group by.
 *   <li>{@code AccessPath} is how the series of a plan are read: by scanning the metric's rows, or
 *       row by row for series known from the index.
 *   <li>{@code ScanPlan} is a plan with everything needed to run it: store, row source, options and
 *       the query's context.
 *   <li>{@link RowSelection} is the rows of a plan as scans and a filter, for callers that don't
 *       run the query, such as deletion.
 * </ul>
 */
@NullMarked
package org.hourstone.query;

import org.jspecify.annotations.NullMarked;
