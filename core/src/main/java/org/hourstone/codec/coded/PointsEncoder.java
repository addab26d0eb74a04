package org.hourstone.codec.coded;

import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Value;
import org.jspecify.annotations.Nullable;

/**
 * Codes cells in the form of {@link CodedPoints}, one after another: what it needs besides the
 * coded form is used again for the next cell. For one thread at a time.
 */
public final class PointsEncoder {
  private static final int LONGEST_VARINT = 10;

  private final RowPoints points = new RowPoints();
  private final RowPoints decoded = new RowPoints();
  private final Scaling scaling = new Scaling();
  private final EncoderSpace space = new EncoderSpace();
  private final Output out = new Output(256);
  private long[] times = {};

  /** An encoder without working space yet. */
  public PointsEncoder() {}

  /**
   * The coded form of a cell. It was decoded once, and the result compared with the cell's points,
   * from which all bytes of the cell follow.
   */
  public byte[] encode(byte[] qualifier, byte[] value) {
    byte[] coded = encodePoints(qualifier, value);
    if (coded != null
        && coded.length <= qualifier.length + value.length
        && CodedPoints.isCodedFormOf(coded, points, decoded)) {
      return coded;
    }
    Output any = new Output(1 + LONGEST_VARINT + qualifier.length + value.length);
    any.put(CodedPoints.VERSION << CodedPoints.VERSION_SHIFT | CodedPoints.ANY_CELL);
    any.putVarint(qualifier.length);
    any.put(qualifier, 0, qualifier.length);
    any.put(value, 0, value.length);
    return any.toBytes();
  }

  /** The coded form as a multi-point cell; null if it isn't one whose bytes follow from points. */
  byte @Nullable [] encodePoints(byte[] qualifier, byte[] value) {
    points.clear();
    int left = take(qualifier, value, points);
    int count = points.size();
    if (left < 0 || count < 2 || count > CodedTimes.MOST_POINTS) {
      return null;
    }
    ValueRule rule = ValueRule.of(points);
    boolean scaled = scaling.scale(points, rule);
    if (!scaled && !rule.givesLengths()) {
      rule = ValueRule.STORED;
    }
    boolean millis = hasMillis();
    times = EncoderSpace.roomFor(count, times);
    CodedTimes.fill(times, points, millis);
    boolean wholeHour = CodedTimes.isWholeHour(times, count, millis);

    out.clear();
    out.put(
        CodedPoints.VERSION << CodedPoints.VERSION_SHIFT
            | (wholeHour ? CodedPoints.WHOLE_HOUR : CodedPoints.OTHER_TIMES)
                << CodedPoints.TIMES_SHIFT
            | form(scaled, rule) << CodedPoints.VALUES_SHIFT
            | (millis ? CodedPoints.MILLIS : 0)
            | (left == 0 ? CodedPoints.NO_METADATA_BYTE : 0));
    out.put((scaled ? scaling.places() : 0) << CodedPoints.PLACES_SHIFT | rule.index());
    if (wholeHour) {
      CodedTimes.writeWholeHour(times, out);
    } else {
      CodedTimes.write(times, count, space, out);
    }
    if (rule == ValueRule.STORED) {
      StoredFlags.write(points, out);
    }
    if (!scaled) {
      out.put(value, 0, value.length - left);
      return out.toBytes();
    }
    if (scaling.isNear()) {
      Residuals.write(scaling.units(), count, false, space, out);
    }
    Residuals.difference(scaling.integers(), count);
    Residuals.write(scaling.integers(), count, true, space, out);
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
      if (!isMillis) {
        int count = points.addRun(qualifier, at, value, valueAt);
        valueAt += count * Qualifier.valueLength(flags);
        at += 2 * count;
        continue;
      }
      points.add(
          Qualifier.offsetMillis(qualifier, at), true, flags, Value.decode(flags, value, valueAt));
      millis++;
      valueAt += Qualifier.valueLength(flags);
      at += width;
    }
    int left = value.length - valueAt;
    boolean mixed = millis > 0 && millis < points.size();
    return left == 0 || (left == 1 && value[valueAt] == (mixed ? 1 : 0)) ? left : -1;
  }

  private boolean hasMillis() {
    for (int i = 0; i < points.size(); i++) {
      if (points.isMillis(i)) {
        return true;
      }
    }
    return false;
  }

  private int form(boolean scaled, ValueRule rule) {
    if (!scaled) {
      return CodedPoints.BYTES;
    }
    if (scaling.isNear()) {
      return CodedPoints.NEAR_DECIMALS;
    }
    return Scaling.isAllIntegers(points, rule) ? CodedPoints.INTEGERS : CodedPoints.DECIMALS;
  }
}
