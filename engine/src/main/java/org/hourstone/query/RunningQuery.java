package org.hourstone.query;

import java.time.Instant;

/**
 * A running query, or request of several, with its resource use a moment ago.
 *
 * @param id for {@linkplain RunningQueries#kill cancelling} it, with all others of its request
 * @param text the query, or what else was requested; the first 2,000 characters
 * @param started the time it started
 * @param rows how many rows it has read
 * @param bytes how many bytes these are
 * @param points how many points it has decoded
 * @param series how many series it has found
 * @param memoryBytes how much memory its points take now
 */
public record RunningQuery(
    long id,
    String text,
    Instant started,
    long rows,
    long bytes,
    long points,
    long series,
    long memoryBytes) {}
