package org.hourstone.write;

/**
 * How points are written.
 *
 * @param threads how many threads write batches, at least 1; all points of a series go through the
 *     same one
 * @param queuePoints how many points wait for each thread at most, at least 1; a writer that finds
 *     its queue full waits
 * @param batchPoints how many points are written in one call of the store at most, at least 1
 * @param attempts how often a batch is offered to a store that keeps failing to apply it, at least
 *     1
 * @param form how the points of a row that are written together are written
 * @param flushMillis for how long points are held back, so that more of their row are written with
 *     them; 0 writes what has come. Of no effect where each point is a cell
 * @param heldPoints how many points each thread holds back at most, at least 1; beyond it the
 *     oldest rows are written early
 * @param heldBytes how much memory they may take, in bytes, at least 1; as above
 * @param maxCellBytes how large a cell of several points may get, its qualifier and value together
 * @param newestWins whether of two points of one series and instant only the newer is kept when
 *     they are written together; else both are written, as OpenTSDB does
 * @param pointTimeAsWriteTime whether a cell's write time is the point's own time ({@code
 *     tsd.storage.use_otsdb_timestamp}) rather than the store's
 * @param batchMetadataByte whether cells of a {@link PointBatch} end with the metadata byte that
 *     all cells of several points have; OpenTSDB leaves it out
 * @param seriesCacheSize how many series are kept resolved in memory
 * @param closeMillis how long closing waits for what is queued to be written, at least 1
 */
public record WriteOptions(
    int threads,
    int queuePoints,
    int batchPoints,
    int attempts,
    CellForm form,
    long flushMillis,
    int heldPoints,
    long heldBytes,
    int maxCellBytes,
    boolean newestWins,
    boolean pointTimeAsWriteTime,
    boolean batchMetadataByte,
    int seriesCacheSize,
    long closeMillis) {
  public WriteOptions {
    if (threads < 1 || queuePoints < 1 || batchPoints < 1 || attempts < 1) {
      throw new IllegalArgumentException("threads, queue, batch and attempts must be at least 1");
    }
    if (heldPoints < 1 || heldBytes < 1 || closeMillis < 1) {
      throw new IllegalArgumentException(
          "held points, their memory and the time for closing must be at least 1");
    }
    if (flushMillis < 0) {
      throw new IllegalArgumentException("a flush interval of " + flushMillis + " ms");
    }
  }

  /** Whether points are held back. */
  boolean holds() {
    return flushMillis > 0 && form != CellForm.SINGLE;
  }

  /** To how many points the held ones are brought down when they are too many. */
  int roomyHeldPoints() {
    return heldPoints - Math.min(batchPoints, heldPoints / 2);
  }

  /** To how much memory they are brought down then. */
  long roomyHeldBytes() {
    return heldBytes - Math.min((long) batchPoints * RowBatch.BYTES, heldBytes / 2);
  }

  boolean appends() {
    return form == CellForm.APPENDED;
  }
}
