package org.hourstone.query;

import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import org.hourstone.error.RequestException;
import org.hourstone.rollup.RollupConfig;
import org.hourstone.rollup.RollupInterval;
import org.hourstone.series.Downsample;

/** How rolled-up values are used ({@code hourstone.strict=rollups}). */
public enum RollupDialect {
  HOURSTONE,
  OPENTSDB {
    /** OpenTSDB uses intervals for any calendar. */
    @Override
    public boolean fits(
        RollupInterval interval, Downsample downsample, long fromSeconds, long untilSeconds) {
      return true;
    }

    /** OpenTSDB doesn't read rows of the last bucket that begin after the range. */
    @Override
    public boolean completesLastBucket() {
      return false;
    }

    /** OpenTSDB requires an id for averages, although it reads sums and counts. */
    @Override
    public void checkAverages(RollupConfig config, String name) {
      config.idOf(name);
    }
  };

  private static final long DAY_SECONDS = 86_400;

  /**
   * Whether buckets consist of whole intervals, which are counted in UTC.
   *
   * @param fromSeconds not after the start of any bucket that is read: one that begins before the
   *     range may have begun when the zone had another offset
   * @param untilSeconds not before the end of any
   */
  public boolean fits(
      RollupInterval interval, Downsample downsample, long fromSeconds, long untilSeconds) {
    return !downsample.calendar()
        || daysFit(interval.seconds(), downsample.zone(), fromSeconds, untilSeconds);
  }

  /** Whether all rows of the last bucket are read. */
  public boolean completesLastBucket() {
    return true;
  }

  /**
   * @throws RequestException if averages can't be computed
   */
  public void checkAverages(RollupConfig config, String name) {}

  private static boolean daysFit(long seconds, ZoneId zone, long from, long until) {
    if (DAY_SECONDS % seconds != 0) {
      return false;
    }
    Instant at = Instant.ofEpochSecond(from);
    Instant end = Instant.ofEpochSecond(until);
    boolean fits = zone.getRules().getOffset(at).getTotalSeconds() % seconds == 0;
    for (ZoneOffsetTransition next = zone.getRules().nextTransition(at);
        fits && next != null && !next.getInstant().isAfter(end);
        next = zone.getRules().nextTransition(next.getInstant())) {
      fits = next.getOffsetAfter().getTotalSeconds() % seconds == 0;
    }
    return fits;
  }
}
