package org.hourstone.internal;

import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The failures of work that is done again and again for other series: counted, and logged when they
 * begin, once a minute while they go on, and when the work has succeeded after a minute without a
 * failure. So they begin at most once a minute, whichever of the series they are of. Thread-safe.
 */
public final class FailureLog {
  private static final long BETWEEN_LINES = TimeUnit.MINUTES.toMillis(1);

  private final System.Logger log;
  private final String failing;
  private final String working;
  private final InstantSource clock;
  private final AtomicLong count = new AtomicLong();
  private volatile @Nullable String last;
  private volatile boolean isFailing;

  // Guarded by this.

  private long since;
  private long lastAt;
  private long countBefore;
  private long loggedAt;
  private long unlogged;

  /**
   * @param logger the name of the log
   * @param failing says what fails, such as "metadata is not recorded"
   * @param working says that it works again
   */
  public FailureLog(String logger, String failing, String working, InstantSource clock) {
    this.log = System.getLogger(logger);
    this.failing = failing;
    this.working = working;
    this.clock = clock;
  }

  /**
   * The work has failed.
   *
   * @param failure of what, and why
   */
  public synchronized void add(String failure) {
    long now = clock.millis();
    last = failure;
    lastAt = now;
    long before = count.getAndIncrement();
    if (!isFailing) {
      isFailing = true;
      since = now;
      countBefore = before;
    } else if (!isMinuteAfter(loggedAt, now)) {
      unlogged++;
      return;
    }
    log.log(
        Level.WARNING,
        failing
            + ": "
            + failure
            + (unlogged == 0 ? "" : "; " + unlogged + " more since the last message"));
    loggedAt = now;
    unlogged = 0;
  }

  /** The work was done; for which series does not matter. */
  public void succeeded() {
    if (isFailing) {
      endIfCalm();
    }
  }

  private synchronized void endIfCalm() {
    if (isFailing && isMinuteAfter(lastAt, clock.millis())) {
      isFailing = false;
      unlogged = 0;
      log.log(
          Level.INFO,
          working
              + ": "
              + (count.get() - countBefore)
              + " failures in "
              + TimeUnit.MILLISECONDS.toSeconds(lastAt - since)
              + " s");
    }
  }

  /** Also if the clock was set back, so that a line is never missing for long. */
  private static boolean isMinuteAfter(long time, long now) {
    return now < time || now - time >= BETWEEN_LINES;
  }

  /** The number of failures. */
  public long count() {
    return count.get();
  }

  /** The last failure; null if there was none. */
  public @Nullable String last() {
    return last;
  }
}
