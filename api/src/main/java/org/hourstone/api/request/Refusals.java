package org.hourstone.api.request;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.hourstone.api.request.ServerInfo.Statistic;
import org.hourstone.write.SingleLine;
import org.jspecify.annotations.Nullable;

/**
 * The trace of writes that were refused, whichever door they came through: each is counted by its
 * reason, and some are logged. For each reason at most {@value #LINES} refusals in {@value
 * #WINDOW_SECONDS} seconds have a line in the log, and one more line says how many others there
 * were, so that clients can't flood the log. Thread-safe.
 */
public final class Refusals {
  static final int LINES = 3;
  static final int WINDOW_SECONDS = 10;
  private static final System.Logger LOG = System.getLogger("org.hourstone.refused");
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(WINDOW_SECONDS);

  private final LongSupplier nanos;
  private final Executor later;
  private final Map<RefusalReason, Trace> traces = new EnumMap<>(RefusalReason.class);
  private final LongAdder points = new LongAdder();

  /** None so far. */
  public Refusals() {
    this(System::nanoTime, CompletableFuture.delayedExecutor(WINDOW_SECONDS, TimeUnit.SECONDS));
  }

  /**
   * @param later runs an action once, after {@link #WINDOW_SECONDS}
   */
  Refusals(LongSupplier nanos, Executor later) {
    this.nanos = nanos;
    this.later = later;
    for (RefusalReason reason : RefusalReason.values()) {
      traces.put(reason, new Trace(reason));
    }
  }

  /**
   * A point, histogram or rolled-up value was refused.
   *
   * @param client its sender; may be empty
   * @param why the text of the reason
   * @param what the point as it was sent, in any length; generated only if it is logged
   */
  public void point(
      RefusalReason reason,
      String client,
      String why,
      Supplier<String> what,
      @Nullable Throwable e) {
    points.increment();
    write(reason, client, why, what, e);
  }

  /** As {@link #point}, for anything else that would have been written. */
  public void write(
      RefusalReason reason,
      String client,
      String why,
      Supplier<String> what,
      @Nullable Throwable e) {
    Trace trace = traces.get(reason);
    if (trace != null && trace.permitsLine()) {
      String from = client.isEmpty() ? "" : ", from " + SingleLine.of(client);
      String line =
          "refused (" + reason.type() + "): " + SingleLine.of(why) + from + text(what.get());
      Throwable fault = reason == RefusalReason.INTERNAL_ERRORS ? e : null;
      LOG.log(fault == null ? Level.WARNING : Level.ERROR, line, fault);
    }
  }

  private static String text(String what) {
    return what.isEmpty() ? "" : ": " + SingleLine.of(what);
  }

  /** How many points were refused; of a request that was refused as a whole, one. */
  public long points() {
    return points.sum();
  }

  /** The counts by reason. */
  public List<Statistic> statistics() {
    List<Statistic> all = new ArrayList<>();
    traces.forEach(
        (reason, trace) ->
            all.add(new Statistic("rpc.errors", trace.count.sum(), Map.of("type", reason.type()))));
    return all;
  }

  /** The refusals for one reason. */
  private final class Trace {
    private final RefusalReason reason;
    private final LongAdder count = new LongAdder();

    // Guarded by this.

    private long begin;
    private int lines;
    private boolean begun;
    private long unlogged;

    Trace(RefusalReason reason) {
      this.reason = reason;
    }

    /** Counts a refusal; returns whether it has a line in the log. */
    boolean permitsLine() {
      count.increment();
      return isLogged(nanos.getAsLong());
    }

    private synchronized boolean isLogged(long now) {
      if (!begun || (now - begin >= WINDOW_NANOS && unlogged == 0)) {
        begun = true;
        begin = now;
        lines = 0;
      }
      if (lines < LINES) {
        lines++;
        return true;
      }
      if (unlogged++ == 0) {
        later.execute(this::endWindow);
      }
      return false;
    }

    private void endWindow() {
      long others;
      synchronized (this) {
        others = unlogged;
        unlogged = 0;
        begun = false;
      }
      LOG.log(Level.WARNING, "refused (" + reason.type() + "): " + others + " more");
    }
  }
}
