package org.hourstone.kv;

/**
 * Extension: how many rows scans have read where the data is, and how many of them were delivered.
 * The difference is the saving by filters. Thread-safe.
 */
public interface ScanCounts {
  /** Of all scans since the store was opened, as far as their cursors have been read. */
  Rows total();

  /**
   * @param scanned rows read where the data is, or a few more: stores may read ahead
   * @param shipped rows that were sent to this process
   * @param returned rows that the cursors returned: all shipped ones, unless a filter can be
   *     evaluated only partly where the data is
   */
  record Rows(long scanned, long shipped, long returned) {
    /** The counts since. */
    public Rows minus(Rows before) {
      return new Rows(
          scanned - before.scanned, shipped - before.shipped, returned - before.returned);
    }
  }
}
