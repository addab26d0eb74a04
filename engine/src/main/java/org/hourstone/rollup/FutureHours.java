package org.hourstone.rollup;

import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Predicate;
import org.hourstone.codec.Timestamps;

/**
 * Hours that are rolled up although they have not ended by the clock: it was ahead, or is behind
 * now. For one thread at a time.
 */
final class FutureHours {
  private static final System.Logger LOG = System.getLogger("org.hourstone.rollup");

  private final RolledHours hours;
  private final Predicate<HourRange> hasPoints;
  private final InstantSource clock;

  /** Whether it was logged that the clock may be behind. */
  private boolean isBehind;

  /**
   * @param hasPoints whether there are points of some hours that testify to the time
   */
  FutureHours(RolledHours hours, Predicate<HourRange> hasPoints, InstantSource clock) {
    this.hours = hours;
    this.hasPoints = hasPoints;
    this.clock = clock;
  }

  /**
   * Takes back hours that have not ended, as the clock was ahead when they were rolled up: writes
   * to them would each mark a row. If there are points of them the clock may be behind now, and
   * they stay; so do hours whose points may have been deleted as expired, as nothing else has them.
   *
   * @param until where hours end that may be rolled up
   */
  void retract(long until) {
    long now = clock.instant().getEpochSecond();
    HourRange done = hours.done();
    if (done.until() <= now) {
      isBehind = false;
      return;
    }
    long expired = endOfDay(hours.expiredBefore()); // so that queries read its day from rollups
    long left = Math.max(until, expired);
    if (left >= done.until()) {
      return;
    }
    HourRange ahead = new HourRange(now + Timestamps.ROW_SECONDS, done.until());
    if (!ahead.isEmpty() && hasPoints.test(ahead)) {
      if (!isBehind) {
        logClock("there are points of them, so that the clock may be behind: they stay", now);
      }
      isBehind = true;
      return;
    }
    logClock("no points say otherwise: they are rolled up again when they have ended", now);
    hours.retract(left);
  }

  private void logClock(String result, long now) {
    LOG.log(
        Level.WARNING,
        "hours until {0} are rolled up, and it is {1} by the clock; " + result,
        Instant.ofEpochSecond(hours.done().until()),
        Instant.ofEpochSecond(now));
  }

  private static long endOfDay(long seconds) {
    return seconds + Math.floorMod(-seconds, RollupPlan.DAY);
  }
}
