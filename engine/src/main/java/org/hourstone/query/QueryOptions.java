package org.hourstone.query;

import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.series.NumberOptions;

/**
 * How queries are run.
 *
 * @param duplicates the policy for two points of one series that share a timestamp
 * @param cellsInStoredOrder whether the points of a cell are used in stored order, as OpenTSDB
 *     does; else they are sorted
 * @param filters how tag filters are interpreted
 * @param seriesBySalt whether salted series are ordered by their salt first, as OpenTSDB's are
 * @param numbers how numbers are formatted where OpenTSDB's format is surprising
 * @param skipCorruption whether rows and cells that can't be decoded are skipped; else they fail
 *     the query
 * @param limits the limits of queries
 * @param threads how many threads read for all queries, at least 1
 * @param sliceRows about how many rows a thread decodes before their points are combined, at least
 *     1
 * @param slowMillis the shortest duration, in milliseconds, that is logged as slow; 0 to log none
 */
public record QueryOptions(
    DuplicatePolicy duplicates,
    boolean cellsInStoredOrder,
    FilterOptions filters,
    boolean seriesBySalt,
    NumberOptions numbers,
    boolean skipCorruption,
    QueryLimits limits,
    int threads,
    int sliceRows,
    long slowMillis) {}
