package org.hourstone.kv;

import org.jspecify.annotations.Nullable;

/** Extension: dropping a range of rows at a cost that does not depend on their number. */
public interface RangeDeletes {
  /**
   * Removes the rows of a half-open range.
   *
   * @param startRow inclusive; empty means from the first
   * @param stopRow exclusive; null means to the last
   */
  void delete(Family family, byte[] startRow, byte @Nullable [] stopRow);
}
