/**
 * Query execution: resolves a query's names, reads the rows that its plan selects, processes each
 * series, and combines the series of each group.
 *
 * <pre>
 *   Query → TablePlanner → Planner → SliceStream → SliceReader → SeriesScan → SeriesGroup → SeriesCursor
 *           Segments of    Plans:    hours cut     rows as       steps of     union of      results
 *           Routes: which  names     into slices,  columns,      each series: timestamps,
 *           tables, which  resolved, read ahead    often         buckets,     interpolation
 *           hours          rows                    downsampled   fills, rates
 * </pre>
 *
 * <p>A {@code RowReading} reads and combines rows, for one query or, as a {@code SharedReading},
 * for several that need the same rows; each of these is a {@code QueryPart} of it.
 *
 * <p>A {@code QueryRun} executes a plan. Those of one request are read ahead, as many as its memory
 * permits; if one lacks memory, those that wait are put back, and it is read again alone:
 *
 * <pre>
 *                 start                  groups
 *     PLANNED ────────────► AHEAD ────────────────► REQUESTED ──┐ restart
 *        ▲ │                  │                       ▲   ▲─────┘
 *        └─┼──────────────────┘                       │
 *          │       putBack             groups         │       from each: close ► CLOSED
 *          └──────────────────────────────────────────┘
 * </pre>
 */
@NullMarked
package org.hourstone.query.run;

import org.jspecify.annotations.NullMarked;
