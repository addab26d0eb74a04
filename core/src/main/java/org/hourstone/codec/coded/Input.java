package org.hourstone.codec.coded;

import java.util.Arrays;

/**
 * Bytes that are read one after another, some from the end. Every read is checked: bytes that are
 * not a coded cell end in {@link IllegalArgumentException}. Not thread-safe.
 */
final class Input {
  final byte[] bytes;

  /** The next byte; at most {@link #to}. */
  int at;

  /** The index after the last byte. */
  int to;

  /** That of the coded cell, once its header is read. */
  int version;

  Input(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.at = from;
    this.to = to;
  }

  int remaining() {
    return to - at;
  }

  int next() {
    require(1);
    return bytes[at++] & 0xFF;
  }

  /** An unsigned number in 1 to 10 bytes of seven bits, the lowest first. */
  long varint() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = next();
      value |= (long) (next & 0x7F) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw new IllegalArgumentException("a number of more than 10 bytes before byte " + at);
  }

  /** As {@link #varint}, within bounds. */
  int varint(int least, int most, String what) {
    long value = varint();
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          what + " is " + Long.toUnsignedString(value) + ", not " + least + " to " + most);
    }
    return (int) value;
  }

  /** A number that {@link Output#putSigned} wrote. */
  long signed() {
    return unzigzag(varint());
  }

  /** The next bytes as a separate input; this one continues after them. */
  Input part(int length) {
    require(length);
    at += length;
    Input part = new Input(bytes, at - length, at);
    part.version = version;
    return part;
  }

  /** All bytes that are left; they stay. */
  byte[] rest() {
    return Arrays.copyOfRange(bytes, at, to);
  }

  /** Takes the last two bytes. */
  int lastShort() {
    require(2);
    to -= 2;
    return (bytes[to] & 0xFF) << 8 | (bytes[to + 1] & 0xFF);
  }

  /** Fails if there are fewer bytes. */
  void require(int count) {
    if (count > to - at) {
      throw new IllegalArgumentException(
          count + " bytes are expected at byte " + at + ", but only " + (to - at) + " are left");
    }
  }

  /** Fails if there are more bytes. */
  void end() {
    if (at != to) {
      throw new IllegalArgumentException((to - at) + " bytes too many from byte " + at + " on");
    }
  }

  static long unzigzag(long value) {
    return (value >>> 1) ^ -(value & 1);
  }
}
