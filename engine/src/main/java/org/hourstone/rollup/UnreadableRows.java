package org.hourstone.rollup;

import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/** Rows that the store can't read, such as corrupt ones: others are rolled up nevertheless. */
final class UnreadableRows {
  private @Nullable StoreException reason;

  /**
   * Does something with a row.
   *
   * @return false if it can't be read: it must be marked, or stay so
   * @throws StoreException if the store fails otherwise
   */
  boolean pass(Runnable action) {
    try {
      action.run();
      return true;
    } catch (StoreException e) {
      if (e.outcome() != Outcome.REJECTED) {
        throw e;
      }
      reason = e;
      return false;
    }
  }

  /**
   * Fails if there was one.
   *
   * @throws StoreException the reason
   */
  void throwLast() {
    if (reason != null) {
      throw reason;
    }
  }
}
