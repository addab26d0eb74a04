package org.hourstone.write;

import org.hourstone.kv.Family;

/** Decides whether values are accepted. Thread-safe. */
public interface Admission {
  /**
   * Called before values are taken, once for those that are taken together.
   *
   * @throws RuntimeException if none is accepted now
   */
  void admit();

  /**
   * Called before a row gets its first value after another row of the series.
   *
   * @throws RuntimeException if it may not have any; only the values of this row are refused
   */
  default void admitRow(Family family, byte[] row) {}
}
