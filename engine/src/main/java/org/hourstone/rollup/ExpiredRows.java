package org.hourstone.rollup;

/** The rows of points that have expired: they are not returned, and may be deleted. */
@FunctionalInterface
public interface ExpiredRows {
  /** Whether a row has expired, by its key. */
  boolean contain(byte[] row);

  /**
   * The base time before which rows of a metric may have expired; 0 if none can have.
   *
   * @param metric its UID
   */
  default long mayContainBefore(byte[] metric) {
    return 0;
  }

  /** As {@link #mayContainBefore(byte[])}, of any metric. */
  default long mayContainBefore() {
    return 0;
  }
}
