package org.hourstone.codec.coded;

import org.hourstone.codec.RowPoints;

/**
 * The offsets of a cell's points, in seconds if all are in seconds, else in milliseconds.
 *
 * <pre>
 *   a whole hour:  first offset, step; as many points as fit in the hour
 *   other:         number of points, offset of the first, {@link Residuals} of the steps
 * </pre>
 */
final class CodedTimes {
  /** More points are not coded; a store's largest qualifier has as many of four bytes. */
  static final int MOST_POINTS = 1_000_000;

  /** No qualifier of four bytes contains more milliseconds. */
  private static final int MOST_MILLIS = (1 << 22) - 1;

  /** Nor does one of two bytes contain more seconds. */
  private static final int MOST_SECONDS = 0xEFF;

  private static final int HOUR_SECONDS = 3600;

  private CodedTimes() {}

  /** Sets the offsets of at least two points. */
  static void fill(long[] times, RowPoints points, boolean millis) {
    for (int i = 0; i < points.size(); i++) {
      times[i] = millis ? points.offset(i) : points.offset(i) / 1000;
    }
  }

  /** Whether the points have the same step from the start of the hour to its end. */
  static boolean isWholeHour(long[] times, int count, boolean millis) {
    long step = times[1] - times[0];
    if (step <= 0 || times[0] >= step || step * count != hour(millis)) {
      return false;
    }
    for (int i = 2; i < count; i++) {
      if (times[i] - times[i - 1] != step) {
        return false;
      }
    }
    return true;
  }

  static void writeWholeHour(long[] times, Output out) {
    out.putVarint(times[0]);
    out.putVarint(times[1] - times[0]);
  }

  /** Writes any offsets, and changes the array. */
  static void write(long[] times, int count, EncoderSpace space, Output out) {
    out.putVarint(count);
    Residuals.difference(times, count);
    Residuals.write(times, count, false, space, out);
  }

  /** The offsets in milliseconds, in an array of the points they are for. */
  static int[] readWholeHour(Input in, boolean millis, RowPoints points) {
    int hour = hour(millis);
    int first = in.varint(0, hour - 1, "first offset");
    int step = in.varint(first + 1, hour / 2, "step");
    int count = hour / step;
    if (count * step != hour || count > MOST_POINTS) {
      throw new IllegalArgumentException("a step of " + step + " does not divide the hour");
    }
    int unit = millis ? 1 : 1000;
    int[] offsets = points.spareOffsets(count);
    for (int i = 0; i < count; i++) {
      offsets[i] = (first + i * step) * unit;
    }
    return offsets;
  }

  /** The offsets in milliseconds, in an array of the points they are for. */
  static int[] read(Input in, boolean millis, RowPoints points) {
    long[] times = new long[in.varint(2, MOST_POINTS, "number of points")];
    Residuals.read(in, times, false);
    Residuals.sum(times);
    int most = millis ? MOST_MILLIS : MOST_SECONDS;
    int unit = millis ? 1 : 1000;
    int[] offsets = points.spareOffsets(times.length);
    for (int i = 0; i < times.length; i++) {
      if (times[i] < 0 || times[i] > most) {
        throw new IllegalArgumentException("an offset of " + times[i] + ", more than " + most);
      }
      offsets[i] = (int) times[i] * unit;
    }
    return offsets;
  }

  private static int hour(boolean millis) {
    return millis ? HOUR_SECONDS * 1000 : HOUR_SECONDS;
  }
}
