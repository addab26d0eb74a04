package org.hourstone.uid;

import java.time.Duration;

/**
 * How names get their UIDs.
 *
 * @param autoCreateMetrics whether writing a point assigns a UID to a new metric
 * @param autoCreateTagks the same for tag names
 * @param autoCreateTagvs the same for tag values
 * @param randomMetrics whether UIDs of metrics are random instead of counted
 * @param exhaustionMovesCounter whether an attempt to assign a UID where none is left moves the
 *     counter all the same, as OpenTSDB's does
 * @param suggestOnlyAscii whether suggesting without a prefix leaves out names that start at 7E or
 *     above, as OpenTSDB's does
 * @param cacheSize how many names of each kind are kept in memory, and as many UIDs; 0 for as many
 *     as fit in an eighth of the heap
 * @param noticesAfter how long it may take at most until what another process has renamed or
 *     deleted is noticed; zero for until it leaves the cache for want of room
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
   * For how long something that was resolved is kept: half the time, since what is kept of a series
   * may have been resolved from what was kept of its names.
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
