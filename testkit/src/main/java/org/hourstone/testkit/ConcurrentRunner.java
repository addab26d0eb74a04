package org.hourstone.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** Runs tasks at the same time. */
public final class ConcurrentRunner {
  private ConcurrentRunner() {}

  /** Starts all tasks at one moment, waits for all, and fails if one failed. */
  public static <T> List<T> run(List<Callable<T>> tasks) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      CyclicBarrier start = new CyclicBarrier(tasks.size());
      List<Future<T>> running = new ArrayList<>();
      for (Callable<T> task : tasks) {
        running.add(
            threads.submit(
                () -> {
                  start.await();
                  return task.call();
                }));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> each : running) {
        results.add(result(each));
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }

  /** As {@link #run(List)}, with {@code count} tasks made from their numbers. */
  public static <T> List<T> run(int count, IntFunction<Callable<T>> task) throws Exception {
    List<Callable<T>> tasks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      tasks.add(task.apply(i));
    }
    return run(tasks);
  }

  /** Something that is done again and again. */
  public interface Repeated {
    /**
     * @param time how often it was done before
     */
    void run(int time) throws Exception;
  }

  /**
   * Runs each action at least N times, and repeats it until all others have run as often: so they
   * overlap, whatever the scheduler does. A failure ends all.
   */
  public static void overlap(int times, List<Repeated> all) throws Exception {
    AtomicInteger busy = new AtomicInteger(all.size());
    run(
        all.size(),
        number ->
            () -> {
              int done = 0;
              try {
                while (done < times || busy.get() > 0) {
                  all.get(number).run(done);
                  done++;
                  if (done == times) {
                    busy.decrementAndGet();
                  }
                }
              } finally {
                if (done < times) {
                  busy.decrementAndGet();
                }
              }
              return null;
            });
  }

  private static <T> T result(Future<T> future) throws Exception {
    try {
      return future.get();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof Error error) {
        throw error;
      }
      if (failed.getCause() instanceof Exception exception) {
        throw exception;
      }
      throw failed;
    }
  }
}
