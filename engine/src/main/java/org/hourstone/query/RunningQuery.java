package org.hourstone.query;

import java.time.Instant;

/**
 * A query that is being answered, as it was a moment ago.
 *
 * @param id by which it can be {@linkplain RunningQueries#kill ended}
 * @param text the query
 * @param started when
 * @param rows how many rows it has read
 * @param bytes how many bytes these are
 * @param points how many points it has decoded
 * @param series how many series it has found
 * @param heldBytes how much memory its points take now
 */
public record RunningQuery(
    long id,
    String text,
    Instant started,
    long rows,
    long bytes,
    long points,
    long series,
    long heldBytes) {
  /** What this and another one have used together, told as this one's. */
  public RunningQuery plus(RunningQuery other) {
    return new RunningQuery(
        id,
        text,
        started,
        rows + other.rows,
        bytes + other.bytes,
        points + other.points,
        series + other.series,
        heldBytes + other.heldBytes);
  }
}
