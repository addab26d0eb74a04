package org.hourstone.write;

import java.util.concurrent.CompletableFuture;
import org.hourstone.kv.Family;
import org.hourstone.kv.RowMutation;
import org.jspecify.annotations.Nullable;

/**
 * An element of a flusher's queue. It is failed by {@link #fail} until a row or a batch of cells
 * has accepted it, and by that afterwards.
 */
sealed interface Work {
  /** It will not be written. Never throws. */
  void fail(RuntimeException reason);

  /** Passes its points on that are neither written nor in a row. */
  default void mirror(PointMirror.Sink to) {}

  /** How many points or cells it has that are neither written nor in a row. */
  default int elements() {
    return 1;
  }

  /** Is completed when everything queued before it has been written or has failed. */
  record Barrier(CompletableFuture<@Nullable Void> reached) implements Work {
    @Override
    public int elements() {
      return 0;
    }

    @Override
    public void fail(RuntimeException reason) {
      reached.completeExceptionally(reason);
    }
  }

  /** Is completed when everything queued before it was handled, and the rows due by then were. */
  record Look(CompletableFuture<@Nullable Void> done) implements Work {
    @Override
    public int elements() {
      return 0;
    }

    @Override
    public void fail(RuntimeException reason) {
      done.completeExceptionally(reason);
    }
  }

  /** A caller waits for the points of this hour, queued before it. */
  record Hurry(Series series, long baseTime) implements Work {
    @Override
    public int elements() {
      return 0;
    }

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
    public void mirror(PointMirror.Sink to) {
      if (!receipt.isMirrored()) {
        to.add(series.tsuid(), timestamp, flags, raw);
      }
    }

    @Override
    public void fail(RuntimeException reason) {
      Receipts.tell(receipt, token, reason);
    }
  }

  /** Valid points with one receipt. */
  final class Points implements Work {
    /** Not used once all points are in rows: then others may have them. */
    final PointColumns columns;

    final Receipt receipt;
    final int size;

    /** The first that is not in a row yet. Its owner's thread only. */
    int next;

    Points(PointColumns columns, Receipt receipt) {
      this.columns = columns;
      this.receipt = receipt;
      this.size = columns.size;
    }

    @Override
    public void mirror(PointMirror.Sink to) {
      if (!receipt.isMirrored()) {
        for (int i = next; i < size; i++) {
          to.add(
              columns.series[i].tsuid(), columns.timestamps[i], columns.flags[i], columns.raws[i]);
        }
      }
    }

    @Override
    public int elements() {
      return size - next;
    }

    @Override
    public void fail(RuntimeException reason) {
      while (next < size) {
        failNext(reason);
      }
    }

    /** The next point will not be written. */
    void failNext(RuntimeException reason) {
      Receipts.tell(receipt, columns.tokens[next++], reason);
    }
  }

  /**
   * Ready-made cells of one row, which are no plain points: of several with a qualifier the last
   * one is kept.
   */
  record Cells(Family family, RowMutation mutation, Receipt receipt, long token) implements Work {
    @Override
    public void mirror(PointMirror.Sink to) {
      if (!receipt.isMirrored()) {
        to.addOtherCell();
      }
    }

    @Override
    public void fail(RuntimeException reason) {
      Receipts.tell(receipt, token, reason);
    }
  }
}
