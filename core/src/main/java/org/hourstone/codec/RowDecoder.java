package org.hourstone.codec;

import java.util.Arrays;

/**
 * Turns the cells of a data row into its points: single points, several points in one cell, and
 * points in the order they were appended, in any mixture. Cells that hold no points are passed
 * over. Not thread-safe: keeps its working space from row to row.
 */
public final class RowDecoder {
  private final DuplicatePolicy duplicates;
  private final RowPoints gathered = new RowPoints();

  /** For each gathered point the number of the cell it stands in. */
  private int[] cellOf = new int[64];

  /** For each cell when it was written. */
  private long[] writeTimes = new long[8];

  private int cells;

  /** The number of the append cell, of which a row has one at most; -1 while there is none. */
  private int appendCell;

  public RowDecoder(DuplicatePolicy duplicates) {
    this.duplicates = duplicates;
  }

  /** Begins a row. */
  public void start() {
    gathered.clear();
    cells = 0;
    appendCell = -1;
  }

  /**
   * Takes the row's next cell, in the order of qualifiers.
   *
   * @param writeTime milliseconds since the epoch
   * @throws CorruptDataException if the cell is not what the format allows
   */
  public void add(byte[] qualifier, byte[] value, long writeTime) {
    int first = gathered.size();
    switch (CellKind.of(qualifier)) {
      case POINT -> gatherPoint(qualifier, value);
      case COMPACTED -> gatherCompacted(qualifier, value);
      case APPEND -> {
        gatherAppended(value);
        appendCell = cells;
      }
      case ANNOTATION, HISTOGRAM, UNKNOWN -> {}
    }
    if (cells == writeTimes.length) {
      writeTimes = Arrays.copyOf(writeTimes, cells * 2);
    }
    writeTimes[cells] = writeTime;
    if (gathered.size() > cellOf.length) {
      cellOf = Arrays.copyOf(cellOf, Math.max(gathered.size(), cellOf.length * 2));
    }
    Arrays.fill(cellOf, first, gathered.size(), cells);
    cells++;
  }

  /**
   * Ends the row.
   *
   * @param into is filled with its points: ascending by offset, no two at one instant
   * @throws CorruptDataException if the policy is to fail and two points of one instant differ
   */
  public void finish(RowPoints into) {
    if (gathered.isAscending()) {
      into.setAll(gathered);
    } else {
      merge(into);
    }
  }

  private void merge(RowPoints into) {
    long[] order = new long[gathered.size()];
    for (int i = 0; i < order.length; i++) {
      order[i] = ((long) gathered.offset(i) << Integer.SIZE) | i;
    }
    Arrays.sort(order);
    into.clear();
    for (int from = 0; from < order.length; ) {
      int to = from + 1;
      while (to < order.length && order[to] >>> Integer.SIZE == order[from] >>> Integer.SIZE) {
        to++;
      }
      into.addFrom(gathered, chosen(order, from, to));
      from = to;
    }
  }

  /** The one to keep of the points of one instant, given in the order they were gathered. */
  private int chosen(long[] order, int from, int to) {
    int kept = -1;
    for (int i = from; i < to; i++) {
      int next = (int) order[i];
      boolean superseded =
          cellOf[next] == appendCell && i + 1 < to && cellOf[(int) order[i + 1]] == appendCell;
      if (!superseded) {
        kept = kept < 0 ? next : newer(kept, next);
      }
    }
    return kept;
  }

  /** Of two points of one instant the one the policy keeps; of equally old ones the first. */
  private int newer(int first, int second) {
    if (duplicates == DuplicatePolicy.LARGEST_WINS) {
      return gathered.toDouble(second) > gathered.toDouble(first) ? second : first;
    }
    if (duplicates == DuplicatePolicy.SMALLEST_WINS) {
      return gathered.toDouble(second) < gathered.toDouble(first) ? second : first;
    }
    boolean secondIsNewer = writeTimes[cellOf[second]] > writeTimes[cellOf[first]];
    int kept = secondIsNewer ? second : first;
    int dropped = secondIsNewer ? first : second;
    if (duplicates == DuplicatePolicy.FAIL && !gathered.sameBytes(kept, dropped)) {
      throw new CorruptDataException(
          "Duplicate timestamp at offset "
              + gathered.offset(kept)
              + " ms: "
              + Arrays.toString(gathered.valueBytes(kept))
              + " and, older, "
              + Arrays.toString(gathered.valueBytes(dropped))
              + "; set tsd.storage.fix_duplicates=true to keep the newest");
    }
    return kept;
  }

  private void gatherPoint(byte[] qualifier, byte[] value) {
    int flags = Qualifier.flags(qualifier, 0);
    boolean millis = Qualifier.isMillis(qualifier[0]);
    int at = 0;
    if (!millis) {
      at = oldFloatPadding(flags, value);
      flags = withLength(flags, value.length - at);
    }
    add(qualifier, 0, flags, value, at);
  }

  /**
   * Early versions wrote 4-byte floats on 8 bytes, the first four of them zero.
   *
   * @return where the float starts
   */
  private static int oldFloatPadding(int flags, byte[] value) {
    if (flags != Value.FLOAT_FLAGS || value.length != Long.BYTES) {
      return 0;
    }
    if (Bytes.intAt(value, 0) != 0) {
      throw new CorruptDataException(
          "Corrupted floating point value: "
              + Arrays.toString(value)
              + ": its first 4 bytes are expected to be zeros");
    }
    return Integer.BYTES;
  }

  /** Early versions also announced wrong lengths: the value's own is the right one. */
  private static int withLength(int flags, int length) {
    if (length < 1 || length > Long.BYTES) {
      throw new CorruptDataException("Value of " + length + " bytes: not on 8/4/2/1 bytes");
    }
    return (flags & Qualifier.FLOAT) | (length - 1);
  }

  private void gatherCompacted(byte[] qualifier, byte[] value) {
    int valueAt = 0;
    for (int at = 0; at < qualifier.length; ) {
      int width = Qualifier.width(qualifier[at]);
      if (at + width > qualifier.length) {
        throw new CorruptDataException(
            "Corrupted qualifier: its last point's " + width + " bytes are cut off");
      }
      int flags = Qualifier.flags(qualifier, at);
      add(qualifier, at, flags, value, valueAt);
      valueAt += Qualifier.valueLength(flags);
      at += width;
    }
  }

  private void gatherAppended(byte[] value) {
    for (int at = 0; at < value.length; ) {
      int width = Qualifier.width(value[at]);
      if (at + width > value.length) {
        throw new CorruptDataException(
            "Corrupted value: the qualifier of " + width + " bytes at byte " + at + " is cut off");
      }
      int flags = Qualifier.flags(value, at);
      add(value, at, flags, value, at + width);
      at += width + Qualifier.valueLength(flags);
    }
  }

  private void add(byte[] qualifier, int at, int flags, byte[] value, int valueAt) {
    int length = Qualifier.valueLength(flags);
    if (valueAt + length > value.length) {
      throw new CorruptDataException(
          "Corrupted value: couldn't break down into individual values (consumed "
              + value.length
              + " bytes, but was expecting to consume "
              + (valueAt + length)
              + ")");
    }
    gathered.add(
        Qualifier.offsetMillis(qualifier, at),
        Qualifier.isMillis(qualifier[at]),
        flags,
        Value.decode(flags, value, valueAt));
  }
}
