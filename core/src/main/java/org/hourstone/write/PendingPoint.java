package org.hourstone.write;

/**
 * A valid point on its way to the store.
 *
 * @param timestamp seconds or milliseconds by its size
 */
record PendingPoint(Series series, long timestamp, int flags, long raw, Receipt receipt, long token)
    implements Work.Pending {
  /** Whether somebody waits for it; so it is if its receipt does not answer. */
  boolean isAwaited() {
    try {
      return receipt.isAwaited();
    } catch (RuntimeException | Error e) {
      RowWrite.report(e);
      return true;
    }
  }
}
