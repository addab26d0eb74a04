package org.hourstone.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Big-endian numbers in byte arrays. */
final class BigEndian {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private BigEndian() {}

  /** An unsigned 16-bit number. */
  static int shortAt(byte[] bytes, int at) {
    return (short) SHORT.get(bytes, at) & 0xFFFF;
  }

  static int intAt(byte[] bytes, int at) {
    return (int) INT.get(bytes, at);
  }

  static long longAt(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at);
  }

  static void putInt(byte[] bytes, int at, int value) {
    INT.set(bytes, at, value);
  }

  static void putShort(byte[] bytes, int at, int value) {
    SHORT.set(bytes, at, (short) value);
  }

  /** The low {@code width} bytes of a number, 1 to 8. */
  static byte[] low(long value, int width) {
    byte[] bytes = new byte[width];
    putLow(value, width, bytes, 0);
    return bytes;
  }

  /** Writes the low {@code width} bytes of a number, 1 to 8. */
  static void putLow(long value, int width, byte[] bytes, int at) {
    if (width == Long.BYTES) {
      LONG.set(bytes, at, value);
      return;
    }
    if (width == Integer.BYTES) {
      INT.set(bytes, at, (int) value);
      return;
    }
    for (int i = at + width - 1; i >= at; i--) {
      bytes[i] = (byte) value;
      value >>>= 8;
    }
  }
}
