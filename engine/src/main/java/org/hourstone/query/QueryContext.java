package org.hourstone.query;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.hourstone.kv.Row;
import org.hourstone.query.QueryLimitException.Limit;
import org.hourstone.series.MemoryLease;
import org.jspecify.annotations.Nullable;

/**
 * The resources one query has used so far, and whether it may continue. Its threads report every
 * row they read and lease the memory they take; an exception stops them. The lease is closed when
 * the query ends, in every case. Thread-safe.
 */
final class QueryContext implements AutoCloseable {
  /** The clock is read once per this many rows plus one; a power of two less one. */
  private static final int ROWS_PER_LOOK = 15;

  /**
   * A query that holds less than this fraction of the total is never refused because of other
   * queries.
   */
  private static final int SMALL_SHARE = 100;

  private final long id;
  private final Query query;
  private final QueryLimits limits;
  private final InstantSource clock;
  private final Instant started;
  private final AtomicLong totalHeldBytes;
  private final Consumer<QueryContext> onEnd;
  private final AtomicLong rows = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final LongAdder points = new LongAdder();
  private final AtomicLong series = new AtomicLong();
  private final MemoryLease memory = new MemoryLease(this::charge);
  private final AtomicBoolean ended = new AtomicBoolean();
  private final AtomicReference<@Nullable String> cancelled = new AtomicReference<>();

  QueryContext(
      long id,
      Query query,
      QueryLimits limits,
      InstantSource clock,
      AtomicLong totalHeldBytes,
      Consumer<QueryContext> onEnd) {
    this.id = id;
    this.query = query;
    this.limits = limits;
    this.clock = clock;
    this.started = clock.instant();
    this.totalHeldBytes = totalHeldBytes;
    this.onEnd = onEnd;
  }

  long id() {
    return id;
  }

  /** Counts a row that was read. Throws if the query may not continue. */
  void read(Row row) {
    long size = row.key().length;
    for (int i = 0; i < row.size(); i++) {
      size += row.qualifier(i).length + row.value(i).length;
    }
    long all = bytes.addAndGet(size);
    if (QueryLimits.isExceeded(all, limits.bytes())) {
      throw exceeded(
          Limit.BYTES,
          "reads more than " + limits.bytes() + " bytes (tsd.query.limits.bytes.default)");
    }
    if ((rows.getAndIncrement() & ROWS_PER_LOOK) == 0) {
      checkTime();
    }
    checkCancelled();
  }

  /** Points of a row were decoded. */
  void decoded(int count) {
    points.add(count);
    if (limits.points() != QueryLimits.UNLIMITED
        && QueryLimits.isExceeded(points.sum(), limits.points())) {
      throw exceeded(
          Limit.POINTS,
          "reads more than "
              + limits.points()
              + " data points (tsd.query.limits.data_points.default)");
    }
  }

  /** Another series was found. */
  void foundSeries() {
    if (QueryLimits.isExceeded(series.incrementAndGet(), limits.series())) {
      throw exceeded(
          Limit.SERIES,
          "reads more than " + limits.series() + " series (hourstone.query.limits.series)");
    }
  }

  /** The memory that the query's points take; its holders have children of it. */
  MemoryLease memory() {
    return memory;
  }

  /** Takes memory from that of all queries, or gives it back if negative. */
  private void charge(long delta) {
    long own = memory.bytes() + delta;
    if (delta > 0 && QueryLimits.isExceeded(own, limits.heldBytes())) {
      throw exceeded(
          Limit.MEMORY,
          "holds more than "
              + limits.heldBytes()
              + " bytes of points (hourstone.query.limits.held_bytes)");
    }
    long all = totalHeldBytes.addAndGet(delta);
    if (delta > 0
        && own > limits.totalHeldBytes() / SMALL_SHARE
        && QueryLimits.isExceeded(all, limits.totalHeldBytes())) {
      totalHeldBytes.addAndGet(-delta);
      throw exceeded(
          Limit.MEMORY,
          "and concurrent queries hold more than "
              + limits.totalHeldBytes()
              + " bytes of points (hourstone.query.limits.total_held_bytes)");
    }
  }

  /** Throws if the query was cancelled or is out of time. */
  void check() {
    checkTime();
    checkCancelled();
  }

  private void checkTime() {
    if (limits.millis() != QueryLimits.UNLIMITED
        && QueryLimits.isExceeded(elapsed().toMillis(), limits.millis())) {
      throw exceeded(
          Limit.TIME, "takes longer than " + limits.millis() + " ms (tsd.query.timeout)");
    }
  }

  private void checkCancelled() {
    String reason = cancelled.get();
    if (reason != null || ended.get()) {
      throw new QueryCancelledException(
          "the query was cancelled: " + (reason == null ? "its result was closed" : reason));
    }
  }

  private static QueryLimitException exceeded(Limit limit, String how) {
    return new QueryLimitException(limit, "the query " + how + ": narrow its range or filters");
  }

  /** Ends the query at the next check by one of its threads; the first reason is kept. */
  void cancel(String reason) {
    cancelled.compareAndSet(null, reason);
  }

  boolean isCancelled() {
    return cancelled.get() != null;
  }

  RegexBudget regexBudget() {
    return new RegexBudget(
        limits.regexSteps() == QueryLimits.UNLIMITED ? Long.MAX_VALUE : limits.regexSteps());
  }

  Duration elapsed() {
    return Duration.between(started, clock.instant());
  }

  RunningQuery snapshot() {
    return new RunningQuery(
        id,
        query.text(),
        started,
        rows.get(),
        bytes.get(),
        points.sum(),
        series.get(),
        memory.bytes());
  }

  /** Ends the query: gives back its memory. Idempotent. */
  @Override
  public void close() {
    if (ended.compareAndSet(false, true)) {
      memory.close();
      onEnd.accept(this);
    }
  }
}
