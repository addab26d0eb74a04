package org.hourstone.head;

import java.util.List;

/** Is notified of points that were stored, before their receipts are. */
public interface WrittenRows {
  /** Is not notified of anything. */
  WrittenRows NONE = (rows, points) -> {};

  /**
   * Points were stored. Called by flushers, several at a time; must not throw, and while it lasts
   * no further points of these series are stored.
   *
   * @param rows keys of the data table, all different
   * @param points the number of points written to each, at least 1
   */
  void written(List<byte[]> rows, List<Integer> points);

  /**
   * As {@link #written}, but the points are in the journal. Called only if {@link #countsPoints}.
   */
  default void journaled(List<byte[]> rows, List<Integer> points) {}

  /** Whether it counts points, and so has to be notified when they are journaled. */
  default boolean countsPoints() {
    return false;
  }

  /**
   * Rows of the head were written to the data table that have several cells there, or will have.
   * Called as {@link #written}.
   */
  default void sealed(List<byte[]> rows) {}

  /** Waits until all work that depends on the points notified so far is done. */
  default void await() {}
}
