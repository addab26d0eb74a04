package org.hourstone.write;

import java.util.concurrent.CompletableFuture;
import org.hourstone.kv.RowMutation;
import org.jspecify.annotations.Nullable;

/** What waits in a flusher's queue. */
sealed interface Work permits Work.Pending, Work.Barrier, Work.Look {
  /** It will not be written. Does not throw but what a receipt throws. */
  void fail(RuntimeException reason);

  /** Is completed when everything queued before it has been written or has failed. */
  record Barrier(CompletableFuture<@Nullable Void> reached) implements Work {
    @Override
    public void fail(RuntimeException reason) {
      reached.complete(null);
    }
  }

  /** Says that somebody waits for a point that may be held back. */
  record Look() implements Work {
    @Override
    public void fail(RuntimeException reason) {}
  }

  /** Is told of through its receipt once it is written or has failed. */
  sealed interface Pending extends Work permits PendingPoint, PendingCell, Cells {
    Receipt receipt();

    long token();

    @Override
    default void fail(RuntimeException reason) {
      receipt().failed(token(), reason);
    }
  }

  /**
   * Cells of one row that were put together already, written after all points of the row that were
   * queued before.
   *
   * @param points how many they hold
   */
  record Cells(RowMutation mutation, int points, Receipt receipt, long token) implements Pending {}
}
