package org.hourstone.testkit;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/** Byte strings as tests like to write them. */
public final class Binary {
  private Binary() {}

  /** The bytes of an ASCII text. */
  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  public static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.US_ASCII);
  }

  static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }

  /** Eight bytes, big-endian: the value of a counter. */
  static byte[] number(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  static long number(byte[] eightBytes) {
    if (eightBytes.length != Long.BYTES) {
      throw new AssertionError("not a number of 8 bytes: " + HexFormat.of().formatHex(eightBytes));
    }
    return ByteBuffer.wrap(eightBytes).getLong();
  }

  /**
   * Up to {@code maxLength} bytes, at least one, from the few values where order errors show:
   * around the sign bit and at the ends. Few, so that prefixes and equal keys are common.
   */
  static byte[] trickyKey(RandomGenerator random, int maxLength) {
    byte[] alphabet = {0x00, 0x01, 0x7F, (byte) 0x80, (byte) 0xFE, (byte) 0xFF};
    byte[] key = new byte[1 + random.nextInt(maxLength)];
    for (int i = 0; i < key.length; i++) {
      key[i] = alphabet[random.nextInt(alphabet.length)];
    }
    return key;
  }
}
