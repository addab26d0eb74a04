package org.hourstone.query.rows;

import java.util.List;
import org.hourstone.kv.Row;

/** Decodes cells into points. For one thread: reuses its buffers for further rows. */
public interface RowValues extends AutoCloseable {
  /**
   * Decodes rows of one series and base time.
   *
   * @param rows one, or one of each of some salt buckets
   * @param into receive their values: one for each query that reads the rows
   * @return the number of points
   */
  int decode(List<Row> rows, long baseMillis, List<SeriesChunk> into);

  /** No more rows are decoded. */
  @Override
  default void close() {}
}
