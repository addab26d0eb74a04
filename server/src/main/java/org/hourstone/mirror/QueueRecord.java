package org.hourstone.mirror;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A record of the queue: points that were written together. Its bytes are the length of what
 * follows the checksum (4), a CRC32C of the length and of what follows (4), the time of writing in
 * milliseconds (8), the number of points (4), and the points. A point is the length of its series'
 * TSUID (2; 0 if the series is that of the point before), the TSUID, the timestamp (8), the flags
 * (1) and the value (8).
 *
 * @param millis when it was written
 * @param points how many there are
 * @param body the points
 */
record QueueRecord(long millis, int points, ByteBuffer body) {
  /** Length and checksum. */
  static final int HEAD = 8;

  /** Time and number of points. */
  static final int FIXED = 12;

  static final int MAX_BYTES = 64 << 10;

  /** The bytes of a point besides its TSUID. */
  static final int POINT = 2 + 8 + 1 + 8;

  /** A TSUID with more can't be in a record. */
  static final int MAX_TSUID = 32 << 10;

  /**
   * Completes a record, of which all is written but head, time and number of points.
   *
   * @param size of the record in the array
   */
  static void complete(byte[] record, int size, long millis, int points) {
    ByteBuffer bytes = ByteBuffer.wrap(record);
    bytes.putInt(0, size - HEAD);
    bytes.putLong(HEAD, millis);
    bytes.putInt(HEAD + Long.BYTES, points);
    bytes.putInt(Integer.BYTES, checksum(record, size));
  }

  private static int checksum(byte[] record, int size) {
    CRC32C sum = new CRC32C();
    sum.update(record, 0, Integer.BYTES);
    sum.update(record, HEAD, size - HEAD);
    return (int) sum.getValue();
  }

  /** Whether a record can have this length. */
  static boolean isLength(int length) {
    return length >= FIXED && length <= MAX_BYTES - HEAD;
  }

  /** Whether the bytes of a record, with its head, are those that were written. */
  static boolean isIntact(byte[] record, int size) {
    return ByteBuffer.wrap(record).getInt(Integer.BYTES) == checksum(record, size);
  }

  /** Reads an intact record. */
  static QueueRecord of(byte[] record, int size) {
    ByteBuffer all = ByteBuffer.wrap(record, HEAD, size - HEAD);
    return new QueueRecord(all.getLong(), all.getInt(), all.slice());
  }

  /**
   * Reads the next point of the body.
   *
   * @param before the one before; null for the first
   * @throws BufferUnderflowException if the record has no more
   */
  QueuedPoint next(@Nullable QueuedPoint before) {
    int length = Short.toUnsignedInt(body.getShort());
    if (length > body.remaining() || (length == 0 && before == null)) {
      throw new BufferUnderflowException();
    }
    byte[] tsuid = before == null || length > 0 ? new byte[length] : before.tsuid();
    if (length > 0) {
      body.get(tsuid);
    }
    return new QueuedPoint(tsuid, body.getLong(), body.get(), body.getLong());
  }
}
