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
 * The trace of writes that were refused, whichever door they came through, and of queries: each is
 * counted by its reason, and some are logged. For each reason at most {@value #LINES} refusals in
 * {@value #WINDOW_SECONDS} seconds have a line in the log, and one more line says how many others
 * there were, so that clients can't flood the log. Thread-safe.
 */
public final class Refusals {
  static final int LINES = 3;
  static final int WINDOW_SECONDS = 10;
  private static final System.Logger LOG = System.getLogger("org.hourstone.refused");
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(WINDOW_SECONDS);

  private final LongSupplier nanos;
  private final Executor later;
  private final Map<RefusalReason, Trace> traces;
  private final Map<RefusalReason, Trace> queries;
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
    this.traces = traces("refused");
    this.queries = traces("refused query");
  }

  private Map<RefusalReason, Trace> traces(String what) {
    Map<RefusalReason, Trace> all = new EnumMap<>(RefusalReason.class);
    for (RefusalReason reason : RefusalReason.values()) {
      all.put(reason, new Trace(what + " (" + reason.type() + "): "));
    }
    return all;
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
    trace(traces, reason, client, why, what, e);
  }

  /** As {@link #write}, for a query. */
  public void query(RefusalReason reason, String client, String why, Supplier<String> what) {
    trace(queries, reason, client, why, what, null);
  }

  private static void trace(
      Map<RefusalReason, Trace> traces,
      RefusalReason reason,
      String client,
      String why,
      Supplier<String> what,
      @Nullable Throwable e) {
    Trace trace = traces.get(reason);
    if (trace != null && trace.permitsLine()) {
      String from = client.isEmpty() ? "" : ", from " + SingleLine.of(client);
      String line = trace.begin + SingleLine.of(why) + from + text(what.get());
      Throwable fault = reason == RefusalReason.INTERNAL_ERRORS ? e : null;
      LOG.log(fault == null ? Level.WARNING : Level.ERROR, line, fault);
    }
  }

  private static String text(String what) {
    return what.isEmpty() ? "" : ": " + SingleLine.of(what);
  }

  /**
   * Logs how many refusals have no line yet; to be called before the process ends, which would lose
   * that.
   */
  public void flush() {
    traces.values().forEach(trace -> trace.end(0));
    queries.values().forEach(trace -> trace.end(0));
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
    queries.forEach(
        (reason, trace) ->
            all.add(
                new Statistic("query.errors", trace.count.sum(), Map.of("type", reason.type()))));
    return all;
  }

  /** The refusals for one reason. */
  private final class Trace {
    private final String begin;
    private final LongAdder count = new LongAdder();

    // Guarded by this.

    private long since;
    private int lines;
    private boolean begun;
    private long unlogged;

    Trace(String begin) {
      this.begin = begin;
    }

    /** Counts a refusal; returns whether it has a line in the log. */
    boolean permitsLine() {
      count.increment();
      endWindow(); // if that was not done in time
      return isLogged(nanos.getAsLong());
    }

    private synchronized boolean isLogged(long now) {
      if (!begun) {
        begun = true;
        since = now;
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

    /** Ends the window if its time is over: a later one has an end of its own. */
    private void endWindow() {
      end(WINDOW_NANOS);
    }

    /** Ends a window that is at least this old. */
    void end(long age) {
      long others;
      synchronized (this) {
        if (!begun || nanos.getAsLong() - since < age) {
          return;
        }
        others = unlogged;
        unlogged = 0;
        begun = false;
      }
      if (others > 0) {
        LOG.log(Level.WARNING, begin + others + " more");
      }
    }
  }
}
