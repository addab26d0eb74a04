package org.hourstone.api.door;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import org.hourstone.error.RequestException;

/** Names as bytes of a request. */
public final class NameBytes {
  private NameBytes() {}

  /**
   * The text of some bytes.
   *
   * @param what they are, for the reason of a refusal
   * @throws RequestException if they are not UTF-8
   */
  public static String text(String what, byte[] utf8, int from, int to) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8, from, to - from)).toString();
    } catch (CharacterCodingException e) {
      throw new RequestException(what + " is not UTF-8", e);
    }
  }

  /**
   * Checks a length, before bytes become text.
   *
   * @param whatHas that has them, with the verb
   * @throws RequestException if there are more than the most
   */
  public static void check(String whatHas, long bytes, int most) {
    if (bytes > most) {
      throw new RequestException(tooLong(whatHas, bytes, most));
    }
  }

  /** Why something is refused that has more bytes than the most, as {@link #check} says it. */
  public static String tooLong(String whatHas, long bytes, int most) {
    return whatHas + " " + bytes + " bytes, more than " + most;
  }
}
