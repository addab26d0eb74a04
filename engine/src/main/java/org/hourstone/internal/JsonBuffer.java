package org.hourstone.internal;

import java.io.IOException;
import java.io.OutputStream;
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

  /** So many decimals are tried before a double is left to Java, which is slow at it. */
  private static final int MAX_DECIMALS = 6;

  private static final double MILLIONTHS = 1e6;

  /** Java writes smaller values, and values not below the next constant, with an exponent. */
  private static final double MIN_PLAIN = 1e-3;

  private static final double MAX_PLAIN = 1e7;

  private byte[] bytes;
  private int size;

  /**
   * @param capacity to begin with, in bytes
   */
  public JsonBuffer(int capacity) {
    this.bytes = new byte[capacity];
  }

  /** How many bytes were written since the last {@link #drainTo}. */
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

  private void room(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, Math.multiplyExact(bytes.length, 2)));
    }
  }

  /** Writes a character as it is, which must be ASCII. */
  public JsonBuffer raw(char c) {
    room(1);
    bytes[size++] = (byte) c;
    return this;
  }

  /** Writes JSON as it is. */
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
    if (value == Long.MIN_VALUE) {
      return raw("-9223372036854775808");
    }
    long left = value;
    if (left < 0) {
      bytes[size++] = '-';
      left = -left;
    }
    digits(left, 1);
    return this;
  }

  /** Writes a number's digits, padded with zeros to at least {@code atLeast}. */
  private void digits(long number, int atLeast) {
    int count = 1;
    for (long rest = number / 10; rest > 0; rest /= 10) {
      count++;
    }
    count = Math.max(count, atLeast);
    long rest = number;
    for (int i = size + count - 1; i >= size; i--) {
      bytes[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    size += count;
  }

  /**
   * Writes a double with the digits of {@link Double#toString}; in quotes if JSON has no number for
   * it.
   */
  public JsonBuffer number(double value) {
    double absolute = Math.abs(value);
    if (absolute >= MIN_PLAIN && absolute < MAX_PLAIN) {
      double millionths = Math.rint(absolute * MILLIONTHS);
      // The quotient is the double nearest to these few digits, so these are its digits.
      if (millionths / MILLIONTHS == absolute) {
        plain(value < 0, (long) millionths);
        return this;
      }
    }
    String text = Double.toString(value);
    return Double.isFinite(value) ? raw(text) : string(text);
  }

  private void plain(boolean negative, long millionths) {
    room(LONGEST_NUMBER);
    if (negative) {
      bytes[size++] = '-';
    }
    digits(millionths / (long) MILLIONTHS, 1);
    bytes[size++] = '.';
    digits(millionths % (long) MILLIONTHS, MAX_DECIMALS);
    for (int i = 1; i < MAX_DECIMALS && bytes[size - 1] == '0'; i++) {
      size--;
    }
  }
}
