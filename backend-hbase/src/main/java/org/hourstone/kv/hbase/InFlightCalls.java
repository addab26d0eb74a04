package org.hourstone.kv.hbase;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hourstone.kv.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * The running calls of a store. New calls are refused once the store is closed; closing waits for
 * running calls, but no longer than the longest timeout of a call.
 */
final class InFlightCalls {
  /** The additional time to wait for a response after the client's own timeout. */
  static final Duration GRACE = Duration.ofSeconds(10);

  private final String store;
  private final long patienceNanos;

  /** The start time of each running call, by its ticket. */
  private final Map<Long, Long> running = new HashMap<>();

  private final LongAdder timeouts = new LongAdder();
  private long tickets;
  private boolean closed;

  /**
   * @param store for the message "{@code store} is closed"
   * @param patience the longest wait for a response: the client's timeout plus {@link #GRACE}
   */
  InFlightCalls(String store, Duration patience) {
    this.store = store;
    this.patienceNanos = patience.toNanos();
  }

  /**
   * Makes a call.
   *
   * @throws IllegalStateException if the store is closed
   */
  <T extends @Nullable Object> T call(Supplier<T> call) {
    long ticket = enter();
    try {
      return call.get();
    } finally {
      leave(ticket);
    }
  }

  /** As {@link #call}, without a result. */
  void run(Runnable call) {
    this.<@Nullable Object>call(
        () -> {
          call.run();
          return null;
        });
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

  /** Whether a call has been running for at least this time. */
  synchronized boolean anyFor(Duration time) {
    long latest = System.nanoTime() - time.toNanos();
    return running.values().stream().anyMatch(begun -> begun - latest < 0);
  }

  /**
   * Refuses further calls and waits for running ones. A call that is still running after this will
   * fail, since its connection is then closed.
   */
  synchronized void close() {
    closed = true;
    long deadline = System.nanoTime() + patienceNanos;
    boolean interrupted = false;
    long left = patienceNanos;
    while (!running.isEmpty() && left > 0) {
      try {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException e) {
        interrupted = true;
      }
      left = deadline - System.nanoTime();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits for a response.
   *
   * @throws CallFailedException if the response is a failure, no response arrives, or the thread is
   *     interrupted; the thread's interrupt flag is then set again
   */
  <T> T await(CompletableFuture<T> answer) throws CallFailedException {
    try {
      return await(answer, patienceNanos);
    } catch (CallFailedException e) {
      if (HBaseErrors.isTimeout(e.failure())) {
        timeouts.increment();
      }
      throw e;
    }
  }

  /**
   * Waits for a response.
   *
   * @param error converts a failure to the exception to throw
   */
  <T> T await(CompletableFuture<T> response, Function<Throwable, StoreException> error) {
    try {
      return await(response);
    } catch (CallFailedException e) {
      throw error.apply(e.failure());
    }
  }

  /** How many calls have ended without a response in time. */
  long timeouts() {
    return timeouts.sum();
  }

  /** As {@link #await(CompletableFuture)}, for a call with a shorter timeout. */
  static <T> T await(CompletableFuture<T> answer, long nanos) throws CallFailedException {
    try {
      return answer.get(nanos, TimeUnit.NANOSECONDS);
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
