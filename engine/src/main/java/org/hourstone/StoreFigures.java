package org.hourstone;

import com.google.common.util.concurrent.Uninterruptibles;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.hourstone.kv.StoreMetrics.Metric;
import org.jspecify.annotations.Nullable;

/**
 * Figures that are read from the store, as of the last reading: a caller never waits for a store
 * that doesn't answer. A figure is read again in the background, if it is asked for and {@value
 * #KEPT_SECONDS} s old. Only the first caller waits for the first reading, for at most a second.
 * Thread-safe.
 *
 * @param <F> the figures of one reading, which fail or hang together
 */
final class StoreFigures<F> {
  /**
   * What was read.
   *
   * @param figures as at the beginning if there was no reading yet
   * @param age the time since the reading; since the first request if there was none yet
   */
  record Reading<F>(F figures, Duration age) {}

  /**
   * What a store, or the client of one, knows of its own work: servers are not asked for it.
   *
   * @param diskBytes the size of its files; empty if it has none
   * @param metrics about its own work
   */
  record Work(OptionalLong diskBytes, List<Metric> metrics) {
    static final Work NONE = new Work(OptionalLong.empty(), List.of());
  }

  private static final System.Logger LOG = System.getLogger("org.hourstone.store");
  static final int KEPT_SECONDS = 10;
  private static final int RETRIED_SECONDS = 1;
  private static final long FIRST_WAIT_MILLIS = 1000;

  /** A reading takes at most this part of the time, as a divisor, however long it takes. */
  private static final int SHARE = 10;

  private final Supplier<F> read;
  private final LongSupplier nanos;
  private final CountDownLatch first = new CountDownLatch(1);

  // Guarded by this.

  private F figures;
  private boolean begun;
  private boolean reading;
  private long readAt;
  private long dueAt;

  /**
   * @param none until they are read for the first time
   */
  StoreFigures(F none, Supplier<F> read, LongSupplier nanos) {
    this.figures = none;
    this.read = read;
    this.nanos = nanos;
  }

  /** Begins a reading if it is due; returns whether it is the first one. Never waits. */
  synchronized boolean refresh() {
    boolean isFirst = !begun;
    if (!reading && (isFirst || nanos.getAsLong() - dueAt >= 0)) {
      begin();
    }
    return isFirst;
  }

  /** The last reading; begins another one if it is due. */
  Reading<F> last() {
    if (refresh()) {
      boolean unused =
          Uninterruptibles.awaitUninterruptibly(first, FIRST_WAIT_MILLIS, TimeUnit.MILLISECONDS);
    }
    synchronized (this) {
      return new Reading<>(figures, Duration.ofNanos(nanos.getAsLong() - readAt));
    }
  }

  private void begin() {
    Thread thread = new Thread(this::run, "hourstone-store-figures");
    thread.setDaemon(true);
    thread.start();
    readAt = begun ? readAt : nanos.getAsLong();
    begun = true;
    reading = true;
  }

  private void run() {
    long start = nanos.getAsLong();
    @Nullable F found = null;
    try {
      found = read.get();
    } catch (RuntimeException e) {
      LOG.log(Level.DEBUG, "figures are not read", e); // their age shows it
    } finally {
      synchronized (this) {
        long now = nanos.getAsLong();
        reading = false;
        long kept = TimeUnit.SECONDS.toNanos(found != null ? KEPT_SECONDS : RETRIED_SECONDS);
        dueAt = now + Math.max(kept, SHARE * (now - start));
        if (found != null) {
          figures = found;
          readAt = now;
        }
      }
      first.countDown();
    }
  }
}
