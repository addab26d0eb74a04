package org.hourstone.kv;

/**
 * Extension: the number of rows that scans have read on the servers of the data, and of those that
 * were returned. Filters have skipped the difference. Thread-safe.
 */
public interface ScanCounts {
  /** The counts of all scans since the store was opened, as far as their cursors have been read. */
  Rows total();

  /**
   * @param scanned rows read on the servers, or a few more: stores may read ahead
   * @param shipped rows that were sent to this process
   * @param returned rows that the cursors returned: all shipped ones, unless the servers can
   *     evaluate a filter only in part
   */
  record Rows(long scanned, long shipped, long returned) {
    /** The difference from earlier counts. */
    public Rows minus(Rows before) {
      return new Rows(
          scanned - before.scanned, shipped - before.shipped, returned - before.returned);
    }
  }
}
