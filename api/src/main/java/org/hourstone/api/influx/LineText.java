package org.hourstone.api.influx;

import org.hourstone.api.door.DoorLines;
import org.hourstone.api.door.NameBytes;
import org.hourstone.internal.ByteSearch;

/** Where the parts of a line end, and what they mean without their backslashes. */
final class LineText {
  private LineText() {}

  /**
   * The end of the line that begins at an index: a line feed that is in no string, or the end of
   * the text.
   */
  static int endOfLine(byte[] text, int from, int to) {
    int end = ByteSearch.indexOf(text, from, to, '\n');
    return ByteSearch.indexOf(text, from, end, '"') == end ? end : endWithStrings(text, from, to);
  }

  private static int endWithStrings(byte[] text, int from, int to) {
    int at = DoorLines.skipBlanks(text, from, to);
    if (at < to && text[at] == '#') {
      return ByteSearch.indexOf(text, at, to, '\n');
    }
    int key = at;
    while (at < to && text[at] != '\n' && !isSpecial(text, key, at, ' ')) {
      at++;
    }
    while (at < to && text[at] != '\n') {
      boolean beforeValue = isSpecial(text, key, at, '=');
      at++;
      if (beforeValue && at < to && text[at] == '"') {
        at = Math.min(to, endOfString(text, at, to) + 1);
      }
    }
    return at;
  }

  /**
   * The index of the quote at the end of a string; the range's end if it is not there.
   *
   * @param from that of the quote at its begin
   */
  static int endOfString(byte[] text, int from, int to) {
    int at = from + 1;
    while (at < to && text[at] != '"') {
      at += text[at] == '\\' ? 2 : 1;
    }
    return Math.min(at, to);
  }

  /** Whether there is a certain character at an index, and no backslash before it. */
  static boolean isSpecial(byte[] text, int from, int at, char c) {
    return text[at] == c && (at == from || text[at - 1] != '\\');
  }

  /**
   * The index of a character that has no backslash before it; the range's end if it is not there.
   */
  static int indexOf(byte[] text, int from, int to, char c) {
    int at = ByteSearch.indexOf(text, from, to, c);
    while (at < to && !isSpecial(text, from, at, c)) {
      at = ByteSearch.indexOf(text, at + 1, to, c);
    }
    return at;
  }

  /**
   * What a name means: a backslash is left out before a comma or a space, and before an equals sign
   * but in a measurement; elsewhere it stands for itself.
   *
   * @throws org.hourstone.error.RequestException if it is not UTF-8
   */
  static String name(byte[] text, int from, int to, boolean isMeasurement) {
    byte[] plain = new byte[to - from];
    int length = 0;
    for (int i = from; i < to; i++) {
      boolean escapes =
          text[i] == '\\'
              && i + 1 < to
              && (text[i + 1] == ','
                  || text[i + 1] == ' '
                  || (text[i + 1] == '=' && !isMeasurement));
      if (escapes) {
        i++;
      }
      plain[length++] = text[i];
    }
    return NameBytes.text("a name", plain, 0, length);
  }
}
