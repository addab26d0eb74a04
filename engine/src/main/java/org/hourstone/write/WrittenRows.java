package org.hourstone.write;

import java.util.List;

/** Is notified of points that were stored, before their receipts are. */
@FunctionalInterface
public interface WrittenRows {
  /**
   * Points were stored. Called by flushers, several at a time; must not throw, and while it lasts
   * no further points of these series are stored.
   *
   * @param rows keys of the data table, all different
   * @param points how many were written to each, at least 1
   */
  void written(List<byte[]> rows, List<Integer> points);

  /** Waits until all work that depends on the points notified so far is done. */
  default void await() {}
}
