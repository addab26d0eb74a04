package org.hourstone.query;

import org.hourstone.codec.DuplicatePolicy;

/**
 * How queries are answered.
 *
 * @param duplicates what is done about two points of one series and instant
 * @param cellsAsTheyStand whether the points of a cell are taken as they stand, as OpenTSDB does;
 *     else they are put in order
 * @param skipUnresolvedTagvs whether a filter value that no series has is passed over ({@code
 *     tsd.query.skip_unresolved_tagvs}) instead of failing the query
 * @param seriesBySalt whether salted series are ordered by their salt first, as OpenTSDB's are
 * @param earlyDoubles whether a result is a double as soon as one is near, as OpenTSDB's are; else
 *     only if one goes into it
 * @param skipDamage whether rows and cells that can't be decoded are passed over; else they fail
 *     the query
 * @param maxPoints how many points a query may read, {@link #UNLIMITED} for any number ({@code
 *     tsd.query.limits.data_points.default})
 */
public record QueryOptions(
    DuplicatePolicy duplicates,
    boolean cellsAsTheyStand,
    boolean skipUnresolvedTagvs,
    boolean seriesBySalt,
    boolean earlyDoubles,
    boolean skipDamage,
    long maxPoints) {
  public static final long UNLIMITED = 0;
}
