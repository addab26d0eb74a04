package org.hourstone.api.prometheus;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Fields in the encoding of Protocol Buffers, up to a number of bytes. For one thread. */
final class ProtoBytes {
  /** The most bytes of a field's number with the length of its content. */
  static final int MOST_HEAD = 1 + 10;

  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int TYPE_BITS = 3;

  private final byte[] bytes;
  private final ByteBuffer buffer;

  ProtoBytes(int most) {
    bytes = new byte[most];
    buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  byte[] bytes() {
    return bytes;
  }

  int size() {
    return buffer.position();
  }

  int room() {
    return buffer.remaining();
  }

  void clear() {
    buffer.clear();
  }

  /** The number of bytes of a field with a content of this length. Its number is less than 16. */
  static long length(long content) {
    return 1 + varintLength(content) + content;
  }

  static int varintLength(long value) {
    return Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(value) + 6) / 7);
  }

  void varint(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      buffer.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    buffer.put((byte) rest);
  }

  /** A field of an integer type. */
  void varint(int field, long value) {
    varint(field << TYPE_BITS);
    varint(value);
  }

  /** A field of type double. */
  void fixed64(int field, double value) {
    varint(field << TYPE_BITS | FIXED64);
    buffer.putLong(Double.doubleToRawLongBits(value));
  }

  /** The begin of a field whose content has a length. */
  void head(int field, long length) {
    varint(field << TYPE_BITS | BYTES);
    varint(length);
  }

  /** A field of some bytes. */
  void bytes(int field, byte[] from, int begin, int end) {
    head(field, end - begin);
    put(from, begin, end);
  }

  void put(byte[] from, int begin, int end) {
    buffer.put(from, begin, end - begin);
  }
}
