package org.hourstone.uid;

import java.time.Duration;

/**
 * How names get their UIDs.
 *
 * @param autoCreateMetrics whether writing a point assigns a UID to a new metric
 * @param autoCreateTagks the same for tag names
 * @param autoCreateTagvs the same for tag values
 * @param randomMetrics whether UIDs of metrics are random instead of counted
 * @param exhaustionMovesCounter whether an attempt to assign a UID where none is left still
 *     increments the counter, as in OpenTSDB
 * @param suggestOnlyAscii whether suggesting without a prefix omits names that start at 7E or
 *     above, as in OpenTSDB
 * @param cacheSize how many names of each kind are cached, and as many UIDs; 0 for as many as fit
 *     in an eighth of the heap
 * @param noticesAfter the maximum time until a rename or deletion by another process is detected;
 *     zero for until the name is evicted from the cache
 */
public record UidOptions(
    boolean autoCreateMetrics,
    boolean autoCreateTagks,
    boolean autoCreateTagvs,
    boolean randomMetrics,
    boolean exhaustionMovesCounter,
    boolean suggestOnlyAscii,
    int cacheSize,
    Duration noticesAfter) {
  public UidOptions {
    if (noticesAfter.isNegative()) {
      throw new IllegalArgumentException("names kept for " + noticesAfter);
    }
  }

  /**
   * How long resolved names are kept: half the time, since a cached series may have been resolved
   * from cached names.
   */
  public Duration keptFor() {
    return noticesAfter.dividedBy(2);
  }

  boolean autoCreates(UidKind kind) {
    return switch (kind) {
      case METRIC -> autoCreateMetrics;
      case TAGK -> autoCreateTagks;
      case TAGV -> autoCreateTagvs;
    };
  }
}
