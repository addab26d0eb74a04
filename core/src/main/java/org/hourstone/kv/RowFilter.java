package org.hourstone.kv;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a scan returns, as data. {@link #matches} defines each form: a store that
 * translates a filter into its own form must return the same rows, and a store that can't translate
 * it calls this method.
 */
public sealed interface RowFilter permits RowFilter.Any, FuzzyRow, RowPattern, RowFilter.AllOf {
  /** Whether the row with this key is delivered. */
  boolean matches(byte[] row);

  /**
   * A key greater than {@code row} such that no row strictly between the two matches; null if none
   * is known, so that the store continues with the next row. Called only for rows that do not
   * match.
   */
  default byte @Nullable [] seekHint(byte[] row) {
    return null;
  }

  /** Accepts every row. */
  static RowFilter any() {
    return Any.INSTANCE;
  }

  /** Accepts every row, see {@link RowFilter#any}. */
  enum Any implements RowFilter {
    INSTANCE;

    @Override
    public boolean matches(byte[] row) {
      return true;
    }
  }

  /**
   * Accepts the rows that all of the parts accept.
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

    /** The greatest hint of the parts that don't match. */
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
