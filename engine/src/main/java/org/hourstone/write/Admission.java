package org.hourstone.write;

import org.hourstone.kv.Family;
import org.jspecify.annotations.Nullable;

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

  /** Whether the number of series is limited. If not, the following methods need not be called. */
  default boolean limitsSeries() {
    return false;
  }

  /** The number of series that may be created now. */
  default long room() {
    return Long.MAX_VALUE;
  }

  /**
   * The number of series of a metric that may be created now.
   *
   * @param uid null if it has none
   */
  default long room(String metric, byte @Nullable [] uid) {
    return Long.MAX_VALUE;
  }

  /**
   * Called before names of a new series get UIDs, if there is no room for it.
   *
   * @param uid that of its metric; null if it has none
   * @throws RuntimeException if they get none
   */
  default void admitNames(String metric, byte @Nullable [] uid) {}

  /**
   * Called when a series is resolved.
   *
   * @throws RuntimeException if it is new, and may not be created
   */
  default void admitSeries(byte[] tsuid) {}
}
