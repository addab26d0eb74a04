package org.hourstone.query.run;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.hourstone.query.Query;
import org.hourstone.query.QueryContext;
import org.hourstone.query.QueryThreads;
import org.hourstone.query.plan.Plan;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows once for some queries of a request that need the same ones. If that fails, for a
 * reason that need not concern each of them, such as a limit of one query, a corrupt row or a lack
 * of memory for all, each reads its rows by itself, and so do all later queries of the request. The
 * resources of a query are not used after it has {@linkplain #leave left}. Thread-safe.
 */
final class SharedReading {
  /** The maximum number of queries, since the results of all are in memory at once. */
  static final int MOST_QUERIES = 10;

  /** The first one's rows are read. */
  private final List<QueryRun> runs;

  private final QueryThreads threads;
  private final Consumer<Collection<byte[]>> scanned;
  private final AtomicBoolean sharing;
  private final FutureTask<Map<QueryRun, RowReading.Result>> task =
      new FutureTask<>(this::readOrGiveUp);
  private volatile boolean started;

  /** Whether each query is to read by itself. */
  private volatile boolean givenUp;

  /** Guarded by this: whether rows are being read, or were. */
  private boolean reading;

  /** Guarded by this. */
  private final List<QueryRun> left = new ArrayList<>();

  private SharedReading(
      List<QueryRun> runs,
      QueryThreads threads,
      Consumer<Collection<byte[]>> scanned,
      AtomicBoolean sharing) {
    this.runs = runs;
    this.threads = threads;
    this.scanned = scanned;
    this.sharing = sharing;
  }

  /**
   * Groups the queries that can be read together.
   *
   * @param scanned receives the TSUIDs of series of points that were found by scanning
   * @param sharing is set to false once queries are to read alone
   * @param check is called for each query
   */
  static void among(
      List<QueryRun> runs,
      QueryThreads threads,
      Consumer<Collection<byte[]>> scanned,
      AtomicBoolean sharing,
      Runnable check) {
    List<List<QueryRun>> groups = new ArrayList<>();
    for (QueryRun run : runs) {
      check.run();
      if (run.onlyPlan() != null) {
        add(run, groups);
      }
    }
    for (List<QueryRun> group : groups) {
      if (group.size() > 1) {
        SharedReading shared = new SharedReading(group, threads, scanned, sharing);
        group.forEach(run -> run.share(shared));
      }
    }
  }

  /** Adds a query to the groups; only the last ones are tried, since there may be many. */
  private static void add(QueryRun run, List<List<QueryRun>> groups) {
    List<QueryRun> own = new ArrayList<>(List.of(run));
    int first = Math.max(0, groups.size() - MOST_QUERIES);
    for (int i = groups.size() - 1; i >= first; i--) {
      List<QueryRun> group = groups.get(i);
      if (own.size() + group.size() <= MOST_QUERIES) {
        if (covers(group.get(0), own.get(0))) {
          group.addAll(own);
          return;
        }
        if (covers(own.get(0), group.get(0))) {
          own.addAll(groups.remove(i));
        }
      }
    }
    groups.add(own);
  }

  private static boolean covers(QueryRun run, QueryRun other) {
    Query query = run.query();
    return query.startMillis() == other.query().startMillis()
        && query.endMillis() == other.query().endMillis()
        && plan(run).covers(plan(other));
  }

  private static Plan plan(QueryRun run) {
    return Objects.requireNonNull(run.onlyPlan());
  }

  /** How many queries it reads for. */
  int size() {
    return runs.size();
  }

  /** Its rows are about to be read. */
  void start() {
    started = true;
  }

  /** Whether the rows are being read or were read, so that no query need start to read them. */
  boolean isStarted() {
    return started && !givenUp;
  }

  /**
   * The result of reading for a query, which is returned once; reads it, or waits for it. Null if
   * the query must read by itself.
   */
  RowReading.@Nullable Result take(QueryRun run) {
    synchronized (this) {
      if (left.contains(run)) {
        return null;
      }
    }
    return QueryThreads.join(task).remove(run);
  }

  /** A query ends, or is to be read by itself; waits until nothing of it is used any more. */
  void leave(QueryRun run) {
    synchronized (this) {
      left.add(run);
      if (!reading) {
        started = false;
        return;
      }
    }
    QueryThreads.await(task).ifPresent(results -> results.remove(run));
  }

  private Map<QueryRun, RowReading.Result> readOrGiveUp() {
    Map<QueryRun, RowReading.Result> results = new ConcurrentHashMap<>();
    List<QueryRun> present;
    synchronized (this) {
      reading = true;
      present = runs.stream().filter(run -> !left.contains(run)).toList();
    }
    boolean shares = sharing.get() && present.size() > 1 && present.contains(runs.get(0));
    started = true;
    givenUp = !shares;
    if (shares) {
      try {
        List<RowReading.Result> read = read(present);
        for (int i = 0; i < read.size(); i++) {
          results.put(present.get(i), read.get(i));
        }
      } catch (RuntimeException e) {
        sharing.set(false);
        givenUp = true;
        present.forEach(run -> run.use().resetTo(QueryContext.Counts.NONE));
      }
    }
    return results;
  }

  private List<RowReading.Result> read(List<QueryRun> present) {
    Plan rows = plan(runs.get(0));
    List<QueryPart> parts = new ArrayList<>(present.size());
    for (QueryRun run : present) {
      parts.add(QueryPart.of(plan(run), run.use(), rows));
    }
    return new RowReading(rows, parts, threads, scanned).read();
  }
}
