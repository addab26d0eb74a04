package org.hourstone.write;

/** Numbers as written in put and import lines. See {@code docs/format/text-input.md#numbers}. */
final class NumberText {
  private NumberText() {}

  /** Whether a value's text is an integer: it has neither a dot nor an exponent. */
  static boolean isInteger(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '.' || c == 'e' || c == 'E') {
        return false;
      }
    }
    return true;
  }

  /** Whether a value's text requests 8 bytes: a decimal with a d at its end, as in Java. */
  static boolean isDouble(String text) {
    return (text.endsWith("d") || text.endsWith("D")) && !isInteger(text);
  }

  /**
   * Parses an integer: digits, with an optional sign.
   *
   * @throws InvalidNumberException if it is malformed; the message says how
   */
  static long parseLong(String text) {
    if (text.isEmpty()) {
      throw new InvalidNumberException("Empty string");
    }
    boolean negative = text.charAt(0) == '-';
    int start = negative || text.charAt(0) == '+' ? 1 : 0;
    if (start == text.length()) {
      throw new InvalidNumberException("Just a sign, no value: " + text);
    }
    if (text.length() - start > 19) {
      throw new InvalidNumberException("Value too long: " + text);
    }
    long value = 0; // kept negative, since there is one more negative number than positive ones
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        throw new InvalidNumberException("Invalid character '" + c + "' in " + text);
      }
      int digit = c - '0';
      if (value < (Long.MIN_VALUE + digit) / 10) {
        throw new InvalidNumberException("Overflow in " + text);
      }
      value = value * 10 - digit;
    }
    if (negative) {
      return value;
    }
    if (value == Long.MIN_VALUE) {
      throw new InvalidNumberException("Overflow in " + text);
    }
    return -value;
  }

  /**
   * Parses a decimal.
   *
   * @param vanishes whether a number closer to 0 than the smallest double becomes 0; else it is
   *     refused
   * @throws InvalidNumberException if it is malformed; the message says how
   */
  static double parseDouble(String text, boolean vanishes) {
    try {
      double value = Double.parseDouble(text);
      if (value == 0 && !vanishes && !isZero(text)) {
        throw new InvalidNumberException(
            text + " is closer to 0 than the smallest double, " + Double.MIN_VALUE);
      }
      return value;
    } catch (NumberFormatException e) {
      throw new InvalidNumberException(String.valueOf(e.getMessage()));
    }
  }

  /** Whether a number is 0: no digit before its exponent is another. */
  private static boolean isZero(String text) {
    boolean hexadecimal = text.indexOf('x') >= 0 || text.indexOf('X') >= 0;
    char exponent = hexadecimal ? 'p' : 'e';
    for (int i = 0; i < text.length(); i++) {
      char c = Character.toLowerCase(text.charAt(i));
      if (c == exponent) {
        return true;
      }
      if (Character.digit(c, hexadecimal ? 16 : 10) > 0) {
        return false;
      }
    }
    return true;
  }

  /** Parses a decimal to the nearest float. */
  static float parseFloat(String text) {
    try {
      return Float.parseFloat(text);
    } catch (NumberFormatException e) {
      throw new InvalidNumberException(String.valueOf(e.getMessage()));
    }
  }
}
