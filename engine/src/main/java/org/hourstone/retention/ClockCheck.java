package org.hourstone.retention;

import java.math.BigInteger;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.hourstone.codec.RowKey;
import org.hourstone.internal.SaltedMetrics;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Scan;
import org.hourstone.rollup.RowSpan;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;

/**
 * Whether the time may be right, as there are points of about this time. Those of daemons about
 * themselves say nothing, unless there are no others: they have the time of the same clock. Nor do
 * points of the far future, which some clients write by mistake.
 */
final class ClockCheck {
  private static final long DAY = 86_400;

  /** What the names of a daemon's own metrics begin with. */
  private static final String OWN = "tsd.";

  private final SaltedMetrics rows;
  private final RowKey keys;
  private final UidTable uids;
  private final InstantSource clock;

  ClockCheck(KeyValueReader store, Family points, RowKey keys, UidTable uids, InstantSource clock) {
    this.rows = new SaltedMetrics(store, points, keys);
    this.keys = keys;
    this.uids = uids;
    this.clock = clock;
  }

  /**
   * @throws ImplausibleClockException if no metric has a point of the last day, or the next one
   */
  void check() {
    Instant now = clock.instant();
    Metrics metrics = new Metrics(now.getEpochSecond());
    boolean isRecent = !rows.forEach(Scan.all(), row -> {}, metrics::goOn);
    boolean isRight = isRecent || (!metrics.hasOthers && (metrics.hasRecentOwn || !metrics.hasOwn));
    if (!isRight) {
      throw new ImplausibleClockException(
          "nothing is deleted: the newest point is more than a day older than "
              + now
              + ", the time of this machine (points of tsd.* and of the future do not count); if"
              + " that is right, confirm it with \"hourstone retention --clock-is-right\"");
    }
  }

  /**
   * Whether there are points of some hours, other than those of daemons about themselves.
   *
   * @param from in seconds since the epoch
   * @param until exclusive
   */
  boolean hasPoints(long from, long until) {
    return !rows.forEach(
        Scan.all(),
        row -> {},
        prefix -> isGlobal(prefix) || isOwn(prefix) || !hasPoints(prefix, from, until));
  }

  private boolean isGlobal(byte[] prefix) {
    return new BigInteger(rows.metric(prefix)).signum() == 0;
  }

  private boolean isOwn(byte[] prefix) {
    return uids.names(UidKind.METRIC, List.of(rows.metric(prefix)))
        .get(0)
        .orElse("")
        .startsWith(OWN);
  }

  private boolean hasPoints(byte[] prefix, long from, long until) {
    return rows.hasRow(
        Scan.range(
            SaltedMetrics.hour(keys, prefix, from), SaltedMetrics.hour(keys, prefix, until)));
  }

  /** The metrics that were seen. */
  private final class Metrics {
    private final long now;
    private boolean hasOwn;
    private boolean hasRecentOwn;
    private boolean hasOthers;

    Metrics(long now) {
      this.now = now;
    }

    /** Returns false if the metric has a recent point, and is not one of a daemon's own. */
    boolean goOn(byte[] prefix) {
      if (isGlobal(prefix)) {
        return true; // of annotations
      }
      boolean isOwn = isOwn(prefix);
      hasOwn |= isOwn;
      hasOthers |= !isOwn;
      if (isOwn && hasRecentOwn) {
        return true;
      }
      boolean isRecent = isRecent(prefix);
      hasRecentOwn |= isOwn && isRecent;
      return isOwn || !isRecent;
    }

    private boolean isRecent(byte[] prefix) {
      long first = Math.max(0, now - DAY - RowSpan.OF_POINTS.maxSeconds());
      return hasPoints(prefix, first, now + DAY);
    }
  }
}
