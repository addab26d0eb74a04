/**
 * How a query is read: which tables, which hours, which rows.
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
 * </ul>
 */
@NullMarked
package org.hourstone.query.plan;

import org.jspecify.annotations.NullMarked;
