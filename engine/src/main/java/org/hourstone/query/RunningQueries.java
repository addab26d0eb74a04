package org.hourstone.query;

import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The queries that are running: lists and cancels them. Thread-safe. */
public final class RunningQueries {
  private final Map<Long, QueryContext> running = new ConcurrentHashMap<>();
  private final AtomicLong lastId = new AtomicLong();
  private final AtomicLong heldBytes = new AtomicLong();
  private final QueryLimits limits;
  private final InstantSource clock;
  private final SlowQueries slow;

  RunningQueries(QueryLimits limits, InstantSource clock, SlowQueries slow) {
    this.limits = limits;
    this.clock = clock;
    this.slow = slow;
  }

  /** All of them, the oldest first. */
  public List<RunningQuery> list() {
    return running.values().stream()
        .map(QueryContext::snapshot)
        .sorted(Comparator.comparingLong(RunningQuery::id))
        .toList();
  }

  /** How much memory the points of all queries take now, in bytes. */
  public long heldBytes() {
    return heldBytes.get();
  }

  /**
   * Cancels a query; its reader gets a {@link QueryCancelledException}.
   *
   * @param reason is reported to the reader
   * @return whether there is such a query
   */
  public boolean kill(long id, String reason) {
    QueryContext use = running.get(id);
    if (use == null) {
      return false;
    }
    use.cancel(reason);
    return true;
  }

  QueryContext begin(Query query) {
    QueryContext use =
        new QueryContext(lastId.incrementAndGet(), query, limits, clock, heldBytes, this::ended);
    running.put(use.id(), use);
    return use;
  }

  private void ended(QueryContext use) {
    running.remove(use.id());
    slow.ended(use);
  }
}
