package org.hourstone.write;

/**
 * How points are written.
 *
 * @param threads how many threads write batches, at least 1; all points of a series go through the
 *     same one
 * @param queuePoints the maximum number of points that wait for each thread, at least 1; a writer
 *     waits if its queue is full
 * @param batchPoints the maximum number of points written in one call of the store, at least 1
 * @param attempts how often a batch is written if the store keeps failing to apply it, at least 1
 * @param form how points of one row that are written together are stored
 * @param flushMillis how long points are buffered, so that more of their row are written together;
 *     0 writes them immediately. No effect if each point is a cell
 * @param heldPoints the maximum number of points each thread buffers, at least 1; beyond it the
 *     oldest rows are written early
 * @param heldBytes the maximum memory of buffered points, in bytes, at least 1; as above
 * @param maxCellBytes the maximum size of a multi-point cell, its qualifier and value together
 * @param newestWins whether, if two points of one series share a timestamp and are written
 *     together, only the newer is kept; else both are written, as in OpenTSDB they are written
 *     together; else both are written, as OpenTSDB does
 * @param pointTimeAsWriteTime whether a cell's write time is the point's own time ({@code
 *     tsd.storage.use_otsdb_timestamp}) rather than the store's
 * @param batchMetadataByte whether cells of a {@link PointBatch} end with the metadata byte of
 *     other multi-point cells; OpenTSDB omits it
 * @param seriesCacheSize how many series are kept resolved in memory
 * @param closeMillis how long closing waits for queued points to be written, at least 1
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

  /** Whether points are buffered. */
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
