package org.hourstone.write;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.randelshofer.fastdoubleparser.JavaDoubleParser;
import ch.randelshofer.fastdoubleparser.JavaFloatParser;
import org.hourstone.codec.Value;
import org.hourstone.internal.NumberText;

/**
 * Reads numbers as written in points. Those of the usual forms are read from bytes, without a
 * string or an object for each; all others are read by Java, or refused with the reason. See {@code
 * docs/format/text-input.md#numbers}. Not thread-safe.
 */
final class ByteNumber {
  /** In how many bytes decimals are stored. */
  enum Width {
    /** In 4 if that is exact, else in 8. */
    EXACT,
    /** In 8. */
    WIDE,
    /** In 4. */
    NARROW
  }

  /** As many digits never overflow. */
  private static final int SAFE_DIGITS = 18;

  private static final int MOST_DIGITS = 19;

  /** Integers up to this are exact as doubles. */
  private static final long EXACT_INTEGERS = 1L << 53;

  /** The powers of ten that are exact as doubles. */
  private static final double[] TENS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };

  private static final int LONGEST = 64;

  private final Width width;
  private int flags;
  private long raw;

  ByteNumber(Width width) {
    this.width = width;
  }

  /** Of the value that was read last. */
  int flags() {
    return flags;
  }

  /** Of the value that was read last. */
  long raw() {
    return raw;
  }

  /** A number of 1 to 18 digits and nothing else; -1 for any other text. */
  static long digits(byte[] text, int from, int to) {
    if (to <= from || to - from > SAFE_DIGITS) {
      return -1;
    }
    long value = 0;
    for (int i = from; i < to; i++) {
      int digit = text[i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }

  /** Reads a finite value; false if it has no usual form. */
  boolean read(byte[] text, int from, int to) {
    boolean signed = from < to && isSign(text[from]);
    boolean negative = signed && text[from] == '-';
    int first = signed ? from + 1 : from;
    if (to - first > SAFE_DIGITS + 1) {
      return decimal(text, from, to);
    }
    long digits = 0;
    int dot = -1;
    for (int i = first; i < to; i++) {
      int digit = text[i] - '0';
      if (digit >= 0 && digit <= 9) {
        digits = digits * 10 + digit;
      } else if (text[i] == '.' && dot < 0) {
        dot = i;
      } else {
        return decimal(text, from, to);
      }
    }
    if (dot >= 0 && to > first + 1) {
      if (width == Width.NARROW || digits > EXACT_INTEGERS) {
        return decimal(text, from, to);
      }
      // Both are exact, so their quotient is the double nearest to the number.
      double value = digits / TENS[to - dot - 1];
      return take(negative ? -value : value);
    }
    if (dot >= 0 || to == first || to - first > SAFE_DIGITS) {
      return false;
    }
    return take(negative ? -digits : digits);
  }

  private static boolean isSign(byte c) {
    return c == '-' || c == '+';
  }

  /** Reads what has a dot or an exponent and no other letter. */
  private boolean decimal(byte[] text, int from, int to) {
    if (to - from > LONGEST || !looksDecimal(text, from, to)) {
      return false;
    }
    try {
      if (width == Width.NARROW) {
        float value = JavaFloatParser.parseFloat(text, from, to - from);
        return Float.isFinite(value) && take(value);
      }
      double value = JavaDoubleParser.parseDouble(text, from, to - from);
      return value != 0 && Double.isFinite(value) && take(value); // 0 may be too small a number
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static boolean looksDecimal(byte[] text, int from, int to) {
    boolean decimal = false;
    for (int i = from; i < to; i++) {
      byte c = text[i];
      if (c == '.' || c == 'e' || c == 'E') {
        decimal = true;
      } else if ((c < '0' || c > '9') && !isSign(c)) {
        return false;
      }
    }
    return decimal;
  }

  /**
   * Reads a value of any form.
   *
   * @param vanishes whether a decimal closer to 0 than the smallest double becomes 0, as in
   *     OpenTSDB; else it is refused
   * @throws InvalidNumberException if it is not a number; the message says why
   */
  PointValue parse(String text, boolean vanishes) {
    byte[] bytes = text.getBytes(UTF_8);
    if (!read(bytes, 0, bytes.length)) {
      if (isInteger(text)) {
        take(parseLong(text));
      } else {
        readDecimal(text, vanishes);
      }
    }
    return new PointValue(flags, raw);
  }

  /** Whether a value's text is an integer: it has neither a dot nor an exponent. */
  private static boolean isInteger(String text) {
    return text.indexOf('.') < 0 && text.indexOf('e') < 0 && text.indexOf('E') < 0;
  }

  /** Whether a value's text requests 8 bytes: a decimal with a d at its end, as in Java. */
  static boolean isDouble(String text) {
    return (text.endsWith("d") || text.endsWith("D")) && !isInteger(text);
  }

  /**
   * Reads an integer: digits, with an optional sign.
   *
   * @throws InvalidNumberException if it is malformed; the message says how
   */
  static long parseLong(String text) {
    int first = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
    if (text.isEmpty()) {
      throw new InvalidNumberException("Empty string", "Empty string");
    }
    if (first == text.length()) {
      throw refused("Just a sign, no value", ": ", text);
    }
    if (text.length() - first > MOST_DIGITS) {
      throw refused("Value too long", ": ", text);
    }
    for (int i = first; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        throw refused("Invalid character '" + c + "'", " in ", text);
      }
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw refused("Overflow", " in ", text);
    }
  }

  private static InvalidNumberException refused(String reason, String separator, String text) {
    return new InvalidNumberException(reason + separator + text, reason);
  }

  /** Reads a decimal as Java does, which also gives the reason of a refusal. */
  private void readDecimal(String text, boolean vanishes) {
    try {
      if (width == Width.NARROW) {
        take(Float.parseFloat(text));
        return;
      }
      double value = Double.parseDouble(text);
      if (value == 0 && !vanishes && !NumberText.isHeld(text, value)) {
        String reason = "closer to 0 than the smallest double, " + Double.MIN_VALUE;
        throw new InvalidNumberException(text + " is " + reason, reason);
      }
      take(value);
    } catch (NumberFormatException e) {
      throw new InvalidNumberException(String.valueOf(e.getMessage()), "not a number");
    }
  }

  private boolean take(long value) {
    flags = Value.flagsOf(value);
    raw = value;
    return true;
  }

  private boolean take(double value) {
    float narrow = (float) value;
    if (width == Width.EXACT && narrow == value) {
      return take(narrow);
    }
    flags = Value.DOUBLE_FLAGS;
    raw = Value.rawOf(value);
    return true;
  }

  private boolean take(float value) {
    flags = Value.FLOAT_FLAGS;
    raw = Value.rawOf(value);
    return true;
  }
}
