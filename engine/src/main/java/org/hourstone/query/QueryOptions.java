package org.hourstone.query;

import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.series.NumberOptions;

/**
 * How queries are answered.
 *
 * @param duplicates what is done about two points of one series and instant
 * @param cellsAsTheyStand whether the points of a cell are taken as they stand, as OpenTSDB does;
 *     else they are put in order
 * @param filters how tag filters are understood
 * @param seriesBySalt whether salted series are ordered by their salt first, as OpenTSDB's are
 * @param numbers how numbers come out where OpenTSDB's are not what one expects
 * @param skipDamage whether rows and cells that can't be decoded are passed over; else they fail
 *     the query
 * @param limits what queries may use
 * @param threads how many threads read for all queries, at least 1
 * @param slowMillis from how many milliseconds on a query is logged as slow; 0 for never
 */
public record QueryOptions(
    DuplicatePolicy duplicates,
    boolean cellsAsTheyStand,
    FilterOptions filters,
    boolean seriesBySalt,
    NumberOptions numbers,
    boolean skipDamage,
    QueryLimits limits,
    int threads,
    long slowMillis) {}
