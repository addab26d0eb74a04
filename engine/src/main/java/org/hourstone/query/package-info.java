/**
 * From a question to series: what to ask for, which rows hold it, what is done to each series, and
 * how series are put together.
 *
 * <pre>
 *   Query → Planner → SliceStream → SliceReader → SeriesScan ─ SeriesState → SeriesGroup → SeriesCursor
 *           UIDs,     hours cut     rows as        steps of each series  union of
 *           filters,  into slices,  columns, often  (buckets, fills,      instants,
 *           ranges    read ahead    downsampled     rates)                interpolation
 * </pre>
 */
@NullMarked
package org.hourstone.query;

import org.jspecify.annotations.NullMarked;
