package org.hourstone.query.run;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hourstone.query.QueryLimitException;
import org.hourstone.query.QueryLimitException.Limit;

/**
 * The queries of one request, read in their order. At most as many as there are {@linkplain
 * QueryThreads#queries threads for queries} are read or held at a time: the next is started when
 * all series of an earlier one were taken. Those that are {@linkplain SharedReading read together}
 * count as one, and some more results are held for these. If the memory of the request does not
 * suffice for that, queries are read one after the other. Thread-safe.
 */
final class QueryBatch {
  private final List<QueryRun> runs;
  private final AtomicBoolean sharing;
  private final Runnable onEnd;

  /** Guarded by this: how many are to be read ahead. */
  private int ahead;

  /** Guarded by this: how many are not closed yet. */
  private int open;

  /** Guarded by this: whether queries are read one after the other. */
  private boolean alone;

  /**
   * @param sharing whether rows are still to be read for several of them
   * @param onEnd is called when the last one is closed
   */
  QueryBatch(List<QueryRun> runs, AtomicBoolean sharing, Runnable onEnd) {
    this.runs = List.copyOf(runs);
    this.sharing = sharing;
    this.onEnd = onEnd;
    this.open = runs.size();
    if (open == 0) {
      onEnd.run();
    }
  }

  List<QueryRun> runs() {
    return runs;
  }

  /** Has a number of them read ahead in other threads. */
  synchronized void start(int number) {
    ahead = number;
    startNext();
  }

  /** Starts the next ones, unless enough are being read or held. */
  private synchronized void startNext() {
    Set<Object> readers = Collections.newSetFromMap(new IdentityHashMap<>());
    for (QueryRun run : runs) {
      if (!run.isClosed()) {
        if (!run.isBegun()) {
          if (alone || held() + run.resultsOfReading() > ahead + SharedReading.MOST_QUERIES) {
            return;
          }
          run.start();
        }
        readers.add(run.reader());
        if (readers.size() >= ahead) {
          return;
        }
      }
    }
  }

  private long held() {
    return runs.stream().filter(run -> run.isBegun() && !run.isClosed()).count();
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
   * Frees the memory of queries that were read ahead.
   *
   * @return whether a query may have failed for lack of that memory: some was freed, or there was
   *     some until now, since others may have failed at the same time, or have been taken
   */
  private boolean putBackOthers(QueryRun run) {
    boolean held;
    synchronized (this) {
      held = !alone && ahead > 0;
      alone = true;
      sharing.set(false);
    }
    for (QueryRun other : runs) {
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
