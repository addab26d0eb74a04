package org.hourstone.kv;

import java.util.List;

/** The reads of a {@link KeyValueStore}. Thread-safe. */
public interface KeyValueReader {
  /**
   * Reads one row. A reader never sees half of a {@link RowMutation}.
   *
   * @return the row, empty when absent or when it has no kept cell; never null
   * @throws StoreException NOT_APPLIED or REJECTED
   */
  Row get(Family family, byte[] row, Columns columns);

  /**
   * Reads rows.
   *
   * @return as many rows as were asked for, in the order they were asked for
   * @throws StoreException NOT_APPLIED or REJECTED
   */
  List<Row> get(Family family, List<byte[]> rows, Columns columns);

  /**
   * Reads a range of rows. Each row is seen whole, as of some moment between the start of the scan
   * and its delivery; different rows may be seen as of different moments. A row that exists
   * throughout the scan is delivered exactly once.
   *
   * @return a cursor the caller must close
   * @throws StoreException NOT_APPLIED or REJECTED; so may the cursor's methods
   */
  RowCursor scan(Family family, Scan scan);
}
