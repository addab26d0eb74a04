package org.hourstone.query;

import java.util.Map;
import org.hourstone.kv.Bytes;
import org.hourstone.series.MemoryLease;

/**
 * A part of a query's rows: those of some hours and salt buckets.
 *
 * @param hours which hours
 * @param firstSalt the first bucket
 * @param stopSalt the bucket after the last
 */
record Slice(ScanRange hours, int firstSalt, int stopSalt) {

  /**
   * The data read from a slice.
   *
   * @param series by the key by which they are distinguished and sorted
   * @param stopSeconds the hour, exclusive, up to which the slice was read; the rest is still to be
   *     read
   * @param rows how many rows were read
   * @param millis how long that took
   * @param damage the rows and cells skipped
   * @param memory that of the series
   */
  record Content(
      Map<Bytes, SeriesChunk> series,
      long stopSeconds,
      long rows,
      long millis,
      Corruption damage,
      MemoryLease memory)
      implements AutoCloseable {
    @Override
    public void close() {
      memory.close();
    }
  }
}
