package org.hourstone.kv;

import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A row as it was read: its key and its cells, ascending by unsigned qualifier. Immutable by
 * agreement: the arrays may be shared with the store and must not be modified. If its only cell is
 * {@linkplain #coded coded}, it is decoded when its qualifier or value is first requested; if
 * {@linkplain #codedRow all are, together}, when their number or anything of them is.
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
  private final @Nullable CodedCell coded;
  private final @Nullable CodedRow codedRow;

  /** The decoded form of {@link #coded}. A record: a thread sees all of it, or decodes again. */
  private FamilyCodec.@Nullable Decoded decoded;

  /** The decoded form of {@link #codedRow}; a thread sees all of it, too. */
  private @Nullable Row decodedRow;

  private Row(
      byte[] key,
      byte[][] qualifiers,
      byte[][] values,
      long[] writeTimes,
      @Nullable CodedCell coded,
      @Nullable CodedRow codedRow) {
    this.key = key;
    this.qualifiers = qualifiers;
    this.values = values;
    this.writeTimes = writeTimes;
    this.coded = coded;
    this.codedRow = codedRow;
  }

  /** A row without cells; a get of an absent row returns it. */
  public static Row empty(byte[] key) {
    return new Row(key, NO_BYTES, NO_BYTES, NO_TIMES, null, null);
  }

  /**
   * A row of one cell, which is coded; only for a reader of {@link Columns#allAsStored}.
   *
   * @param writeTime milliseconds since the epoch
   */
  public static Row ofCoded(byte[] key, CodedCell cell, long writeTime) {
    return new Row(key, NO_BYTES, NO_BYTES, new long[] {writeTime}, cell, null);
  }

  /** A row of cells that are coded together; only for a reader of {@link Columns#allAsStored}. */
  public static Row ofCoded(byte[] key, CodedRow cells) {
    return new Row(key, NO_BYTES, NO_BYTES, NO_TIMES, null, cells);
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
    return new Row(key, qualifiers, values, writeTimes, null, null);
  }

  public byte[] key() {
    return key;
  }

  /** The number of cells; 0 for an absent row. */
  public int size() {
    return cells().writeTimes.length;
  }

  public boolean isEmpty() {
    return codedRow == null && writeTimes.length == 0;
  }

  /** All cells as their store keeps them; null if they are not coded together. */
  public @Nullable CodedRow codedRow() {
    return codedRow;
  }

  /** This, or the row with its cells that were coded together. */
  private Row cells() {
    if (codedRow == null) {
      return this;
    }
    Row known = decodedRow;
    if (known == null) {
      known = codedRow.decode();
      decodedRow = known;
    }
    return known;
  }

  /** The only cell as its store keeps it; null if there are others, or it is not coded. */
  public @Nullable CodedCell coded() {
    return coded;
  }

  /** The qualifier of cell {@code i}. */
  public byte[] qualifier(int i) {
    return coded == null ? cells().qualifiers[i] : decoded(coded, i).qualifier();
  }

  /** The value of cell {@code i}. */
  public byte[] value(int i) {
    return coded == null ? cells().values[i] : decoded(coded, i).value();
  }

  private FamilyCodec.Decoded decoded(CodedCell cell, int i) {
    Objects.checkIndex(i, size());
    FamilyCodec.Decoded known = decoded;
    if (known == null) {
      known = cell.decode();
      decoded = known;
    }
    return known;
  }

  /** The write time of cell {@code i}, in milliseconds since the epoch. */
  public long writeTime(int i) {
    return cells().writeTimes[i];
  }

  /** Cell {@code i}. */
  public Cell cell(int i) {
    return new Cell(qualifier(i), value(i), writeTime(i));
  }

  /** The index of the cell with this qualifier, or a negative number if there is none. */
  public int indexOf(byte[] qualifier) {
    byte[][] present = coded == null ? cells().qualifiers : new byte[][] {qualifier(0)};
    return Arrays.binarySearch(present, qualifier, Arrays::compareUnsigned);
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
      keptQualifiers[kept] = qualifier(i);
      keptValues[kept] = value(i);
      keptTimes[kept++] = writeTime(i);
    }
    return of(key, keptQualifiers, keptValues, keptTimes);
  }

  /** The value of the cell with this qualifier, or null if there is none. */
  public byte @Nullable [] find(byte[] qualifier) {
    int i = indexOf(qualifier);
    return i < 0 ? null : value(i);
  }

  /** {@code key{qualifier=value@time, ...}} in hex; long values and rows are truncated. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(shortened(key)).append('{');
    for (int i = 0; i < Math.min(size(), SHOWN_CELLS); i++) {
      text.append(i == 0 ? "" : ", ")
          .append(shortened(qualifier(i)))
          .append('=')
          .append(shortened(value(i)))
          .append('@')
          .append(writeTime(i));
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
