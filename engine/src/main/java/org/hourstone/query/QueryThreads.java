package org.hourstone.query;

import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.internal.OutOfMemoryReport;
import org.jspecify.annotations.Nullable;

/**
 * The threads that read for queries. A thread that needs a task's result runs the task itself if it
 * has not started, so tasks may wait for others without a deadlock. Thread-safe.
 */
public final class QueryThreads implements AutoCloseable {
  private static final int IDLE_SECONDS = 30;

  private final ThreadPoolExecutor pool;
  private final ThreadPoolExecutor queries;

  /**
   * @param count how many read slices
   * @param queries how many more run whole queries, which mostly wait for the store; 0 if the same
   *     threads run them
   */
  public QueryThreads(int count, int queries) {
    this.pool = pool(count, "hourstone-query-");
    this.queries = queries == 0 ? pool : pool(queries, "hourstone-subquery-");
    if (queries > 0) {
      this.queries.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
      this.queries.allowCoreThreadTimeOut(true);
    }
  }

  private static ThreadPoolExecutor pool(int count, String name) {
    AtomicInteger number = new AtomicInteger();
    return new Pool(
        count,
        task -> {
          Thread thread = new Thread(task, name + number.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        });
  }

  private static final class Pool extends ThreadPoolExecutor {
    Pool(int count, ThreadFactory factory) {
      super(count, count, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
    }

    /** A task keeps its failure for the thread that needs its result, which may be none. */
    @Override
    protected void afterExecute(Runnable task, @Nullable Throwable failure) {
      if (task instanceof FutureTask<?> ended && ended.isDone() && !ended.isCancelled()) {
        try {
          ended.get();
        } catch (ExecutionException e) {
          OutOfMemoryReport.report(e);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  public int count() {
    return pool.getCorePoolSize();
  }

  /**
   * How many of them help the thread that needs what they read. That thread reads, too, and needs a
   * processor; on a store where threads wait for servers, it leaves them all.
   */
  public int helpers() {
    return queries == pool ? count() - 1 : count();
  }

  /** How many queries of a request are run at a time. */
  public int queries() {
    return queries.getCorePoolSize();
  }

  /** Schedules a task; it is not run if the database is being closed. */
  public void execute(FutureTask<?> task) {
    execute(pool, task);
  }

  /** As {@link #execute}, a task that runs a whole query. */
  public void executeQuery(FutureTask<?> task) {
    execute(queries, task);
  }

  private static void execute(ThreadPoolExecutor in, FutureTask<?> task) {
    try {
      in.execute(task);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      OutOfMemoryReport.reportUnlessOfThread(e);
      // The thread that needs its result runs it; perhaps no thread could be started.
    }
  }

  /**
   * How many tasks wait for a thread, or were run by others and not {@linkplain #forget dropped}.
   */
  public int waiting() {
    return pool.getQueue().size() + (queries == pool ? 0 : queries.getQueue().size());
  }

  /** Drops a task that another thread has run, and its result. */
  public void forget(FutureTask<?> task) {
    pool.remove(task);
    if (queries != pool) {
      queries.remove(task);
    }
  }

  /**
   * The result of a task, which this thread runs if it has not started. Throws what the task threw.
   */
  public static <T> T join(FutureTask<T> task) {
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
  public static <T> Optional<T> await(FutureTask<T> task) {
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
    queries.shutdown();
  }
}
