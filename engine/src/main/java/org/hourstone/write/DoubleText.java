package org.hourstone.write;

import ch.randelshofer.fastdoubleparser.JavaDoubleParser;

/** Reads decimal numbers from bytes, without a string or an object for each. */
public final class DoubleText {
  private static final int LONGEST = 400;

  /** Fewer digits than those of {@link Long#MAX_VALUE}, and powers of ten that are exact. */
  private static final int SHORT = 18;

  private static final long EXACT_INTEGERS = 1L << 53;

  private static final double[] TENS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18
  };

  private DoubleText() {}

  /**
   * The double nearest to a number: digits, perhaps with a sign, a point and an exponent.
   *
   * @return NaN if the text is not a decimal, or one so large or so near to 0 that no double is
   *     near it
   */
  public static double of(byte[] text, int from, int to) {
    boolean signed = from < to && isSign(text[from]);
    int first = signed ? from + 1 : from;
    if (to - first > SHORT) {
      return other(text, from, to);
    }
    long digits = 0;
    int point = -1;
    for (int i = first; i < to; i++) {
      int digit = text[i] - '0';
      if (digit >= 0 && digit <= 9) {
        digits = digits * 10 + digit;
      } else if (text[i] == '.' && point < 0) {
        point = i;
      } else {
        return other(text, from, to);
      }
    }
    if (to - first <= (point < 0 ? 0 : 1)) {
      return Double.NaN;
    }
    if (digits > EXACT_INTEGERS) {
      return other(text, from, to);
    }
    // Both are exact, so their quotient is the double nearest to the number.
    double value = point < 0 ? digits : digits / TENS[to - point - 1];
    return signed && text[from] == '-' ? -value : value;
  }

  private static boolean isSign(byte c) {
    return c == '-' || c == '+';
  }

  private static double other(byte[] text, int from, int to) {
    boolean isZero = true;
    boolean hasExponent = false;
    for (int i = from; i < to; i++) {
      byte c = text[i];
      hasExponent |= c == 'e' || c == 'E';
      if ((c < '0' || c > '9') && c != '.' && !isSign(c) && c != 'e' && c != 'E') {
        return Double.NaN; // among them the names of infinity, and hexadecimal digits
      }
      isZero &= hasExponent || c < '1' || c > '9';
    }
    if (to - from > LONGEST) {
      return Double.NaN;
    }
    try {
      double value = JavaDoubleParser.parseDouble(text, from, to - from);
      return Double.isInfinite(value) || (value == 0 && !isZero) ? Double.NaN : value;
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }
}
