package org.hourstone.internal;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * How often a call of a store is repeated, after what outcomes and pauses. A call that is REJECTED
 * is never repeated, nor is any once the thread is interrupted.
 *
 * <p>If no attempt is left, the last failure is thrown; but UNKNOWN if any attempt ended so, since
 * that attempt may have been applied whatever the outcome of later ones.
 *
 * @param attempts at least 1
 * @param repeatsUnknown whether a call is repeated that may have been applied: reads, and writes
 *     that may be applied more than once
 * @param isLate whether nothing is to be repeated any more
 */
public record Retry(int attempts, Backoff backoff, boolean repeatsUnknown, BooleanSupplier isLate) {
  /** For calls that may be applied more than once, at any time. */
  public Retry(int attempts, Backoff backoff) {
    this(attempts, backoff, true, () -> false);
  }

  /** As this, but for calls that must not be applied more than once. */
  public Retry onlyUnapplied() {
    return new Retry(attempts, backoff, false, isLate);
  }

  /** As this, but nothing is repeated once it is too late. */
  public Retry unless(BooleanSupplier late) {
    return new Retry(attempts, backoff, repeatsUnknown, late);
  }

  /** Calls until it succeeds or no attempt is left. */
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

  /** A count of failures for a caller that has a loop of its own. */
  public Failures failures() {
    return new Failures();
  }

  /** The failures of one operation. For one thread. */
  public final class Failures {
    private int count;
    private @Nullable StoreException unknown;

    private Failures() {}

    /** Pauses before the next attempt; throws if there is to be none. */
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

    /** Forgets the failures so far: the operation has made progress. */
    public void reset() {
      count = 0;
    }
  }
}
