package org.hourstone.kv;

/**
 * Extension: how many rows scans have looked at where the data is, and how many of them were
 * wanted. What filters save is the difference. Thread-safe.
 */
public interface ScanCounts {
  /** Of all scans since the store was opened, as far as their cursors have been read. */
  Rows total();

  /**
   * @param scanned rows looked at where the data is, or a few more: stores may read ahead
   * @param shipped rows that came from there to this process
   * @param returned rows of those that the cursors returned: all of them, unless a filter can only
   *     in part be evaluated where the data is
   */
  record Rows(long scanned, long shipped, long returned) {
    /** What was counted since. */
    public Rows minus(Rows before) {
      return new Rows(
          scanned - before.scanned, shipped - before.shipped, returned - before.returned);
    }
  }
}
