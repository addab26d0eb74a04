package org.hourstone.query;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.hourstone.query.QueryLimitException.Limit;
import org.hourstone.series.MemoryLease;

/**
 * The resources that one query of a request has used so far, and whether it may continue. Its
 * threads report the rows they read and lease the memory they take; an exception stops them. The
 * lease is closed when the query ends, in every case. Thread-safe.
 */
public final class QueryContext implements AutoCloseable {
  /** A thread reports after this number of rows, bytes or points. */
  private static final int MOST_ROWS = 16;

  private static final int MOST_BYTES = 64 << 10;
  private static final int MOST_POINTS = 10_000;

  private final Query query;
  private final QueryLimits limits;
  private final RequestBudget budget;
  private final LongAdder rows = new LongAdder();
  private final AtomicLong bytes = new AtomicLong();
  private final LongAdder points = new LongAdder();
  private final AtomicLong series = new AtomicLong();
  private final MemoryLease memory;
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile boolean cancelled;

  /**
   * @param budget of the request
   */
  public QueryContext(Query query, QueryLimits limits, RequestBudget budget) {
    this.query = query;
    this.limits = limits;
    this.budget = budget;
    this.memory = budget.memory().child();
  }

  /** For a thread that reads rows. */
  public Reading reading() {
    return new Reading();
  }

  /**
   * The rows that a thread has read and not yet reported. Counts locally: a shared counter would
   * bounce its cache line between threads. For one thread.
   */
  public final class Reading {
    private int newRows;
    private long newBytes;
    private int newPoints;

    private Reading() {}

    /** Counts rows of one hour of a series. Throws if the query may not continue. */
    public void rows(int count, long size) {
      newRows += count;
      newBytes += size;
      if (newRows >= MOST_ROWS || newBytes >= MOST_BYTES) {
        report();
      }
    }

    /** Counts the points of a row. Throws if the query may not continue. */
    public void points(int count) {
      newPoints += count;
      if (newPoints >= MOST_POINTS) {
        report();
      }
    }

    /** Ends the reading, or a part of it. Throws if the query may not continue. */
    public void report() {
      count();
      checkCounts();
      check();
    }

    /** Counts what has been read, as the reading has failed. */
    public void count() {
      rows.add(newRows);
      bytes.addAndGet(newBytes);
      points.add(newPoints);
      newRows = 0;
      newBytes = 0;
      newPoints = 0;
    }
  }

  private void checkCounts() {
    if (QueryLimits.isExceeded(bytes.get(), limits.bytes())) {
      throw exceeded(
          Limit.BYTES,
          "reads more than " + limits.bytes() + " bytes (tsd.query.limits.bytes.default)");
    }
    if (limits.points() != QueryLimits.UNLIMITED
        && QueryLimits.isExceeded(points.sum(), limits.points())) {
      throw exceeded(
          Limit.POINTS,
          "reads more than "
              + limits.points()
              + " data points (tsd.query.limits.data_points.default)");
    }
  }

  /** The amounts that count against the limits of the query. */
  public record Counts(long rows, long bytes, long points, long series) {
    public static final Counts NONE = new Counts(0, 0, 0, 0);
  }

  public Counts counts() {
    return new Counts(rows.sum(), bytes.get(), points.sum(), series.get());
  }

  /** Forgets what was counted since, because it is read again. No other thread may count now. */
  public void resetTo(Counts before) {
    rows.add(before.rows() - rows.sum());
    bytes.set(before.bytes());
    points.add(before.points() - points.sum());
    series.set(before.series());
  }

  /** Another series was found. */
  public void foundSeries() {
    budget.foundSeries();
    if (QueryLimits.isExceeded(series.incrementAndGet(), limits.series())) {
      throw exceeded(
          Limit.SERIES,
          "reads more than " + limits.series() + " series (hourstone.query.limits.series)");
    }
  }

  /** The memory of the query's points; each of its users has a child of it. */
  public MemoryLease memory() {
    return memory;
  }

  /** Throws if the query was cancelled or is out of time. */
  public void check() {
    checkCancelled();
    budget.check();
  }

  /** As {@link #check}, except for the time. */
  public void checkCancelled() {
    if (cancelled || ended.get()) {
      throw new QueryCancelledException("the query was cancelled: its result was closed");
    }
    budget.checkCancelled();
  }

  private static QueryLimitException exceeded(Limit limit, String how) {
    return new QueryLimitException(limit, "the query " + how + ": narrow its range or filters");
  }

  /** Ends the query, but not the request, at the next check by one of its threads. */
  public void cancel() {
    cancelled = true;
  }

  /** The budget of the request. */
  public RequestBudget budget() {
    return budget;
  }

  /** Another thread works for the query. */
  public void resume() {
    budget.resume();
  }

  /** A thread less works for the query. */
  public void pause() {
    budget.pause();
  }

  public RunningQuery snapshot() {
    return new RunningQuery(
        budget.id(),
        query.text(),
        budget.started(),
        rows.sum(),
        bytes.get(),
        points.sum(),
        series.get(),
        memory.bytes());
  }

  /** Ends the query and releases its memory. Idempotent. */
  @Override
  public void close() {
    if (ended.compareAndSet(false, true)) {
      memory.close();
    }
  }
}
