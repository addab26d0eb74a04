package org.hourstone.health;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one kind: the reads, or the writes, of one table. Its outage begins when a call
 * fails or has waited for {@value #PATIENCE_SECONDS} s, and ends when calls have succeeded and none
 * has failed for {@value #CALM_SECONDS} s. A refused call is answered: it is no outage, unless all
 * writes are refused. An outage has at most one line at its beginning and one at its end, and those
 * of short outages that follow each other closely have none.
 *
 * <p>Thread-safe. Times are those of the watch's clock, which advances once a second.
 */
final class CallKind {
  static final int PATIENCE_SECONDS = 10;
  static final int CALM_SECONDS = 5;
  private static final long CALM = SECONDS.toNanos(CALM_SECONDS);

  /**
   * After this time without a call, it is not known whether the store answers. If calls of other
   * tables are answered, that is the time of calm.
   */
  private static final long RECENT = SECONDS.toNanos(60);

  /** The time between two lines about the beginning of outages. */
  private static final long BETWEEN_LINES = SECONDS.toNanos(60);

  /** If as many writes in a row are refused, that is not for what is wrong with each. */
  private static final int REFUSALS_OF_STORE = 3;

  /** For how long a call may wait; a longer outage is always logged. */
  private static final long PATIENCE = SECONDS.toNanos(PATIENCE_SECONDS);

  private final String what;
  private final boolean writes;
  private final OutageLog log;
  private final LongAdder failures = new LongAdder();
  private final LongAdder calls = new LongAdder();
  private final LongAdder nanos = new LongAdder();

  /** Whether there is an outage. */
  private volatile boolean failing;

  /** When a call was answered last. */
  private volatile long answered = Long.MIN_VALUE;

  /** How many writes were refused since one was answered. */
  private volatile int refusals;

  // Guarded by this.

  private long since;
  private long lastFault;

  /** Whether a call was answered after the last fault, and when the first one was. */
  private boolean isBack;

  private long backSince;
  private boolean waits;
  private String reason = "";
  private boolean isLogged;
  private boolean hasLogged;
  private long loggedAt;
  private long unloggedOutages;
  private long failuresBefore;
  private long failedPointsBefore;

  /**
   * @param what such as {@code writes to table tsdb}
   */
  CallKind(String what, boolean writes, OutageLog log) {
    this.what = what;
    this.writes = writes;
    this.log = log;
  }

  boolean writes() {
    return writes;
  }

  long failures() {
    return failures.sum();
  }

  /** A call has ended in any way. */
  void ended(long took) {
    calls.increment();
    nanos.add(took);
  }

  /** The calls that have ended. */
  StoreCalls calls(String table) {
    return new StoreCalls(
        table, writes, calls.sum(), failures.sum(), Duration.ofNanos(nanos.sum()));
  }

  /** A call was answered. */
  void answered(long now) {
    if (answered != now) {
      answered = now;
    }
    if (refusals > 0) {
      refusals = 0;
    }
    if (failing) {
      back(now);
    }
  }

  private synchronized void back(long now) {
    if (!isBack) {
      isBack = true;
      backSince = now;
    }
  }

  /** A call has failed. */
  void failed(String why, long now) {
    fault(why, now, now);
    failures.increment();
  }

  /** A call was refused, as it would be again. */
  synchronized void refused(String why, long now) {
    if (writes) {
      refusals++;
      if (refusals >= REFUSALS_OF_STORE) {
        fault(why, now, now);
      }
    }
    failures.increment();
  }

  /** Reports an outage that the store has found itself; null if there is none. */
  void reported(@Nullable String why, long begun, long now) {
    if (why != null) {
      fault(why, begun, now);
    } else if (failing) {
      back(now);
    }
  }

  private synchronized void fault(String why, long begun, long now) {
    if (!failing) {
      failing = true;
      since = begun;
      isLogged = false;
      failedPointsBefore = log.failedPoints();
      failuresBefore = failures.sum();
    }
    reason = why;
    lastFault = now;
    isBack = false;
    logBegin(now);
  }

  private void logBegin(long now) {
    boolean isDue = !hasLogged || now - loggedAt >= BETWEEN_LINES || now - since >= PATIENCE;
    if (!isLogged && isDue) {
      log.began(what + ": " + reason, unloggedOutages);
      isLogged = true;
      hasLogged = true;
      loggedAt = now;
      unloggedOutages = 0;
    }
  }

  /**
   * Called once a second.
   *
   * @param longestWait of the calls of this kind that wait
   */
  void look(long longestWait, long now) {
    long silent = writes ? longestWait : Math.min(longestWait, sinceAnswer(now));
    boolean waitsNow = silent >= PATIENCE;
    if (waitsNow) {
      waited(silent, now);
    }
    synchronized (this) {
      waits = waitsNow;
      if (failing && !waits && isBack && now - lastFault >= CALM) {
        end();
      }
    }
  }

  /** A read may take long by itself: it is not the store's fault while others are answered. */
  private long sinceAnswer(long now) {
    long last = answered;
    return last == Long.MIN_VALUE ? Long.MAX_VALUE : now - last;
  }

  private synchronized void waited(long longestWait, long now) {
    String why = "no answer for " + NANOSECONDS.toSeconds(longestWait) + " s";
    if (!failing) {
      fault(why, now - longestWait, now);
      if (answered != Long.MIN_VALUE && answered - since > 0) {
        back(now); // other calls are answered
      }
      return;
    }
    reason = why;
    lastFault = now;
    logBegin(now);
  }

  private void end() {
    failing = false;
    if (isLogged) {
      long calls = failures.sum() - failuresBefore;
      long points = log.failedPoints() - failedPointsBefore;
      log.ended(what, Math.max(backSince, lastFault) - since, calls, points);
    } else {
      unloggedOutages++;
    }
  }

  /** When a call was answered last; the least number if none was. */
  long lastAnswer() {
    return answered;
  }

  /**
   * For how long there was no answer, in nanoseconds; 0 if there are answers, or no calls.
   *
   * @param othersAnswered when a call of another table was answered last
   */
  synchronized long silence(long now, long othersAnswered) {
    boolean othersWork = othersAnswered != Long.MIN_VALUE && othersAnswered - lastFault > 0;
    boolean isKnown = waits || now - lastFault < (othersWork ? CALM : RECENT);
    return failing && !isBack && isKnown ? Math.max(1, now - since) : 0;
  }

  /** Why there is no answer. */
  synchronized String reason() {
    return what + ": " + reason;
  }
}
