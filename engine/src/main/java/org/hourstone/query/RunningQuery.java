package org.hourstone.query;

import java.time.Instant;

/**
 * A running query, or request of several, with its resource use a moment ago.
 *
 * @param id for {@linkplain RunningQueries#kill cancelling} it, with all others of its request
 * @param text the query or other request; the first 2,000 characters
 * @param started the time it started
 * @param rows the number of rows it has read
 * @param bytes the size of these rows
 * @param points the number of points it has decoded
 * @param series the number of series it has found
 * @param memoryBytes the memory that its points take now
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
