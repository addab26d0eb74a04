package org.hourstone.rollup;

/** The rows of points that have expired: they are not returned, and may be deleted. */
@FunctionalInterface
public interface ExpiredRows {
  /** Whether a row has expired, by its key. */
  boolean contain(byte[] row);

  /**
   * Whether any row of a metric may have expired that is as old as this.
   *
   * @param metric its UID
   * @param hour a base time
   */
  default boolean mayContain(byte[] metric, long hour) {
    return false;
  }
}
