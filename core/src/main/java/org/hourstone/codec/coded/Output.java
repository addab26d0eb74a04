package org.hourstone.codec.coded;

import java.util.Arrays;

/** Bytes that are written one after another. Not thread-safe. */
final class Output {
  private byte[] bytes;
  private int size;

  Output(int capacity) {
    bytes = new byte[capacity];
  }

  /** Forgets what was written. */
  void clear() {
    size = 0;
  }

  int size() {
    return size;
  }

  /** Adds the low byte of a number. */
  void put(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
  }

  /** Adds the low two bytes of a number, the high one first. */
  void putShort(int value) {
    reserve(2);
    bytes[size++] = (byte) (value >>> 8);
    bytes[size++] = (byte) value;
  }

  /** Adds an unsigned number in 1 to 10 bytes of seven bits, the lowest first. */
  void putVarint(long value) {
    reserve(10);
    while ((value & ~0x7FL) != 0) {
      bytes[size++] = (byte) (value | 0x80);
      value >>>= 7;
    }
    bytes[size++] = (byte) value;
  }

  /** Adds a signed number so that those near zero are short. */
  void putSigned(long value) {
    putVarint(zigzag(value));
  }

  void put(byte[] source, int from, int to) {
    reserve(to - from);
    System.arraycopy(source, from, bytes, size, to - from);
    size += to - from;
  }

  void put(Output other) {
    put(other.bytes, 0, other.size);
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  /** 0, -1, 1, -2, 2 … as 0, 1, 2, 3, 4 … */
  static long zigzag(long value) {
    return (value << 1) ^ (value >> 63);
  }

  private void reserve(int count) {
    if (count > bytes.length - size) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(size, count)));
    }
  }
}
