package org.hourstone.write;

import java.util.concurrent.CompletableFuture;
import org.hourstone.kv.Family;
import org.hourstone.kv.RowMutation;
import org.jspecify.annotations.Nullable;

/**
 * What waits in a flusher's queue. Until a {@link RowWrite} has taken it in it is failed by {@link
 * #fail}, and afterwards by that.
 */
sealed interface Work {
  /** It will not be written. Never throws. */
  void fail(RuntimeException reason);

  /** Is completed when everything queued before it has been written or has failed. */
  record Barrier(CompletableFuture<@Nullable Void> reached) implements Work {
    @Override
    public void fail(RuntimeException reason) {
      reached.completeExceptionally(reason);
    }
  }

  /** A caller waits for the points of this hour, queued before it. */
  record Hurry(Series series, long baseTime) implements Work {
    @Override
    public void fail(RuntimeException reason) {}
  }

  /**
   * A valid point.
   *
   * @param timestamp seconds or milliseconds by its size
   */
  record Point(Series series, long timestamp, int flags, long raw, Receipt receipt, long token)
      implements Work {
    @Override
    public void fail(RuntimeException reason) {
      Receipts.tell(receipt, token, reason);
    }
  }

  /**
   * Ready-made cells of one row.
   *
   * @param points how many of the data table's points they are: these are written after all points
   *     of the row that were queued before. 0 for other cells, of which the last one with its
   *     qualifier is kept
   */
  record Cells(Family family, RowMutation mutation, int points, Receipt receipt, long token)
      implements Work {
    @Override
    public void fail(RuntimeException reason) {
      Receipts.tell(receipt, token, reason);
    }
  }
}
