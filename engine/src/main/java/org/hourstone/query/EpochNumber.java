package org.hourstone.query;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hourstone.error.RequestException;

/**
 * A number as a time: seconds since the epoch, with a fraction of any length, or milliseconds if it
 * has more than ten digits. Digits beyond the millisecond are dropped. The exponent form of a
 * number means the number.
 */
final class EpochNumber {
  private static final Pattern EXPONENT = Pattern.compile("\\d+(?:\\.\\d+)?[eE][+-]?\\d{1,2}");
  private static final Pattern FRACTION = Pattern.compile("(\\d+)\\.(\\d+)");
  private static final Pattern DIGITS = Pattern.compile("\\d{1,15}");
  private static final int LONGEST_SECONDS = 10;

  /** Numbers in exponent form have at most this number of digits before the exponent. */
  private static final int LONGEST_MANTISSA = 40;

  private EpochNumber() {}

  /**
   * The time in milliseconds since the epoch.
   *
   * @throws RequestException if the text is not such a number; the message says how
   */
  static long millis(String text) {
    if (EXPONENT.matcher(text).matches() && text.length() <= LONGEST_MANTISSA) {
      return ofPlain(text, plain(text));
    }
    return ofPlain(text, text);
  }

  /** Without an exponent, and without zeros after a fraction that the exponent made. */
  private static String plain(String text) {
    BigDecimal number = new BigDecimal(text);
    return number.scale() > 0 && number.stripTrailingZeros().scale() <= 0
        ? number.toBigInteger().toString()
        : number.toPlainString();
  }

  private static long ofPlain(String text, String number) {
    Matcher fraction = FRACTION.matcher(number);
    if (!fraction.matches()) {
      return epoch(text, number, number.length() <= LONGEST_SECONDS ? 1000 : 1);
    }
    String whole = fraction.group(1);
    String part = fraction.group(2);
    if (whole.length() > LONGEST_SECONDS) {
      if (!part.chars().allMatch(c -> c == '0')) {
        throw refused(text, "A fraction of a millisecond, or seconds of more than ten digits");
      }
      return epoch(text, whole, 1);
    }
    return epoch(text, whole, 1000) + Long.parseLong((part + "00").substring(0, 3));
  }

  /**
   * A whole number of units.
   *
   * @param text for messages
   * @param digits of the number
   */
  static long epoch(String text, String digits, int unitMillis) {
    if (!DIGITS.matcher(digits).matches()) {
      throw refused(text, flaw(text, digits));
    }
    return Long.parseLong(digits) * unitMillis;
  }

  private static String flaw(String text, String digits) {
    if (digits.matches("-\\d.*")) {
      return "Negative timestamps are not supported.";
    }
    for (int i = 0; i < digits.length(); i++) {
      char c = digits.charAt(i);
      if (c < '0' || c > '9') {
        return "Invalid character '" + c + "' in " + text;
      }
    }
    return digits.isEmpty() ? "Empty string" : "Value too long: " + text;
  }

  private static RequestException refused(String text, String why) {
    return new RequestException("Invalid time: " + text + ". " + why);
  }
}
