package org.hourstone.internal;

import com.fasterxml.jackson.core.io.NumberOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes JSON as UTF-8 into a growing array, for responses with many numbers: a number is formatted
 * without intermediate objects. The caller writes commas and brackets. For one thread.
 */
public final class JsonBuffer {
  private static final int MAX_ESCAPED = 6;
  private static final int LONGEST_NUMBER = 26;
  private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

  /** The number of decimals tried before a double is formatted by Java, which is slow. */
  private static final int MAX_DECIMALS = 6;

  private static final double MILLIONTHS = 1e6;

  /** Java writes values below this, and values not below the next constant, with an exponent. */
  private static final double MIN_PLAIN = 1e-3;

  private static final double MAX_PLAIN = 1e7;

  private static final int EIGHT_DIGITS = 100_000_000;

  /** Two bytes of an array. */
  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

  /** The two digits of the numbers from 0 to 99. */
  private static final short[] PAIRS = new short[100];

  /** The powers of ten that are longs, from 1 on. */
  private static final long[] POWERS = new long[19];

  static {
    for (int i = 0; i < PAIRS.length; i++) {
      PAIRS[i] = (short) ((('0' + i / 10) << Byte.SIZE) | ('0' + i % 10));
    }
    POWERS[0] = 1;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = POWERS[i - 1] * 10;
    }
  }

  byte[] bytes;
  int size;

  /**
   * @param capacity the initial capacity, in bytes
   */
  public JsonBuffer(int capacity) {
    this.bytes = new byte[capacity];
  }

  /** The number of bytes written since the last {@link #drainTo}. */
  public int size() {
    return size;
  }

  /** The bytes written since the last {@link #drainTo}. */
  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  /** Passes on the bytes written, and clears the buffer. */
  public void drainTo(OutputStream out) throws IOException {
    out.write(bytes, 0, size);
    size = 0;
  }

  /** Makes room for a number of bytes, so that the array need not grow in several steps. */
  public void room(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, Math.multiplyExact(bytes.length, 2)));
    }
  }

  /** Writes an ASCII character verbatim. */
  public JsonBuffer raw(char c) {
    room(1);
    bytes[size++] = (byte) c;
    return this;
  }

  /** Writes JSON verbatim. */
  public JsonBuffer raw(String json) {
    byte[] utf8 = json.getBytes(StandardCharsets.UTF_8);
    room(utf8.length);
    System.arraycopy(utf8, 0, bytes, size, utf8.length);
    size += utf8.length;
    return this;
  }

  /** Writes a text, quoted. */
  public JsonBuffer string(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    room(2 + MAX_ESCAPED * utf8.length);
    bytes[size++] = '"';
    for (byte b : utf8) {
      if (b == '"' || b == '\\') {
        bytes[size++] = '\\';
        bytes[size++] = b;
      } else if (b >= 0 && b < ' ') {
        control(b);
      } else {
        bytes[size++] = b;
      }
    }
    bytes[size++] = '"';
    return this;
  }

  private void control(byte b) {
    int letter = "\b\t\n\f\r".indexOf(b);
    bytes[size++] = '\\';
    if (letter >= 0) {
      bytes[size++] = (byte) "btnfr".charAt(letter);
      return;
    }
    bytes[size++] = 'u';
    bytes[size++] = '0';
    bytes[size++] = '0';
    bytes[size++] = HEX[b >> 4];
    bytes[size++] = HEX[b & 15];
  }

  /** Writes a whole number. */
  public JsonBuffer number(long value) {
    room(LONGEST_NUMBER);
    whole(value);
    return this;
  }

  /** Removes the last byte, which must not have been drained. */
  public JsonBuffer dropLast() {
    size--;
    return this;
  }

  /** Writes a whole number, for which there is room. */
  void whole(long value) {
    if (value >= 0) {
      digits(value, 1);
      return;
    }
    bytes[size++] = '-';
    if (value == Long.MIN_VALUE) { // its magnitude exceeds a long
      digits(-(value / 10), 1);
      digits(-(value % 10), 1);
    } else {
      digits(-value, 1);
    }
  }

  /** Writes a number's digits, padded with zeros to at least {@code atLeast}. */
  private void digits(long number, int atLeast) {
    int start = size;
    int at = start + Math.max(digitsOf(number), atLeast);
    size = at;
    long rest = number;
    for (; at - start >= 8; rest /= EIGHT_DIGITS) {
      at -= 8;
      eight((int) (rest % EIGHT_DIGITS), at);
    }
    int small = (int) rest;
    for (; at - start >= 2; small /= 100) {
      at -= 2;
      pair(bytes, at, small % 100);
    }
    if (at > start) {
      bytes[start] = (byte) ('0' + small);
    }
  }

  /** Writes eight digits with independent divisions. */
  private void eight(int number, int at) {
    int high = number / 10_000;
    int low = number % 10_000;
    pair(bytes, at, high / 100);
    pair(bytes, at + 2, high % 100);
    pair(bytes, at + 4, low / 100);
    pair(bytes, at + 6, low % 100);
  }

  /** Writes two digits. */
  static void pair(byte[] to, int at, int number) {
    SHORTS.set(to, at, PAIRS[number]);
  }

  private static int digitsOf(long number) {
    // 1233 / 4096 is about the base-10 logarithm of 2: the result is right or one too small.
    int count = ((Long.SIZE - Long.numberOfLeadingZeros(number | 1)) * 1233) >>> 12;
    return number >= POWERS[count] ? count + 1 : Math.max(count, 1);
  }

  /**
   * Writes a double with the digits of {@link Double#toString}; in quotes if JSON has no number for
   * it.
   */
  public JsonBuffer number(double value) {
    return hasFewDecimals(value) ? this : text(value);
  }

  /** As {@link #number(double)}, with the fewest digits that are parsed to the same double. */
  public JsonBuffer shortest(double value) {
    if (hasFewDecimals(value)) {
      return this;
    }
    return Double.isFinite(value) ? digits(NumberOutput.toString(value, true)) : text(value);
  }

  /** Writes a double if it has few decimals; returns whether it was written. */
  private boolean hasFewDecimals(double value) {
    double absolute = Math.abs(value);
    if (absolute >= MIN_PLAIN && absolute < MAX_PLAIN) {
      double millionths = Math.rint(absolute * MILLIONTHS);
      // The quotient is the double nearest to the number with these few digits, so these are its
      // digits.
      if (millionths / MILLIONTHS == absolute) {
        room(LONGEST_NUMBER);
        if (value < 0) {
          bytes[size++] = '-';
        }
        plain((long) millionths);
        return true;
      }
    }
    return false;
  }

  private JsonBuffer text(double value) {
    String text = Double.toString(value);
    return Double.isFinite(value) ? digits(text) : string(text);
  }

  /** As {@link #raw(String)}, for ASCII characters, without an intermediate array. */
  private JsonBuffer digits(String text) {
    room(text.length());
    for (int i = 0; i < text.length(); i++) {
      bytes[size++] = (byte) text.charAt(i);
    }
    return this;
  }

  private void plain(long millionths) {
    digits(millionths / (long) MILLIONTHS, 1);
    bytes[size++] = '.';
    digits(millionths % (long) MILLIONTHS, MAX_DECIMALS);
    for (int i = 1; i < MAX_DECIMALS && bytes[size - 1] == '0'; i++) {
      size--;
    }
  }
}
