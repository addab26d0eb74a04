package org.hourstone.internal;

import java.util.function.Supplier;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Which calls of a store are repeated, how often, and after what pauses. A call that is REJECTED is
 * never repeated, nor is any once the thread is interrupted. Immutable.
 *
 * <p>If no attempt is left, the last failure is thrown; but UNKNOWN if any attempt ended so, since
 * that attempt may have been applied whatever the outcome of later ones.
 */
public final class Retry {
  private final int attempts;
  private final Backoff backoff;
  private final boolean repeatsUnknown;

  private Retry(int attempts, Backoff backoff, boolean repeatsUnknown) {
    this.attempts = attempts;
    this.backoff = backoff;
    this.repeatsUnknown = repeatsUnknown;
  }

  /**
   * For reads, and for writes that may be applied more than once: repeated also after UNKNOWN.
   *
   * @param attempts at least 1
   */
  public static Retry ofRepeatable(int attempts, Backoff backoff) {
    return new Retry(attempts, backoff, true);
  }

  /**
   * For writes that must not be applied twice: repeated only after NOT_APPLIED.
   *
   * @param attempts at least 1
   */
  public static Retry ofUnapplied(int attempts, Backoff backoff) {
    return new Retry(attempts, backoff, false);
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
      if (isFinal(failure)) {
        throw worst(failure);
      }
      backoff.pause(count);
    }

    private boolean isFinal(StoreException failure) {
      return failure.outcome() == Outcome.REJECTED
          || (failure.outcome() == Outcome.UNKNOWN && !repeatsUnknown)
          || count >= attempts
          || Thread.currentThread().isInterrupted();
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
