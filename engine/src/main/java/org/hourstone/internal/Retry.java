package org.hourstone.internal;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Repeats calls of a store: defines the number of attempts, the outcomes after which a call is
 * repeated, and the pauses. A call that is REJECTED is never repeated. No call is repeated once the
 * thread is interrupted.
 *
 * <p>If no attempt is left, the last failure is thrown. If the outcome of any attempt was UNKNOWN,
 * the failure thrown is UNKNOWN, since that attempt may have been applied regardless of later
 * outcomes.
 *
 * @param attempts at least 1
 * @param repeatsUnknown whether a call that may have been applied is repeated: true for reads, and
 *     for writes that may be applied more than once
 * @param isLate returns whether it is too late to repeat a call
 */
public record Retry(int attempts, Backoff backoff, boolean repeatsUnknown, BooleanSupplier isLate) {
  /** A policy for calls that may be applied more than once and repeated at any time. */
  public Retry(int attempts, Backoff backoff) {
    this(attempts, backoff, true, () -> false);
  }

  /** This policy, for calls that must not be applied more than once. */
  public Retry onlyUnapplied() {
    return new Retry(attempts, backoff, false, isLate);
  }

  /** This policy, but nothing is repeated once it is too late. */
  public Retry unless(BooleanSupplier late) {
    return new Retry(attempts, backoff, repeatsUnknown, late);
  }

  /** Repeats a call until it succeeds or no attempt is left. */
  public <T extends @Nullable Object> T call(Supplier<T> call) {
    Failures failures = new Failures();
    while (true) {
      try {
        return call.get();
      } catch (StoreException e) {
        failures.add(e);
      }
    }
  }

  /** As {@link #call}, for calls without a result. */
  public void run(Runnable call) {
    call(
        () -> {
          call.run();
          return true;
        });
  }

  /** A failure counter for a caller with its own loop. */
  public Failures failures() {
    return new Failures();
  }

  /** The failures of one operation. For one thread. */
  public final class Failures {
    private int count;
    private @Nullable StoreException unknown;

    private Failures() {}

    /** Pauses before the next attempt; throws if there must be no further attempt. */
    public void add(StoreException failure) {
      count++;
      if (failure.outcome() == Outcome.UNKNOWN) {
        unknown = failure;
      }
      if (failure.outcome() == Outcome.REJECTED
          || (failure.outcome() == Outcome.UNKNOWN && !repeatsUnknown)
          || count >= attempts
          || isLate.getAsBoolean()
          || Thread.currentThread().isInterrupted()) {
        throw worst(failure);
      }
      backoff.pause(count);
    }

    private StoreException worst(StoreException failure) {
      if (unknown == null || unknown == failure) {
        return failure;
      }
      unknown.addSuppressed(failure);
      return unknown;
    }

    /** Whether an attempt may have been applied. */
    public boolean includeUnknown() {
      return unknown != null;
    }

    /** Resets the count of failures, because the operation has made progress. */
    public void reset() {
      count = 0;
    }
  }
}
