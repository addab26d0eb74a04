package org.hourstone.query;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.hourstone.internal.ShortText;
import org.hourstone.kv.CodedCell;
import org.hourstone.kv.CodedRow;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.query.QueryLimitException.Limit;
import org.hourstone.series.MemoryLease;
import org.jspecify.annotations.Nullable;

/**
 * The time, memory and work that one request may use, and whether it was cancelled. It is
 * {@linkplain RunningQueries#begin created} when the request arrives and passed to everything that
 * the request starts, which {@linkplain #check() checks} it regularly; so a request of many queries
 * may not use more than a request of one. It must be closed, which releases the memory.
 *
 * <p>Only time in which a thread works for the request counts. Thread-safe.
 */
public final class RequestBudget implements AutoCloseable {
  /** A request that holds less than this fraction of the total is not refused because of others, */
  private static final int SMALL_SHARE = 100;

  /** unless all together hold more than the total and this fraction of it. */
  private static final int OVERDRAFT_SHARE = 4;

  /** Fewer are shown as such in messages. */
  private static final long FEW_BYTES = 10 << 20;

  /** A request that uses more than this fraction of the total needs a turn to continue. */
  private static final int FREE_SHARE = 400;

  /** The maximum number of characters of the text that describes a request; the rest is cut. */
  static final int MOST_TEXT = 2_000;

  private final long id;
  private final Supplier<String> text;
  private volatile @Nullable String madeText;
  private final QueryLimits limits;
  private final Instant started;
  private final AtomicLong totalMemoryBytes;
  private final Consumer<RequestBudget> onEnd;
  private final WorkingTime time;
  private final Turns.Turn turn;
  private final RegexBudget regex;
  private final MemoryLease memory = new MemoryLease(this::charge);
  private final LongAdder rows = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder points = new LongAdder();
  private final LongAdder series = new LongAdder();
  private final AtomicLong queries = new AtomicLong();
  private final AtomicLong values = new AtomicLong();
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile String client = "";
  private volatile Consumer<Boolean> onWait = waits -> {};
  private final AtomicReference<@Nullable String> cancelled = new AtomicReference<>();

  /**
   * @param totalMemoryBytes the memory that all requests hold
   * @param time starts now
   */
  RequestBudget(
      long id,
      Supplier<String> text,
      QueryLimits limits,
      Instant started,
      WorkingTime time,
      Turns turns,
      AtomicLong totalMemoryBytes,
      Consumer<RequestBudget> onEnd) {
    this.id = id;
    this.text = text;
    this.limits = limits;
    this.started = started;
    this.time = time;
    this.turn = turns.request(waits -> onWait.accept(waits));
    this.totalMemoryBytes = totalMemoryBytes;
    this.onEnd = onEnd;
    this.regex =
        new RegexBudget(
            limits.regexSteps() == QueryLimits.UNLIMITED ? Long.MAX_VALUE : limits.regexSteps(),
            this::check);
    time.resume();
  }

  /** One without limits that is not listed. */
  public static RequestBudget unlimited() {
    return new RequestBudget(
        0,
        () -> "",
        QueryLimits.NONE,
        Instant.EPOCH,
        new WorkingTime(System::nanoTime),
        new Turns(1, System::nanoTime, () -> false),
        new AtomicLong(),
        budget -> {});
  }

  /**
   * Tells about the client, before the request does anything.
   *
   * @param who for the log of slow queries; empty if unknown
   * @param waiting is called with true when the request begins to wait for its {@linkplain Turns
   *     turn}, and with false when it goes on, by a thread that works for it; must not wait
   */
  public void from(String who, Consumer<Boolean> waiting) {
    client = who;
    onWait = waiting;
  }

  String client() {
    return client;
  }

  /** For {@linkplain RunningQueries#kill cancelling} it. */
  public long id() {
    return id;
  }

  /**
   * Throws if the request may not continue, and returns when it has its {@linkplain Turns turn};
   * each thread that works for it calls this about every millisecond.
   *
   * @throws QueryCancelledException if it was cancelled or has ended
   * @throws QueryLimitException if its time is over
   */
  public void check() {
    checkLimits();
    turn.await(
        QueryLimits.isExceeded(memory.bytes(), limits.totalMemoryBytes() / FREE_SHARE),
        this::checkLimits);
  }

  private void checkLimits() {
    checkCancelled();
    if (limits.millis() != QueryLimits.UNLIMITED
        && QueryLimits.isExceeded(elapsed().toMillis(), limits.millis())) {
      throw new QueryLimitException(
          Limit.TIME,
          "the query takes longer than "
              + limits.millis()
              + " ms (tsd.query.timeout): narrow its range or filters");
    }
  }

  /** As {@link #check}, except for the time. */
  void checkCancelled() {
    String reason = cancelled.get();
    if (reason != null || ended.get()) {
      throw new QueryCancelledException(
          "the query was cancelled: " + (reason == null ? "its result was closed" : reason));
    }
  }

  /** Ends the request at the next check by one of its threads; the first reason is kept. */
  public void cancel(String reason) {
    cancelled.compareAndSet(null, reason);
  }

  boolean isCancelled() {
    return cancelled.get() != null;
  }

  /**
   * The memory of the request. Each of its users has a child of it, which throws a {@link
   * QueryLimitException} if the request, or all requests together, would use too much.
   */
  public MemoryLease memory() {
    return memory;
  }

  /** Takes memory from that of all requests, or gives it back if negative. */
  private void charge(long delta) {
    long own = memory.bytes() + delta;
    if (delta > 0 && QueryLimits.isExceeded(own, limits.memoryBytes())) {
      throw tooMuchMemory("the query uses", limits.memoryBytes(), "memory_bytes");
    }
    long total = limits.totalMemoryBytes();
    long all = totalMemoryBytes.addAndGet(delta);
    if (delta > 0
        && QueryLimits.isExceeded(all, total)
        && (own > total / SMALL_SHARE || all > total + total / OVERDRAFT_SHARE)) {
      totalMemoryBytes.addAndGet(-delta);
      throw tooMuchMemory("the query and concurrent queries use", total, "total_memory_bytes");
    }
  }

  private static QueryLimitException tooMuchMemory(String who, long limit, String setting) {
    return new QueryLimitException(
        Limit.MEMORY,
        who
            + " more than "
            + (limit < FEW_BYTES ? limit + " bytes" : (limit >> 20) + " MiB")
            + " of memory for points (hourstone.query.limits."
            + setting
            + "): narrow its range or filters, or increase the heap");
  }

  /**
   * Counts values that the request computes with or returns: the results of the queries of
   * expressions, and what is computed from them.
   *
   * @throws QueryLimitException if there are too many in all
   */
  public void values(long more) {
    if (QueryLimits.isExceeded(values.addAndGet(more), limits.values())) {
      throw new QueryLimitException(
          Limit.VALUES,
          "the request has more than "
              + limits.values()
              + " values (hourstone.expression.max_values): downsample its queries");
    }
  }

  /** The same store, whose reads for this request are counted and end with it. */
  public KeyValueReader reading(KeyValueReader store) {
    return new BudgetedReader(store, this);
  }

  /** Counts queries before they are planned. */
  public void queries(int more) {
    limits.checkQueries(queries.addAndGet(more));
  }

  /** Counts a row that was read for something else than its points. */
  public void read(Row row) {
    read(1, bytes(row), 0);
  }

  /** How many bytes a row has, as it was read. */
  public static long bytes(Row row) {
    CodedCell coded = row.coded();
    long size = row.key().length;
    if (coded != null) {
      return size + coded.bytes().length;
    }
    if (row.codedRow() != null) {
      for (CodedRow.Form form : row.codedRow().forms()) {
        size += form.to() - form.from();
      }
      return size;
    }
    for (int i = 0; i < row.size(); i++) {
      size += row.qualifier(i).length + row.value(i).length;
    }
    return size;
  }

  /** Counts rows that were read, and their points. */
  public void read(long moreRows, long moreBytes, long morePoints) {
    rows.add(moreRows);
    bytes.add(moreBytes);
    points.add(morePoints);
  }

  /** Counts a series that was found. */
  void foundSeries() {
    series.increment();
  }

  /** For all regular expressions of the request. */
  public RegexBudget regex() {
    return regex;
  }

  /**
   * One thread less works for the request, since it waits for something else, such as the client.
   * Every call is followed by {@link #resume} or {@link #close}. A new budget counts one thread.
   */
  public void pause() {
    if (time.pause()) {
      turn.rest();
    }
  }

  /** A thread more works for the request. */
  public void resume() {
    time.resume();
  }

  /** The time in which a thread has worked for the request. */
  public Duration elapsed() {
    return Duration.ofNanos(time.nanos());
  }

  Instant started() {
    return started;
  }

  /** Made once, and not longer than is useful: a client may send millions of characters. */
  private String text() {
    String made = madeText;
    if (made == null) {
      made = ShortText.of(text.get(), MOST_TEXT);
      madeText = made;
    }
    return made;
  }

  /** The request and what it has used so far. */
  public RunningQuery use() {
    return new RunningQuery(
        id, text(), started, rows.sum(), bytes.sum(), points.sum(), series.sum(), memory.bytes());
  }

  /** Ends the request. Idempotent. */
  @Override
  public void close() {
    if (ended.compareAndSet(false, true)) {
      turn.end();
      memory.close();
      onEnd.accept(this);
    }
  }
}
