package org.hourstone.kv;

import java.util.List;

/** The reads of a {@link KeyValueStore}. Thread-safe. */
public interface KeyValueReader {
  /**
   * Reads one row. A reader never sees half of a {@link RowMutation}.
   *
   * @return the row, empty if it is absent or none of its cells is selected; never null
   * @throws StoreException NOT_APPLIED or REJECTED
   */
  Row get(Family family, byte[] row, Columns columns);

  /**
   * Reads rows.
   *
   * @return one row per requested key, in the order requested
   * @throws StoreException NOT_APPLIED or REJECTED
   */
  List<Row> get(Family family, List<byte[]> rows, Columns columns);

  /**
   * Reads a range of rows. Each row is a consistent snapshot, taken between the start of the scan
   * and the row's delivery; snapshots of different rows may differ in time. A row that exists
   * throughout the scan is delivered exactly once.
   *
   * @return a cursor the caller must close
   * @throws StoreException NOT_APPLIED or REJECTED; the cursor's methods throw the same
   */
  RowCursor scan(Family family, Scan scan);
}
