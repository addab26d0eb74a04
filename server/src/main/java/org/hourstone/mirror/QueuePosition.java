package org.hourstone.mirror;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A place in the queue: the points before it are settled.
 *
 * @param segment the number of the file
 * @param offset of a record in it, or its end
 * @param index how many points of the record are settled
 */
record QueuePosition(long segment, long offset, int index) {
  private static final int BYTES = 2 * Long.BYTES + 2 * Integer.BYTES;

  static QueuePosition begin() {
    return new QueuePosition(1, 0, 0);
  }

  byte[] bytes() {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    bytes.putLong(segment).putLong(offset).putInt(index);
    return bytes.putInt(checksum(bytes.array())).array();
  }

  /** The position with these bytes; null if they are not those of one. */
  static @Nullable QueuePosition of(byte[] bytes) {
    if (bytes.length != BYTES) {
      return null;
    }
    ByteBuffer all = ByteBuffer.wrap(bytes);
    QueuePosition position = new QueuePosition(all.getLong(), all.getLong(), all.getInt());
    return all.getInt() == checksum(bytes) ? position : null;
  }

  private static int checksum(byte[] bytes) {
    CRC32C sum = new CRC32C();
    sum.update(bytes, 0, BYTES - Integer.BYTES);
    return (int) sum.getValue();
  }
}
