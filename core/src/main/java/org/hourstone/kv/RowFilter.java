package org.hourstone.kv;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of a scan are kept, as data. {@link #matches} is the reference meaning: a store that
 * translates a filter into something of its own must deliver the same rows, and a store that knows
 * none of the forms simply calls it.
 */
public sealed interface RowFilter permits RowFilter.Any, FuzzyRow, RowPattern, RowFilter.AllOf {
  /** Whether the row with this key is kept. */
  boolean matches(byte[] row);

  /**
   * A key greater than {@code row} such that no row strictly between the two matches; null when
   * nothing is known and the store should just go on to the next row. Only asked of rows that do
   * not match.
   */
  default byte @Nullable [] seekHint(byte[] row) {
    return null;
  }

  /** Keeps every row. */
  static RowFilter any() {
    return Any.INSTANCE;
  }

  /** Keeps every row, see {@link RowFilter#any}. */
  enum Any implements RowFilter {
    INSTANCE;

    @Override
    public boolean matches(byte[] row) {
      return true;
    }
  }

  /**
   * Keeps the rows all of the parts keep.
   *
   * @param filters at least one
   */
  record AllOf(List<RowFilter> filters) implements RowFilter {
    public AllOf {
      if (filters.isEmpty()) {
        throw new IllegalArgumentException("no filter named");
      }
      filters = List.copyOf(filters);
    }

    @Override
    public boolean matches(byte[] row) {
      for (RowFilter filter : filters) {
        if (!filter.matches(row)) {
          return false;
        }
      }
      return true;
    }

    /** The farthest hint of the parts that don't match. */
    @Override
    public byte @Nullable [] seekHint(byte[] row) {
      byte[] farthest = null;
      for (RowFilter filter : filters) {
        byte[] hint = filter.matches(row) ? null : filter.seekHint(row);
        if (hint != null && (farthest == null || Arrays.compareUnsigned(hint, farthest) > 0)) {
          farthest = hint;
        }
      }
      return farthest;
    }
  }
}
