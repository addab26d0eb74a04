package org.hourstone.query.run;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.hourstone.kv.Bytes;
import org.hourstone.query.Corruption;
import org.hourstone.query.Query;
import org.hourstone.query.QueryContext;
import org.hourstone.query.QueryThreads;
import org.hourstone.query.plan.Plan;
import org.hourstone.query.plan.Segment;
import org.hourstone.query.rows.CorruptionTotal;
import org.hourstone.query.rows.SeriesGroup;
import org.hourstone.series.MemoryLease;
import org.jspecify.annotations.Nullable;

/**
 * A running query: reads its rows, then returns its groups one by one. The description of the
 * package has a drawing of its states. The task and what it uses are replaced only while this is
 * locked, when nothing of the task runs any more.
 */
final class QueryRun {
  private enum State {
    /** Its own task was not started; a reading that it shares may have read its rows. */
    PLANNED,

    /** Its rows are being read ahead, or are held. */
    AHEAD,

    /** Its groups were requested, so what was read is not given up for others. */
    REQUESTED,

    CLOSED;

    boolean mayBecome(State next) {
      return switch (next) {
        case PLANNED -> this == PLANNED || this == AHEAD;
        case AHEAD -> this == PLANNED;
        case REQUESTED, CLOSED -> this != CLOSED;
      };
    }
  }

  private final Query query;
  private final List<Segment<Plan>> segments;
  private final Supplier<QueryContext> uses;
  private final MemoryLease plans;
  private final QueryThreads threads;
  private final Consumer<Collection<byte[]>> scanned;
  private volatile QueryContext use;
  private volatile FutureTask<Queue<GroupResult>> task;
  private volatile @Nullable SharedReading shared;
  private final AtomicReference<State> state = new AtomicReference<>(State.PLANNED);
  private volatile CorruptionTotal corruption = new CorruptionTotal();

  /** The plans that had data. */
  private final Set<Plan> taken =
      Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>(1)));

  /**
   * @param query as requested
   * @param segments the parts of its range, in the order of time
   * @param uses the resources for reading it, once or again
   * @param plans the memory of the segments, closed with this
   * @param scanned receives the TSUIDs of series of points that were found by scanning
   */
  QueryRun(
      Query query,
      List<Segment<Plan>> segments,
      Supplier<QueryContext> uses,
      MemoryLease plans,
      QueryThreads threads,
      Consumer<Collection<byte[]>> scanned) {
    this.query = query;
    this.segments = segments;
    this.uses = uses;
    this.plans = plans;
    this.threads = threads;
    this.scanned = scanned;
    this.use = uses.get();
    this.task = new FutureTask<>(this::answer);
  }

  /** Returns whether the state has changed: false if it may not become this one. */
  private boolean become(State next) {
    return state.getAndUpdate(now -> now.mayBecome(next) ? next : now).mayBecome(next);
  }

  List<Segment<Plan>> segments() {
    return segments;
  }

  /** Whether a part of the range was read with this plan; valid when the groups are complete. */
  boolean isTaken(Plan plan) {
    return taken.contains(plan);
  }

  Query query() {
    return query;
  }

  QueryContext use() {
    return use;
  }

  /** The plan, if the query has but one and it is of points; else null. */
  @Nullable Plan onlyPlan() {
    List<Plan> plans = segments.size() == 1 ? segments.get(0).sources() : List.of();
    boolean suits =
        plans.size() == 1
            && plans.get(0).source().isPoints()
            && plans.get(0).route().rolled() == null
            && query.source().histograms() == null
            && !plans.get(0).isEmpty();
    return suits ? plans.get(0) : null;
  }

  /** Has its rows read together with those of others; called before it is started. */
  void share(SharedReading with) {
    shared = with;
  }

  /** Whether its rows are being read, or are held. */
  boolean isBegun() {
    SharedReading with = shared;
    return state.get() != State.PLANNED || (with != null && with.isStarted());
  }

  boolean isClosed() {
    return state.get() == State.CLOSED;
  }

  /** How many results are held once its rows are read. */
  int resultsOfReading() {
    SharedReading with = shared;
    return with == null ? 1 : with.size();
  }

  /** What reads its rows: equal for queries that are read together. */
  Object reader() {
    SharedReading with = shared;
    return with != null && with.isStarted() ? with : this;
  }

  /** Starts reading the rows in another thread, unless they are being read. */
  void start() {
    if (!become(State.AHEAD)) {
      return;
    }
    SharedReading with = shared;
    if (with != null) {
      with.start();
    }
    threads.executeQuery(task);
  }

  /** The groups, once all rows are read. Rethrows a failure to read them. */
  Queue<GroupResult> groups() {
    FutureTask<Queue<GroupResult>> current;
    synchronized (this) {
      boolean unused = become(State.REQUESTED);
      current = task;
    }
    return QueryThreads.join(current);
  }

  /**
   * If the groups were not requested yet, gives back the memory of what was read ahead: it is read
   * again when they are.
   *
   * @return whether there was any
   */
  synchronized boolean putBack() {
    if (!isBegun() || !become(State.PLANNED)) {
      return false;
    }
    boolean held = use.memory().bytes() > 0;
    readAgain();
    return held;
  }

  /** As if nothing had been read yet. */
  synchronized void restart() {
    if (!isClosed()) {
      readAgain();
    }
  }

  private void readAgain() {
    end();
    shared = null;
    taken.clear();
    corruption = new CorruptionTotal();
    use = uses.get();
    task = new FutureTask<>(this::answer);
  }

  /** The rows and cells that were skipped. */
  Corruption corruption() {
    return corruption.sum();
  }

  private Queue<GroupResult> answer() {
    use.resume();
    try {
      TreeMap<Bytes, GroupResult> all = new TreeMap<>();
      for (Segment<Plan> segment : segments) {
        first(segment.sources())
            .forEach(
                (key, group) ->
                    all.merge(
                        key,
                        GroupResult.of(group, segment.fromMillis(), segment.toMillis()),
                        GroupResult::followedBy));
      }
      return new ArrayDeque<>(all.values());
    } finally {
      use.pause();
    }
  }

  private SortedMap<Bytes, SeriesGroup> first(List<Plan> plans) {
    SortedMap<Bytes, SeriesGroup> groups = Collections.emptySortedMap();
    for (Plan plan : plans) {
      groups = read(plan);
      if (!groups.isEmpty()) {
        taken.add(plan);
        break;
      }
    }
    return groups;
  }

  private SortedMap<Bytes, SeriesGroup> read(Plan plan) {
    if (plan.isEmpty()) {
      return Collections.emptySortedMap();
    }
    SharedReading with = shared;
    RowReading.Result result = with == null ? null : with.take(this);
    if (result == null && plan.route().rolled() != null) {
      result = new RolledReading(plan, use, threads, scanned).read();
    }
    if (result == null) {
      List<QueryPart> alone = List.of(QueryPart.of(plan, use, plan));
      result = new RowReading(plan, alone, threads, scanned).read().get(0);
    }
    corruption.add(result.corruption());
    return result.groups();
  }

  /** Ends the query. Returns false if it had been ended before. */
  synchronized boolean close() {
    if (!become(State.CLOSED)) {
      return false;
    }
    end();
    plans.close();
    return true;
  }

  private void end() {
    if (!task.isDone()) {
      use.cancel();
    }
    if (shared != null) {
      shared.leave(this);
    }
    QueryThreads.await(task);
    threads.forget(task); // else it is held, with its groups, until a thread is free
    use.close();
  }
}
