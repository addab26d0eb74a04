package org.hourstone.codec.coded;

import java.util.Arrays;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Value;

/**
 * The flags of points that follow no {@link ValueRule}: runs of points with equal ones. Each has a
 * byte of flags, with {@link #MILLIS} if the points are in milliseconds, and the number of points.
 */
final class StoredFlags {
  /** In addition to the qualifier's flags: the point is in milliseconds. */
  static final int MILLIS = 0x10;

  private StoredFlags() {}

  static void write(RowPoints points, Output out) {
    int from = 0;
    while (from < points.size()) {
      int flags = of(points, from);
      int to = from + 1;
      while (to < points.size() && of(points, to) == flags) {
        to++;
      }
      out.put(flags);
      out.putVarint(to - from);
      from = to;
    }
  }

  private static int of(RowPoints points, int i) {
    return points.flags(i) | (points.isMillis(i) ? MILLIS : 0);
  }

  /** Fills an array with the flags of as many points. */
  static void read(Input in, byte[] all) {
    int count = all.length;
    int from = 0;
    while (from < count) {
      int flags = in.next();
      if (flags >= 2 * MILLIS || !Value.isLegalLength(flags & ~MILLIS)) {
        throw new IllegalArgumentException("flags of " + flags);
      }
      int to = from + in.varint(1, count - from, "number of points with flags");
      Arrays.fill(all, from, to, (byte) flags);
      from = to;
    }
  }

  /** Whether all are flags of integers. */
  static boolean areIntegers(byte[] all) {
    for (byte flags : all) {
      if (Qualifier.isFloat(flags)) {
        return false;
      }
    }
    return true;
  }
}
