package org.hourstone.api.otlp;

import java.nio.charset.StandardCharsets;

/**
 * An attribute whose value is a number, in protobuf: the upper bound of a bucket, or a quantile.
 * For one thread.
 */
final class BoundTag {
  private static final byte KEY = 1 << 3 | 2;
  private static final byte VALUE = 2 << 3 | 2;
  private static final byte DECIMAL = 4 << 3 | 1;

  /** Tag and length of the value, and the tag of the number. */
  private static final int HEAD = 3;

  private final byte[] bytes;

  BoundTag(String name) {
    byte[] key = name.getBytes(StandardCharsets.UTF_8);
    bytes = new byte[2 + key.length + HEAD + Double.BYTES];
    bytes[0] = KEY;
    bytes[1] = (byte) key.length;
    System.arraycopy(key, 0, bytes, 2, key.length);
    bytes[2 + key.length] = VALUE;
    bytes[2 + key.length + 1] = 1 + Double.BYTES;
    bytes[2 + key.length + 2] = DECIMAL;
  }

  /** The attribute with this value; valid until the next call. */
  byte[] of(double value) {
    ByteBuilder.putLong(bytes, bytes.length - Double.BYTES, Double.doubleToLongBits(value + 0.0));
    return bytes;
  }
}
