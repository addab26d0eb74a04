package org.hourstone.query;

import java.util.List;
import java.util.Queue;
import org.hourstone.query.QueryLimitException.Limit;

/**
 * The queries of one request, read in their order. At most as many as there are {@linkplain
 * QueryThreads#queries threads for queries} are read or held at a time: the next is started when
 * all series of an earlier one were taken. If the memory of the request does not suffice for that,
 * they are read one after the other. Thread-safe.
 */
final class QueryBatch {
  private final List<QueryRun> runs;
  private final Runnable onEnd;

  /** Guarded by this: how many were started, or would have been if they had not been read. */
  private int started;

  /** Guarded by this: how many are not closed yet. */
  private int open;

  /** Guarded by this: whether queries are read one after the other. */
  private boolean alone;

  /**
   * @param onEnd is called when the last one is closed
   */
  QueryBatch(List<QueryRun> runs, Runnable onEnd) {
    this.runs = List.copyOf(runs);
    this.onEnd = onEnd;
    this.open = runs.size();
    if (open == 0) {
      onEnd.run();
    }
  }

  List<QueryRun> runs() {
    return runs;
  }

  /** Starts a number of them in other threads. */
  void start(int ahead) {
    for (int i = 0; i < ahead; i++) {
      startNext();
    }
  }

  private synchronized void startNext() {
    if (!alone && started < runs.size()) {
      runs.get(started++).start();
    }
  }

  /** The groups of a query, once all its rows are read. Rethrows a failure to read them. */
  Queue<GroupResult> groups(QueryRun run) {
    try {
      try {
        return run.groups();
      } catch (QueryLimitException e) {
        if (e.limit() != Limit.MEMORY || !putBackOthers(run)) {
          throw e;
        }
        run.restart();
        return run.groups();
      }
    } catch (RuntimeException | Error e) {
      close(run);
      throw e;
    }
  }

  /**
   * Frees the memory of queries that were read ahead. Whether a query may have lacked it: there is
   * some, or there was until now, since others may have failed at the same time, or have been
   * taken.
   */
  private boolean putBackOthers(QueryRun run) {
    List<QueryRun> begun;
    boolean held;
    synchronized (this) {
      held = !alone && started > 0;
      alone = true;
      begun = runs.subList(0, started);
    }
    for (QueryRun other : begun) {
      held |= other != run && other.putBack();
    }
    return held;
  }

  /** All series of a query were taken. */
  void finish(QueryRun run) {
    close(run);
    startNext();
  }

  /** Ends a query. May be repeated. */
  void close(QueryRun run) {
    if (!run.close()) {
      return;
    }
    synchronized (this) {
      if (--open > 0) {
        return;
      }
    }
    onEnd.run();
  }
}
