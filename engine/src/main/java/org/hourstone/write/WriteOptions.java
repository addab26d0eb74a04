package org.hourstone.write;

import java.time.Duration;
import org.hourstone.codec.DuplicatePolicy;

/**
 * How points are written.
 *
 * @param batching how they are passed to the store
 * @param buffering how long they wait for other points of their row. No effect if each point is a
 *     cell
 * @param cells how they are stored
 * @param seriesCacheSize the number of series that are kept resolved in memory
 * @param closing how long closing waits for queued points to be written, more than zero
 */
public record WriteOptions(
    Batching batching, Buffering buffering, Cells cells, int seriesCacheSize, Duration closing) {
  public WriteOptions {
    if (closing.isZero() || closing.isNegative()) {
      throw new IllegalArgumentException("the time for closing must be more than " + closing);
    }
  }

  /**
   * How points are passed to the store.
   *
   * @param threads the number of threads that write batches, at least 1; all points of a series are
   *     written by the same one
   * @param queuePoints the maximum number of points that wait for each thread, at least 1; a writer
   *     waits if its queue is full
   * @param batchPoints the maximum number of points written in one call of the store, at least 1
   * @param attempts the number of times a batch is written if the store keeps failing to apply it,
   *     at least 1
   */
  public record Batching(int threads, int queuePoints, int batchPoints, int attempts) {
    public Batching {
      if (threads < 1 || queuePoints < 1 || batchPoints < 1 || attempts < 1) {
        throw new IllegalArgumentException("threads, queue, batch and attempts must be at least 1");
      }
    }
  }

  /**
   * How points are buffered, so that more of their row are written together. If there are too many,
   * the oldest rows are written early.
   *
   * @param interval how long points are buffered; zero writes them immediately
   * @param points the maximum number of points each thread buffers, at least 1
   * @param bytes the maximum memory of buffered points of each thread, in bytes, at least 1
   */
  public record Buffering(Duration interval, int points, long bytes) {
    public Buffering {
      if (points < 1 || bytes < 1) {
        throw new IllegalArgumentException("buffered points and their memory must be at least 1");
      }
      if (interval.isNegative()) {
        throw new IllegalArgumentException("a flush interval of " + interval);
      }
    }
  }

  /**
   * How points are stored.
   *
   * @param form how points of one row that are written together are stored
   * @param duplicates the point that is read if two points of one series share a timestamp. If the
   *     newest wins, only the newer of two that are written together is stored; else both, as in
   *     OpenTSDB
   * @param maxBytes the maximum size of a multi-point cell, its qualifier and value together
   * @param ordersAppends whether an append never follows a newer cell of its row, so that the
   *     newest of repeated points is read ({@link AppendOrder})
   */
  public record Cells(
      CellForm form, DuplicatePolicy duplicates, int maxBytes, boolean ordersAppends) {
    /** Whether each point is a cell dated by the point, which a store may be unable to show. */
    boolean dated() {
      return form == CellForm.SINGLE && duplicates.pointTimeAsWriteTime();
    }

    boolean newestWins() {
      return duplicates == DuplicatePolicy.NEWEST_WINS;
    }
  }

  /** Whether points are buffered. */
  boolean buffers() {
    return !buffering.interval.isZero() && cells.form != CellForm.SINGLE;
  }

  /** To how many points the buffered ones are reduced if there are too many. */
  int roomyPoints() {
    return buffering.points - Math.min(batching.batchPoints, buffering.points / 2);
  }

  /** To how much memory they are reduced then. */
  long roomyBytes() {
    return buffering.bytes
        - Math.min((long) batching.batchPoints * RowBatch.BYTES, buffering.bytes / 2);
  }

  boolean appends() {
    return cells.form == CellForm.APPENDED;
  }

  boolean ordersAppends() {
    return appends() && cells.ordersAppends;
  }
}
