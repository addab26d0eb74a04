package org.hourstone.rollup;

import com.google.common.primitives.Longs;
import java.util.Arrays;
import java.util.List;
import org.hourstone.kv.Row;

/**
 * A row of points whose rolled-up values may not be used, or not for everything. See {@code
 * docs/format/rollup.md#marks}.
 *
 * @param row its key without the salt
 * @param mark what was stored for it
 */
record MarkedHour(byte[] row, byte[] mark) {
  /** Why a row is marked; the strictest first. */
  enum Reason {
    /**
     * Something in it was deleted, or is about to be, before all of it was as expired: values of it
     * don't stay.
     */
    DELETED(3),

    /** It has changed, or is about to. */
    CHANGED(0),

    /** Its points can't be rolled up. */
    POINTS(1),

    /** It has annotations, which rolled-up values don't have. */
    ANNOTATIONS(2);

    private final int code;

    Reason(int code) {
      this.code = code;
    }

    /** Whether the row is to be rolled up again. */
    boolean isChange() {
      return compareTo(CHANGED) <= 0;
    }

    boolean isStricterThan(Reason other) {
      return compareTo(other) < 0;
    }
  }

  private static final int BYTES = 1 + Long.BYTES;

  /**
   * The mark of a reason.
   *
   * @param number differs from those of all other marks of the row
   */
  static byte[] mark(Reason reason, long number) {
    byte[] mark = new byte[BYTES];
    mark[0] = (byte) reason.code;
    System.arraycopy(Longs.toByteArray(number), 0, mark, 1, Long.BYTES);
    return mark;
  }

  /** An unknown reason is the strictest one. */
  Reason reason() {
    return Arrays.stream(Reason.values())
        .filter(each -> mark.length > 0 && each.code == mark[0])
        .findFirst()
        .orElse(Reason.CHANGED);
  }

  /**
   * Whether its row has no cell that could be the reason. One that has changed may have lost them:
   * it is rolled up again.
   *
   * @param ofHour the rows that it may be of
   */
  boolean isStray(List<Row> ofHour) {
    return !reason().isChange() && ofHour.stream().allMatch(Row::isEmpty);
  }
}
