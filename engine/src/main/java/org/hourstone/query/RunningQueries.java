package org.hourstone.query;

import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The requests that read and are running: lists and cancels them. Thread-safe. */
public final class RunningQueries {
  /**
   * Memory is scarce when requests hold this fraction of what they may: those that have begun take
   * more, and the garbage collector needs room.
   */
  private static final int SCARCE_SHARE = 4;

  private final Map<Long, RequestBudget> running = new ConcurrentHashMap<>();
  private final AtomicLong lastId = new AtomicLong();
  private final AtomicLong memoryBytes = new AtomicLong();
  private final QueryLimits limits;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private final Turns turns;
  private final SlowQueries slow;

  /**
   * @param nanos a monotonic clock
   * @param atOnce the number of long requests that work at a time
   */
  public RunningQueries(
      QueryLimits limits, InstantSource clock, LongSupplier nanos, int atOnce, SlowQueries slow) {
    this.limits = limits;
    this.clock = clock;
    this.nanos = nanos;
    this.turns = new Turns(atOnce, nanos, this::isMemoryScarce);
    this.slow = slow;
  }

  /** All of them, the oldest first. */
  public List<RunningQuery> list() {
    return running.values().stream()
        .map(RequestBudget::use)
        .sorted(Comparator.comparingLong(RunningQuery::id))
        .toList();
  }

  private boolean isMemoryScarce() {
    return QueryLimits.isExceeded(memoryBytes.get(), limits.totalMemoryBytes() / SCARCE_SHARE);
  }

  /** The memory that the points of all of them take now, in bytes. */
  public long memoryBytes() {
    return memoryBytes.get();
  }

  /**
   * Cancels a request; its reader gets a {@link QueryCancelledException}.
   *
   * @param reason is reported to the reader
   * @return whether there is such a request
   */
  public boolean kill(long id, String reason) {
    RequestBudget budget = running.get(id);
    if (budget == null) {
      return false;
    }
    budget.cancel(reason);
    return true;
  }

  /** The limits of each request, and of all together. */
  public QueryLimits limits() {
    return limits;
  }

  /**
   * Begins a request.
   *
   * @param text describes it in the list
   * @return the budget for everything that it starts; must be closed
   */
  public RequestBudget begin(Supplier<String> text) {
    RequestBudget budget =
        new RequestBudget(
            lastId.incrementAndGet(),
            text,
            limits,
            clock.instant(),
            new WorkingTime(nanos),
            turns,
            memoryBytes,
            this::ended);
    running.put(budget.id(), budget);
    return budget;
  }

  /** How many requests have taken as long as slow ones do. */
  public long slow() {
    return slow.count();
  }

  private void ended(RequestBudget budget) {
    running.remove(budget.id());
    slow.ended(budget);
  }
}
