package org.hourstone.head;

import java.time.Duration;

/**
 * Bounds of open rows, and how they are written.
 *
 * @param bytes of memory for the open rows of a journal, approximately, at least 1; beyond it rows
 *     are sealed early
 * @param journalBytes of the records that open rows still need, at least 1; beyond it the oldest
 *     rows are sealed early
 * @param buffering how long points wait for others of their row where there is no journal
 * @param sealing how rows are passed to the store
 * @param cells how points are stored
 */
public record HeadOptions(
    long bytes, long journalBytes, Buffering buffering, Sealing sealing, CellOptions cells) {
  /**
   * How points without a journal are buffered, so that more of their row are written together. If
   * there are too many, the oldest rows are written early.
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
   * How rows are passed to the store.
   *
   * @param batchPoints the maximum number of points written in one call of the store, at least 1; a
   *     row with more is written by itself
   * @param attempts the number of times a batch is written if the store keeps failing to apply it,
   *     at least 1
   * @param rememberedRows of how many rows it is known that they may be appended to, in all
   */
  public record Sealing(int batchPoints, int attempts, int rememberedRows) {
    public Sealing {
      if (batchPoints < 1 || attempts < 1) {
        throw new IllegalArgumentException("batch and attempts must be at least 1");
      }
    }
  }

  /** What happens to points where there is no journal. */
  public Acknowledgement withoutJournal() {
    return buffering.interval.isZero() || cells.form() == CellForm.SINGLE
        ? Acknowledgement.NONE
        : Acknowledgement.INTERVAL;
  }

  /** To how many points the buffered ones are reduced if there are too many. */
  int roomyPoints() {
    return buffering.points - Math.min(sealing.batchPoints, buffering.points / 2);
  }

  /** To how much memory they are reduced then. */
  long roomyBytes() {
    return buffering.bytes - Math.min(sealing.batchPoints * OpenRow.OVERHEAD, buffering.bytes / 2);
  }
}
