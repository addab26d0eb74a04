package org.hourstone.query.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import org.hourstone.query.QueryThreads;

/**
 * Reads the slices of a reading of rows, several at a time: one in the thread that needs them, the
 * others in {@linkplain QueryThreads#helpers threads that help it}. That thread reads whatever has
 * not started rather than wait, so there are no more readers than processors, which would only
 * interrupt each other. A helper reads one slice and then queues again behind those of other
 * queries.
 *
 * <p>Each task is run at most once, by whoever takes it first; {@link #close} drops those that have
 * not started. {@link #offer}, {@link #join} and {@link #close} are called by one thread.
 */
final class SliceReaders implements AutoCloseable {
  private final QueryThreads threads;
  private final Queue<FutureTask<?>> waiting = new ConcurrentLinkedQueue<>();

  /** Those that wait for a thread or read. */
  private final Set<FutureTask<?>> helpers = ConcurrentHashMap.newKeySet();

  /** Guarded by this. */
  private boolean closed;

  SliceReaders(QueryThreads threads) {
    this.threads = threads;
  }

  /** How many slices are read at a time, at most. */
  int count() {
    return threads.count();
  }

  /** Has a task run by a helper, unless it is needed before one is free. */
  void offer(FutureTask<?> task) {
    waiting.add(task);
    help();
  }

  private synchronized void help() {
    if (!closed && helpers.size() < threads.helpers()) {
      Helper helper = new Helper();
      helpers.add(helper.task);
      threads.execute(helper.task);
    }
  }

  /** The result of a task, which may have been offered. Throws what the task threw. */
  <T> T join(FutureTask<T> task) {
    waiting.remove(task); // else its result would be held until a helper is free
    task.run();
    while (!task.isDone()) {
      FutureTask<?> later = waiting.poll();
      if (later == null) {
        break;
      }
      later.run();
    }
    return QueryThreads.join(task);
  }

  /**
   * The results of tasks, of which helpers run some. When it returns or throws what one of them
   * threw, none is running.
   */
  <T> List<T> joinAll(List<FutureTask<T>> tasks) {
    try {
      tasks.stream().skip(1).forEach(this::offer);
      List<T> results = new ArrayList<>(tasks.size());
      tasks.forEach(task -> results.add(join(task)));
      return results;
    } finally {
      waiting.removeAll(tasks);
      tasks.forEach(QueryThreads::await);
    }
  }

  /** Drops the tasks that have not started, and the helpers that wait for a thread. */
  @Override
  public synchronized void close() {
    closed = true;
    waiting.clear();
    helpers.forEach(threads::forget);
  }

  private final class Helper {
    final FutureTask<?> task = new FutureTask<>(this::read, null);

    private void read() {
      FutureTask<?> next = waiting.poll();
      if (next != null) {
        next.run();
      }
      helpers.remove(task);
      if (!waiting.isEmpty()) {
        help();
      }
    }
  }
}
