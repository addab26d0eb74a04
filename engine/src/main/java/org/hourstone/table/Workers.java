package org.hourstone.table;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Threads that process the parts of a table; if there is only one, it is the caller's. The first
 * failure ends all threads, and so does an interrupt of the calling thread. For one tool, which may
 * run several times until one run fails.
 */
final class Workers {
  private final int count;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  Workers(int count) {
    this.count = count;
  }

  /** Whether the threads must end soon, even in the middle of a part. */
  boolean isStopped() {
    if (count == 1 && Thread.currentThread().isInterrupted()) {
      interrupted();
    }
    return failure.get() != null;
  }

  private void interrupted() {
    failure.compareAndSet(null, new StoreException(Outcome.UNKNOWN, "interrupted"));
  }

  /**
   * Processes parts until there are no more. Returns only when all threads have ended, so that none
   * of them uses a store that is closed afterwards.
   *
   * @param next the next part, or null after the last one; called by all threads
   * @throws StoreException with {@code UNKNOWN} if the calling thread is interrupted; otherwise the
   *     first failure is thrown
   */
  <P> void run(Supplier<@Nullable P> next, Consumer<P> work) {
    if (count == 1) {
      process(next, work);
    } else {
      runThreads(next, work);
    }
    Throwable first = failure.get();
    if (first instanceof RuntimeException e) {
      throw e;
    }
    if (first instanceof Error e) {
      throw e;
    }
  }

  private <P> void runThreads(Supplier<@Nullable P> next, Consumer<P> work) {
    List<Thread> threads =
        IntStream.rangeClosed(1, count)
            .mapToObj(i -> new Thread(() -> process(next, work), "hourstone-table-" + i))
            .toList();
    threads.forEach(this::start);
    threads.forEach(this::join);
  }

  /** Starts a thread; if it cannot be started, the others are ended. */
  private void start(Thread thread) {
    try {
      thread.start();
    } catch (OutOfMemoryError e) {
      failure.compareAndSet(null, e);
    }
  }

  private <P> void process(Supplier<@Nullable P> next, Consumer<P> work) {
    try {
      for (P part = next.get(); part != null; part = isStopped() ? null : next.get()) {
        work.accept(part);
      }
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
    }
  }

  private void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
        interrupted();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
