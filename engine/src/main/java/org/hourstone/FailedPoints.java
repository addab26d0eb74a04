package org.hourstone;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;

/**
 * Accepted points that were not stored, kept until the failure is reported. Callers may drop the
 * futures of their writes: a failure must not be silent because of that. Thread-safe.
 */
final class FailedPoints {
  private static final int REASONS_KEPT = 10;

  private long count;
  private final List<RuntimeException> reasons = new ArrayList<>();

  synchronized void add(RuntimeException reason) {
    count++;
    if (reasons.size() < REASONS_KEPT) {
      reasons.add(reason);
    }
  }

  /**
   * Reports the failures since the last call.
   *
   * @throws StoreException if there were any
   */
  synchronized void throwIfAny() {
    if (count == 0) {
      return;
    }
    RuntimeException first = reasons.get(0);
    Outcome outcome = first instanceof StoreException e ? e.outcome() : Outcome.UNKNOWN;
    StoreException failure =
        new StoreException(
            outcome, count + " points were not stored; the first: " + first.getMessage(), first);
    reasons.stream().skip(1).forEach(failure::addSuppressed);
    count = 0;
    reasons.clear();
    throw failure;
  }
}
