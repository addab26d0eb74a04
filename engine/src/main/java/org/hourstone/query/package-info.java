/**
 * Query execution: resolves a query's names, selects the rows to read, processes each series, and
 * combines the series of each group.
 *
 * <pre>
 *   Query → TablePlanner → Planner → SliceStream → SliceReader → SeriesScan → SeriesGroup → SeriesCursor
 *           Segments of    Plans:    hours cut     rows as       steps of     union of      results
 *           Routes: which  names     into slices,  columns,      each series: timestamps,
 *           tables, which  resolved, read ahead    often         buckets,     interpolation
 *           hours          rows                    downsampled   fills, rates
 * </pre>
 *
 * <p>A {@link QueryDraft} is a query as requested. {@code QueryText} reads it from text and prints
 * it, the API reads it from JSON; a {@link Query} is the checked form, which is executed.
 *
 * <p>Planning a query takes these types:
 *
 * <ul>
 *   <li>{@code Segment}: a part of the query's range, with its possible sources in order of
 *       preference.
 *   <li>{@code Route}: one way to read a segment: a row source, the query to run on it, the hours.
 *   <li>{@code RowSource}: a table's family and how its rows are decoded.
 *   <li>{@code ScanRange}: the hours to read, which extend beyond the range of the query.
 *   <li>{@code Plan}: a route with its names resolved; opens its rows.
 *   <li>{@code AccessPath}: how a plan's rows are found: by scanning those of the metric, or by the
 *       keys of series from the index.
 *   <li>{@code SeriesFinder}: finds the series that pass filters, and so the access path; {@code
 *       IndexedSeries} does it by the index.
 *   <li>{@code PathChoice}: estimates for it whether scanning or reading by keys costs less.
 *   <li>{@link RowSelection}: the rows of a plan as scans and a filter, for callers that don't run
 *       the query, such as deletion.
 * </ul>
 *
 * <p>A {@code RowReading} reads and combines rows, for one query or, as a {@code SharedReading},
 * for several that need the same rows; each of these is a {@code QueryPart} of it.
 *
 * <p>{@link RequestBudget} limits the resources of one request with everything that it starts,
 * {@code QueryContext} the amounts that one of its queries may read. Each object that keeps points
 * has a lease of its memory.
 */
@NullMarked
package org.hourstone.query;

import org.jspecify.annotations.NullMarked;
