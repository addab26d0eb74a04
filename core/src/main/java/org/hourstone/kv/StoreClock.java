package org.hourstone.kv;

/**
 * Extension: the clock by which a store dates cells, if that is not the clock of its options but,
 * for example, that of its servers. Thread-safe.
 */
public interface StoreClock {
  /**
   * Whether every later write of a row is dated after this time.
   *
   * @param time milliseconds since the epoch
   * @throws StoreException NOT_APPLIED if that can't be determined
   */
  boolean isPast(Family family, byte[] row, long time);
}
