package org.hourstone.head;

/** When a point is acknowledged. Until its row is sealed, the point is in an {@link OpenRow}. */
public enum Acknowledgement {
  /**
   * When a record of the journal has it; its row is sealed when its hour is over, or on a shared
   * store after the flush interval.
   */
  JOURNAL,
  /** When its row is sealed: after the flush interval at most, or at once if a caller waits. */
  INTERVAL,
  /** When its row is sealed, which is at once. */
  NONE
}
