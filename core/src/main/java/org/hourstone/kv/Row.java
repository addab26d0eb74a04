package org.hourstone.kv;

import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A row as it was read: its key and its cells, ascending by unsigned qualifier. Immutable by
 * agreement: the arrays may be shared with the store and must not be modified.
 */
public final class Row {
  private static final int SHOWN_CELLS = 20;
  private static final int SHOWN_BYTES = 32;
  private static final byte[][] NO_BYTES = new byte[0][];
  private static final long[] NO_TIMES = new long[0];

  private final byte[] key;
  private final byte[][] qualifiers;
  private final byte[][] values;
  private final long[] writeTimes;

  private Row(byte[] key, byte[][] qualifiers, byte[][] values, long[] writeTimes) {
    this.key = key;
    this.qualifiers = qualifiers;
    this.values = values;
    this.writeTimes = writeTimes;
  }

  /** A row without cells; a get of an absent row returns it. */
  public static Row empty(byte[] key) {
    return new Row(key, NO_BYTES, NO_BYTES, NO_TIMES);
  }

  /**
   * A row over the given arrays, which are not copied.
   *
   * @param qualifiers strictly ascending as unsigned bytes
   * @param values one per qualifier
   * @param writeTimes one per qualifier, milliseconds since the epoch
   */
  public static Row of(byte[] key, byte[][] qualifiers, byte[][] values, long[] writeTimes) {
    if (qualifiers.length != values.length || qualifiers.length != writeTimes.length) {
      throw new IllegalArgumentException("cell arrays differ in length");
    }
    for (int i = 1; i < qualifiers.length; i++) {
      if (Arrays.compareUnsigned(qualifiers[i - 1], qualifiers[i]) >= 0) {
        throw new IllegalArgumentException("qualifiers are not strictly ascending");
      }
    }
    return new Row(key, qualifiers, values, writeTimes);
  }

  public byte[] key() {
    return key;
  }

  /** The number of cells; 0 for an absent row. */
  public int size() {
    return qualifiers.length;
  }

  public boolean isEmpty() {
    return qualifiers.length == 0;
  }

  public byte[] qualifier(int i) {
    return qualifiers[i];
  }

  public byte[] value(int i) {
    return values[i];
  }

  /** The write time of cell {@code i}, in milliseconds since the epoch. */
  public long writeTime(int i) {
    return writeTimes[i];
  }

  /** The index of the cell with this qualifier, or a negative number if there is none. */
  public int indexOf(byte[] qualifier) {
    return Arrays.binarySearch(qualifiers, qualifier, Arrays::compareUnsigned);
  }

  /** A row of only the cells with these indexes, which ascend. */
  public Row only(Collection<Integer> cells) {
    if (cells.size() == size()) {
      return this;
    }
    byte[][] keptQualifiers = new byte[cells.size()][];
    byte[][] keptValues = new byte[cells.size()][];
    long[] keptTimes = new long[cells.size()];
    int kept = 0;
    for (int i : cells) { // a loop: every row that is compacted passes here
      keptQualifiers[kept] = qualifiers[i];
      keptValues[kept] = values[i];
      keptTimes[kept++] = writeTimes[i];
    }
    return of(key, keptQualifiers, keptValues, keptTimes);
  }

  /** The value of the cell with this qualifier, or null if there is none. */
  public byte @Nullable [] find(byte[] qualifier) {
    int i = indexOf(qualifier);
    return i < 0 ? null : values[i];
  }

  /** {@code key{qualifier=value@time, ...}} in hex; long values and rows are truncated. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(shortened(key)).append('{');
    for (int i = 0; i < Math.min(size(), SHOWN_CELLS); i++) {
      text.append(i == 0 ? "" : ", ")
          .append(shortened(qualifiers[i]))
          .append('=')
          .append(shortened(values[i]))
          .append('@')
          .append(writeTimes[i]);
    }
    return text.append(size() > SHOWN_CELLS ? ", … " + size() + " cells}" : "}").toString();
  }

  private static String shortened(byte[] bytes) {
    HexFormat hex = HexFormat.of();
    return bytes.length <= SHOWN_BYTES
        ? hex.formatHex(bytes)
        : hex.formatHex(bytes, 0, SHOWN_BYTES) + "…(" + bytes.length + " bytes)";
  }
}
