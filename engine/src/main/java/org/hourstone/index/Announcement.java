package org.hourstone.index;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The series of one announcement. The stored form is the byte 1, and for each series the length of
 * its tags (2 bytes, big-endian) and its tags, as in its TSUID. Two values contain no series:
 * {@link #VOID}, and 0 if there are too many series, which must then be read from the entries.
 *
 * @param tags the tags of each series
 */
record Announcement(List<byte[]> tags) {
  /** The value of a number with which nothing was announced. */
  static final byte[] VOID = {2};

  private static final byte[] TOO_MANY = {0};
  private static final byte LIST = 1;
  private static final int MOST_BYTES = 1 << 16;

  /** The stored form for series of a metric. */
  static byte[] of(int metricWidth, List<byte[]> tsuids) {
    long size = 1;
    for (byte[] tsuid : tsuids) {
      size += Short.BYTES + tsuid.length - metricWidth;
    }
    if (size > MOST_BYTES) {
      return TOO_MANY;
    }
    ByteBuffer out = ByteBuffer.allocate((int) size).put(LIST);
    for (byte[] tsuid : tsuids) {
      int length = tsuid.length - metricWidth;
      out.putShort((short) length).put(tsuid, metricWidth, length);
    }
    return out.array();
  }

  /** Decodes the stored form; null if it does not contain the series. */
  static @Nullable Announcement read(byte[] stored) {
    if (stored[0] != LIST) {
      return stored[0] == VOID[0] ? new Announcement(List.of()) : null;
    }
    ByteBuffer in = ByteBuffer.wrap(stored, 1, stored.length - 1);
    List<byte[]> tags = new ArrayList<>();
    while (in.hasRemaining()) {
      byte[] each = new byte[Short.toUnsignedInt(in.getShort())];
      in.get(each);
      tags.add(each);
    }
    return new Announcement(tags);
  }
}
