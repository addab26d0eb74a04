package org.hourstone.kv.hbase;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The calls that run in a store: refuses them once the store is closed, and lets its closing wait
 * for those that run.
 */
final class Calls {
  /** How much longer than the client's own time-out an answer is waited for. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  private final String store;
  private final long patienceNanos;

  /** When each call that runs has begun, by its ticket. */
  private final Map<Long, Long> running = new HashMap<>();

  private long tickets;
  private boolean closed;

  /**
   * @param store for the message "{@code store} is closed"
   * @param timeout after which the client gives up an operation
   */
  Calls(String store, Duration timeout) {
    this.store = store;
    this.patienceNanos = timeout.plus(GRACE).toNanos();
  }

  /**
   * Begins a call.
   *
   * @return a ticket for {@link #leave}
   * @throws IllegalStateException if the store is closed
   */
  synchronized long enter() {
    if (closed) {
      throw new IllegalStateException(store + " is closed");
    }
    running.put(++tickets, System.nanoTime());
    return tickets;
  }

  /** Ends a call that was begun. */
  synchronized void leave(long ticket) {
    running.remove(ticket);
    if (running.isEmpty()) {
      notifyAll();
    }
  }

  /** Whether a call runs that has begun so long ago. */
  synchronized boolean anyFor(Duration time) {
    long latest = System.nanoTime() - time.toNanos();
    return running.values().stream().anyMatch(begun -> begun - latest < 0);
  }

  /** Refuses calls from now on and waits for those that run. */
  synchronized void close() {
    closed = true;
    boolean interrupted = false;
    while (!running.isEmpty()) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits for an answer.
   *
   * @throws CallFailedException if it is a failure, or there is none, or the thread is interrupted,
   *     whose flag is then set again
   */
  <T> T await(CompletableFuture<T> answer) throws CallFailedException {
    try {
      return answer.get(patienceNanos, TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new CallFailedException(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      throw new CallFailedException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallFailedException(e);
    }
  }
}
