package org.hourstone.tool;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Threads that process the parts of a table. The first failure ends all threads, and so does an
 * interrupt of the thread that waits for them. For one tool, which may run several times until one
 * run fails.
 */
final class Workers {
  private final int count;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  Workers(int count) {
    this.count = count;
  }

  /** Whether the threads must end soon, even in the middle of a part. */
  boolean isStopped() {
    return failure.get() != null;
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
    List<Thread> threads =
        IntStream.rangeClosed(1, count)
            .mapToObj(i -> new Thread(() -> process(next, work), "hourstone-tool-" + i))
            .toList();
    threads.forEach(this::start);
    threads.forEach(this::join);
    Throwable first = failure.get();
    if (first instanceof RuntimeException e) {
      throw e;
    }
    if (first != null) {
      throw new IllegalStateException(first);
    }
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
        failure.compareAndSet(null, new StoreException(Outcome.UNKNOWN, "interrupted"));
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
