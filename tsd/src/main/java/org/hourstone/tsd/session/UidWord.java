package org.hourstone.tsd.session;

import java.math.BigInteger;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A UID on the command line. */
public final class UidWord {
  private static final Pattern BYTES = Pattern.compile("\\[ *-?\\d{1,3}( *, *-?\\d{1,3})* *\\]");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,19}");

  private UidWord() {}

  /**
   * A UID in hex, as a number, or as bytes in the form used by messages.
   *
   * @return null if the text is not a UID of this width
   */
  public static byte @Nullable [] parse(String text, int width) {
    if (text.length() == 2 * width && text.chars().allMatch(HexFormat::isHexDigit)) {
      return HexFormat.of().parseHex(text);
    }
    if (NUMBER.matcher(text).matches()) {
      return fit(new BigInteger(text), width);
    }
    return BYTES.matcher(text).matches() ? bytes(text, width) : null;
  }

  private static byte @Nullable [] fit(BigInteger number, int width) {
    if (number.bitLength() > 8 * width) {
      return null;
    }
    byte[] uid = new byte[width];
    for (int i = 0; i < width; i++) {
      uid[width - 1 - i] = number.shiftRight(8 * i).byteValue();
    }
    return uid;
  }

  private static byte @Nullable [] bytes(String text, int width) {
    String[] parts = text.replaceAll("[\\[\\] ]", "").split(",");
    if (parts.length != width) {
      return null;
    }
    byte[] uid = new byte[width];
    for (int i = 0; i < width; i++) {
      uid[i] = (byte) Integer.parseInt(parts[i]);
    }
    return uid;
  }
}
