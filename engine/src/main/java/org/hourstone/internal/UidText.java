package org.hourstone.internal;

import java.util.HexFormat;
import org.hourstone.error.RequestException;

/** UIDs and TSUIDs as text: hex digits, written in upper case and parsed in either case. */
public final class UidText {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private UidText() {}

  public static String format(byte[] uid) {
    return HEX.formatHex(uid);
  }

  /**
   * The bytes of a UID or TSUID. An odd number of digits is padded with a leading zero, as in
   * OpenTSDB.
   *
   * @throws RequestException if the text is not hex
   */
  public static byte[] parse(String text) {
    try {
      return HEX.parseHex(text.length() % 2 == 0 ? text : "0" + text);
    } catch (IllegalArgumentException e) {
      throw new RequestException("contains illegal character for hexBinary: " + text, e);
    }
  }
}
