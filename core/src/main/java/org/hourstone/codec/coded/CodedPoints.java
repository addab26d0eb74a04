package org.hourstone.codec.coded;

import java.util.Arrays;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RowPoints;

/**
 * Codes cells without loss: {@link #decode} returns any cell that was passed to {@link #encode},
 * byte for byte. The form of a multi-point cell is small; any other cell is stored as is, after a
 * header.
 *
 * <pre>
 *   10 tt vv m n   version 2; times, values, milliseconds, no metadata byte
 *   00 pppp rrr    places of the decimal numbers, index of the {@link ValueRule}
 *   times          tt = 0 a whole hour, 1 other: {@link CodedTimes}
 *   flags          only with the rule STORED: {@link StoredFlags}
 *   values         vv = 0 integers, 1 decimal numbers: {@link Residuals} of the differences
 *                       2 the same after the units of all numbers, as {@link Residuals}
 *                       3 their bytes
 *
 *   10 11 00 0 0, length of the qualifier, qualifier, value    any other cell
 * </pre>
 *
 * <p>Version 1 is read, too: its {@link Rans} has one state.
 *
 * <p>Stateless.
 */
public final class CodedPoints {
  /** The name of the coding. */
  public static final String NAME = "points-1";

  static final int VERSION = 2;
  static final int VERSION_SHIFT = 6;

  static final int TIMES_SHIFT = 4;
  static final int WHOLE_HOUR = 0;
  static final int OTHER_TIMES = 1;
  static final int ANY_CELL = 3 << TIMES_SHIFT;

  static final int VALUES_SHIFT = 2;
  static final int INTEGERS = 0;
  static final int DECIMALS = 1;
  static final int NEAR_DECIMALS = 2;
  static final int BYTES = 3;

  static final int MILLIS = 2;
  static final int NO_METADATA_BYTE = 1;

  static final int PLACES_SHIFT = 3;
  private static final int RULE_MASK = 7;

  private CodedPoints() {}

  /** The coded form of a cell. For many cells a {@link PointsEncoder} costs less. */
  public static byte[] encode(byte[] qualifier, byte[] value) {
    return new PointsEncoder().encode(qualifier, value);
  }

  /**
   * The cell that was encoded.
   *
   * @param bytes contain the coded form
   * @param from its first byte
   * @param to the index after its last byte
   * @throws IllegalArgumentException if the bytes are not such a form; the message says why
   */
  public static CompactedCell decode(byte[] bytes, int from, int to) {
    Input in = new Input(bytes, from, to);
    int header = header(in);
    if (header == ANY_CELL) {
      int length = in.varint(0, to - from, "length of the qualifier");
      return new CompactedCell(in.part(length).rest(), in.rest());
    }
    RowPoints points = new RowPoints();
    decoded(in, header, points).add();
    CompactedCell cell = CompactedCell.of(points, 0, points.size());
    return (header & NO_METADATA_BYTE) == 0 ? cell : cell.withoutMetadataByte();
  }

  /**
   * Whether a form that was encoded is that of points.
   *
   * @param decoded working space
   */
  static boolean isCodedFormOf(byte[] coded, RowPoints points, RowPoints decoded) {
    Input in = new Input(coded, 0, coded.length);
    int header = header(in);
    decoded.clear();
    decoded(in, header, decoded).add();
    return decoded.isSame(points);
  }

  /**
   * A cell to read in place of one whose form can't be decoded: its qualifier ends within a point,
   * and its value is empty, so that no point is read from it. See {@code
   * docs/format/coded-cells.md#corruption}.
   *
   * @param start the first two bytes of its qualifier
   */
  public static CompactedCell undecodable(byte[] start) {
    byte[] qualifier = new byte[Qualifier.isMillis(start[0]) ? 6 : 8];
    Arrays.fill(qualifier, (byte) 0xFF);
    System.arraycopy(start, 0, qualifier, 0, 2);
    return new CompactedCell(qualifier, new byte[0]);
  }

  /**
   * Adds the points of an encoded cell to others, without decoding the cell's bytes.
   *
   * @param bytes the coded form
   * @param start the first two bytes of the cell's qualifier
   * @return whether they were added: not if the cell is not one of points
   * @throws IllegalArgumentException if the bytes are not such a form, or one of a cell that begins
   *     otherwise; nothing was added
   */
  public static boolean addPoints(byte[] bytes, byte[] start, RowPoints points) {
    Input in = new Input(bytes, 0, bytes.length);
    int header = header(in);
    if (header == ANY_CELL) {
      return false;
    }
    DecodedPoints decoded = decoded(in, header, points);
    decoded.checkStart(start);
    decoded.add();
    return true;
  }

  /** The header without the version, which the input gets. */
  private static int header(Input in) {
    int header = in.next();
    in.version = header >>> VERSION_SHIFT;
    if (in.version < 1 || in.version > VERSION) {
      throw new IllegalArgumentException("a coded cell of unknown version, header " + header);
    }
    return header & (1 << VERSION_SHIFT) - 1;
  }

  private static DecodedPoints decoded(Input in, int header, RowPoints points) {
    int second = in.next();
    ValueRule rule = ValueRule.of(second & RULE_MASK);
    int places = second >>> PLACES_SHIFT;
    boolean millis = (header & MILLIS) != 0;
    int timesForm = header >>> TIMES_SHIFT & 3;
    if (timesForm > OTHER_TIMES || places > Decimals.MOST_PLACES) {
      throw new IllegalArgumentException("unknown headers " + header + " and " + second);
    }
    int[] offsets =
        timesForm == WHOLE_HOUR
            ? CodedTimes.readWholeHour(in, millis, points)
            : CodedTimes.read(in, millis, points);
    DecodedPoints decoded = new DecodedPoints(points, offsets, millis, rule, in);
    int count = offsets.length;
    switch (header >>> VALUES_SHIFT & 3) {
      case INTEGERS -> decoded.setIntegers(integers(in, points.spareRaws(count)));
      case DECIMALS ->
          decoded.setNumbers(new ScaledValues(integers(in, points.spareRaws(count)), places, null));
      case NEAR_DECIMALS -> {
        long[] units = new long[count];
        Residuals.read(in, units, false);
        decoded.setNumbers(new ScaledValues(integers(in, points.spareRaws(count)), places, units));
      }
      default -> decoded.setBytes(in);
    }
    in.end();
    return decoded;
  }

  private static long[] integers(Input in, long[] integers) {
    Residuals.read(in, integers, true);
    Residuals.sum(integers);
    return integers;
  }
}
