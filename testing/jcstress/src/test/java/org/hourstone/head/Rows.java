package org.hourstone.head;

import java.util.Arrays;

final class Rows {
  /** A qualifier of 2 bytes, the value 7; no byte is 0, as those not written are. */
  static final byte[] POINT = {1, 0x10, 7};

  private static final byte[] KEY = {0, 0, 1, 1, 1, 1, 1};

  private Rows() {}

  static OpenRow open() {
    return new OpenRow(KEY, 0, 1, 0, null, null);
  }

  /** The number of points a reader finds; -1 in a closed row, -2 if one is incomplete. */
  static int points(OpenRow row) {
    OpenPoints points = row.openPoints();
    if (points == null) {
      return -1;
    }
    byte[] bytes = points.bytes();
    for (int at = 0; at < points.length(); at += POINT.length) {
      if (!Arrays.equals(bytes, at, at + POINT.length, POINT, 0, POINT.length)) {
        return -2;
      }
    }
    return points.length() / POINT.length;
  }
}
