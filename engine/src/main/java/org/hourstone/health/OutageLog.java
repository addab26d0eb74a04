package org.hourstone.health;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The log lines about outages of a store. Thread-safe. */
final class OutageLog {
  private static final System.Logger LOG = System.getLogger("org.hourstone.store");

  private static final long BETWEEN_UNREADABLE = TimeUnit.SECONDS.toNanos(60);

  private final LongSupplier waitingRows;
  private volatile LongSupplier waitingPoints = () -> 0;
  private volatile LongSupplier failedPoints = () -> 0;

  // Guarded by this.
  private boolean hasUnreadable;
  private long unreadableAt;
  private long unloggedUnreadable;

  /**
   * @param waitingRows the number of rows in calls that have not returned
   */
  OutageLog(LongSupplier waitingRows) {
    this.waitingRows = waitingRows;
  }

  /**
   * @param waiting the number of accepted points that are not passed to the store yet
   * @param failed the number of accepted points that could not be stored
   */
  void countPoints(LongSupplier waiting, LongSupplier failed) {
    waitingPoints = waiting;
    failedPoints = failed;
  }

  /** The number of accepted points that could not be stored until now. */
  long failedPoints() {
    return failedPoints.getAsLong();
  }

  /**
   * @param unlogged the number of shorter outages since the last line
   */
  void began(String what, long unlogged) {
    LOG.log(
        Level.WARNING,
        "the store fails: "
            + what
            + "; "
            + waitingRows.getAsLong()
            + " rows wait in calls of the store, "
            + waitingPoints.getAsLong()
            + " points in queues"
            + (unlogged == 0 ? "" : "; " + unlogged + " short failures since the last message"));
  }

  /** Rows can't be read, and all others can. At most one line in a minute. */
  synchronized void unreadable(String what, long now) {
    if (hasUnreadable && now - unreadableAt < BETWEEN_UNREADABLE) {
      unloggedUnreadable++;
      return;
    }
    LOG.log(
        Level.WARNING,
        "the store is corrupt: "
            + what
            + (unloggedUnreadable == 0 ? "" : "; " + unloggedUnreadable + " more such reads"));
    hasUnreadable = true;
    unreadableAt = now;
    unloggedUnreadable = 0;
  }

  /**
   * @param nanos from the first failure to the first success after the last one
   * @param calls the number of calls that have failed
   * @param points the number of accepted points that could not be stored
   */
  void ended(String what, long nanos, long calls, long points) {
    LOG.log(
        Level.INFO,
        "the store answers again: "
            + what
            + ", after "
            + Duration.ofNanos(nanos).toSeconds()
            + " s; "
            + calls
            + " calls failed, "
            + points
            + " accepted points were not stored");
  }
}
