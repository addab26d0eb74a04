package org.hourstone.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Runs one task on several threads and waits until all have ended, even if one fails or the waiting
 * thread is interrupted: no thread uses the stores after they are closed.
 */
final class CopyThreads implements AutoCloseable {
  private final int count;
  private final Runnable stop;
  private final ExecutorService threads;

  /**
   * @param stop asks the running threads to end soon
   */
  CopyThreads(int count, Runnable stop) {
    this.count = count;
    this.stop = stop;
    this.threads = Executors.newFixedThreadPool(count);
  }

  /** Throws the failure of the first thread that has failed. */
  void run(Runnable action) {
    List<Future<?>> workers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      workers.add(threads.submit(action));
    }
    RuntimeException failure = null;
    for (Future<?> worker : workers) {
      RuntimeException end = end(worker);
      failure = failure == null ? end : failure;
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Waits until a worker has ended; returns its failure, or null. */
  private @Nullable RuntimeException end(Future<?> worker) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          worker.get();
          return interrupted ? new StoreException(Outcome.UNKNOWN, "interrupted") : null;
        } catch (InterruptedException e) {
          interrupted = true;
          stop.run();
        } catch (ExecutionException e) {
          return e.getCause() instanceof RuntimeException cause
              ? cause
              : new IllegalStateException(e.getCause());
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
    threads.shutdown();
  }
}
