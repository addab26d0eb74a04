package org.hourstone.query;

import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that read for queries. A thread that needs a task's result runs the task itself if it
 * has not started, so tasks may wait for others without a deadlock. Thread-safe.
 */
final class QueryThreads implements AutoCloseable {
  private final ThreadPoolExecutor pool;
  private final int count;

  QueryThreads(int count) {
    AtomicInteger number = new AtomicInteger();
    this.count = count;
    this.pool =
        new ThreadPoolExecutor(
            count,
            count,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "hourstone-query-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  int count() {
    return count;
  }

  /** Schedules a task; it is not run if the database is being closed. */
  void execute(FutureTask<?> task) {
    try {
      pool.execute(task);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // The thread that needs its result runs it; perhaps no thread could be started.
    }
  }

  /** Drops a task that another thread has run, and its result. */
  void forget(FutureTask<?> task) {
    pool.remove(task);
  }

  /**
   * The result of a task, which this thread runs if it has not started. Throws what the task threw.
   */
  static <T> T join(FutureTask<T> task) {
    task.run();
    try {
      return task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new QueryCancelledException("the thread that waited for the query was interrupted");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException exception) {
        throw exception;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  /** Ends a task: waits for it if it is running, else runs it. Its result, unless it failed. */
  static <T> Optional<T> await(FutureTask<T> task) {
    task.run();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return Optional.of(task.get());
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          return Optional.empty(); // the waiting thread has the failure, or needs no result
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() {
    pool.shutdown();
  }
}
