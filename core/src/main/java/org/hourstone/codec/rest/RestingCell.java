package org.hourstone.codec.rest;

import java.util.Arrays;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Value;
import org.jspecify.annotations.Nullable;

/**
 * Codes cells without loss: {@link #decode} returns any cell that was passed to {@link #encode},
 * byte for byte. The form of a multi-point cell is small; any other cell is stored as is, after a
 * header.
 *
 * <pre>
 *   10 tt vv m n   version 2; times, values, milliseconds, no metadata byte
 *   00 pppp rrr    places of the decimal numbers, index of the {@link ValueRule}
 *   times          tt = 0 a whole hour, 1 other: {@link RestingTimes}
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
public final class RestingCell {
  /** The name of the coding. */
  public static final String NAME = "points-1";

  private static final int VERSION = 2;
  private static final int VERSION_SHIFT = 6;

  private static final int TIMES_SHIFT = 4;
  private static final int WHOLE_HOUR = 0;
  private static final int OTHER_TIMES = 1;
  private static final int ANY_CELL = 3 << TIMES_SHIFT;

  private static final int VALUES_SHIFT = 2;
  private static final int INTEGERS = 0;
  private static final int DECIMALS = 1;
  private static final int NEAR_DECIMALS = 2;
  private static final int BYTES = 3;

  private static final int MILLIS = 2;
  private static final int NO_METADATA_BYTE = 1;

  private static final int PLACES_SHIFT = 3;
  private static final int RULE_MASK = 7;

  private static final int LONGEST_VARINT = 10;

  private RestingCell() {}

  /** The coded form of a cell. It was decoded once, and the result compared with the cell. */
  public static byte[] encode(byte[] qualifier, byte[] value) {
    byte[] coded = encodePoints(qualifier, value);
    if (coded != null && coded.length <= qualifier.length + value.length) {
      CompactedCell decoded = decode(coded, 0, coded.length);
      if (Arrays.equals(decoded.qualifier(), qualifier) && Arrays.equals(decoded.value(), value)) {
        return coded;
      }
    }
    Output out = new Output(1 + LONGEST_VARINT + qualifier.length + value.length);
    out.put(VERSION << VERSION_SHIFT | ANY_CELL);
    out.putVarint(qualifier.length);
    out.put(qualifier, 0, qualifier.length);
    out.put(value, 0, value.length);
    return out.toBytes();
  }

  /** The coded form as a multi-point cell; null if it isn't one whose bytes follow from points. */
  static byte @Nullable [] encodePoints(byte[] qualifier, byte[] value) {
    RowPoints points = new RowPoints();
    int left = take(qualifier, value, points);
    if (left < 0 || points.size() < 2 || points.size() > RestingTimes.MOST_POINTS) {
      return null;
    }
    ValueRule rule = ValueRule.of(points);
    ScaledValues scaled = ScaledValues.of(points, rule);
    if (scaled == null && !rule.givesLengths()) {
      rule = ValueRule.STORED;
    }
    boolean millis = hasMillis(points);
    long[] times = RestingTimes.of(points, millis);
    boolean wholeHour = RestingTimes.isWholeHour(times, millis);

    Output out = new Output(64 + points.size());
    out.put(
        VERSION << VERSION_SHIFT
            | (wholeHour ? WHOLE_HOUR : OTHER_TIMES) << TIMES_SHIFT
            | form(scaled, points, rule) << VALUES_SHIFT
            | (millis ? MILLIS : 0)
            | (left == 0 ? NO_METADATA_BYTE : 0));
    out.put((scaled == null ? 0 : scaled.places()) << PLACES_SHIFT | rule.index());
    if (wholeHour) {
      RestingTimes.writeWholeHour(times, out);
    } else {
      RestingTimes.write(times, out);
    }
    if (rule == ValueRule.STORED) {
      StoredFlags.write(points, out);
    }
    if (scaled == null) {
      out.put(value, 0, value.length - left);
      return out.toBytes();
    }
    if (scaled.units() != null) {
      Residuals.write(scaled.units(), false, out);
    }
    Residuals.difference(scaled.integers());
    Residuals.write(scaled.integers(), true, out);
    return out.toBytes();
  }

  /**
   * Adds a cell's points to others.
   *
   * @return how many bytes of the value are left, 0 or 1, the metadata byte; -1 if the points are
   *     not all of the cell
   */
  private static int take(byte[] qualifier, byte[] value, RowPoints points) {
    points.reserve(qualifier.length / 2);
    int valueAt = 0;
    int millis = 0;
    int at = 0;
    while (at < qualifier.length) {
      int width = Qualifier.width(qualifier[at]);
      if (width > qualifier.length - at) {
        return -1;
      }
      int flags = Qualifier.flags(qualifier, at);
      boolean isMillis = width == 4;
      if (!Value.isLegalLength(flags)
          || Qualifier.valueLength(flags) > value.length - valueAt
          || (isMillis && (qualifier[at + 3] & 0x30) != 0)) {
        return -1;
      }
      points.add(
          Qualifier.offsetMillis(qualifier, at),
          isMillis,
          flags,
          Value.decode(flags, value, valueAt));
      millis += isMillis ? 1 : 0;
      valueAt += Qualifier.valueLength(flags);
      at += width;
    }
    int left = value.length - valueAt;
    boolean mixed = millis > 0 && millis < points.size();
    return left == 0 || (left == 1 && value[valueAt] == (mixed ? 1 : 0)) ? left : -1;
  }

  private static boolean hasMillis(RowPoints points) {
    for (int i = 0; i < points.size(); i++) {
      if (points.isMillis(i)) {
        return true;
      }
    }
    return false;
  }

  private static int form(@Nullable ScaledValues scaled, RowPoints points, ValueRule rule) {
    if (scaled == null) {
      return BYTES;
    }
    if (scaled.units() != null) {
      return NEAR_DECIMALS;
    }
    return ScaledValues.isAllIntegers(points, rule) ? INTEGERS : DECIMALS;
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
   * A cell to read in place of one whose form can't be decoded: its qualifier ends within a point,
   * and its value is empty, so that no point is read from it. See {@code
   * docs/format/at-rest.md#corruption}.
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
    RestingPoints decoded = decoded(in, header, points);
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

  private static RestingPoints decoded(Input in, int header, RowPoints points) {
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
            ? RestingTimes.readWholeHour(in, millis, points)
            : RestingTimes.read(in, millis, points);
    RestingPoints decoded = new RestingPoints(points, offsets, millis, rule, in);
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
