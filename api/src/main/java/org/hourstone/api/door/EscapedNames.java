package org.hourstone.api.door;

import java.util.Map;
import java.util.TreeMap;
import org.hourstone.uid.NameRules;
import org.hourstone.uid.SeriesName;

/**
 * Names of other protocols as names of Hourstone, and back: {@code docs/doors.md#names}. A name
 * that is not allowed here is escaped as Prometheus escapes values: {@code U__}, then each letter
 * of the name, an underscore as two, and a character that is not a letter, a digit, {@code -},
 * {@code .} or {@code /} as its code in hexadecimal between underscores. Reversible: two names
 * never become one.
 */
public final class EscapedNames {
  /** What an escaped name begins with; the whole of it is the empty name. */
  public static final String BEGIN = "U__";

  private static final int HEX = 16;
  private static final int MOST_DIGITS = 6;
  private static final int MAX_LATIN1 = 0xFF;

  private EscapedNames() {}

  /**
   * A name as it is stored.
   *
   * @param name any text, empty for a name that is absent
   */
  public static String escaped(String name, NameRules rules) {
    if (!name.startsWith(BEGIN) && rules.allows(name) && isLatin1(name)) {
      return name;
    }
    return escaped(name);
  }

  /**
   * The series that has a name and labels in another protocol, as it is stored: one without labels
   * has a tag whose name and value are empty.
   */
  public static SeriesName series(String name, Map<String, String> labels, NameRules rules) {
    Map<String, String> tags = new TreeMap<>();
    labels.forEach((label, value) -> tags.put(escaped(label, rules), escaped(value, rules)));
    if (tags.isEmpty()) {
      tags.put(BEGIN, BEGIN);
    }
    return new SeriesName(escaped(name, rules), tags);
  }

  /** Others would all be stored as {@code ?}, if they are allowed at all. */
  private static boolean isLatin1(String name) {
    return name.chars().allMatch(c -> c <= MAX_LATIN1);
  }

  private static String escaped(String name) {
    StringBuilder escaped = new StringBuilder(BEGIN);
    name.codePoints().forEach(c -> escape(c, escaped));
    return escaped.toString();
  }

  private static void escape(int c, StringBuilder to) {
    if (c == '_') {
      to.append("__");
    } else if (isKept(c)) {
      to.append((char) c);
    } else {
      to.append('_').append(Integer.toHexString(c)).append('_');
    }
  }

  private static boolean isKept(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '-'
        || c == '.'
        || c == '/';
  }

  /** The name that is stored so; the same if it is not an escaped one. */
  public static String original(String stored) {
    String original = decoded(stored);
    return isEscapedAlways(original) && escaped(original).equals(stored) ? original : stored;
  }

  /**
   * The name that someone has escaped so, also one that need not be escaped here; the same if it is
   * not an escaped one.
   */
  public static String decoded(String escaped) {
    if (!escaped.startsWith(BEGIN)) {
      return escaped;
    }
    StringBuilder name = new StringBuilder();
    int i = BEGIN.length();
    while (i < escaped.length()) {
      char c = escaped.charAt(i);
      if (c != '_') {
        name.append(c);
        i++;
      } else if (escaped.startsWith("__", i)) {
        name.append('_');
        i += 2;
      } else {
        int end = escaped.indexOf('_', i + 1);
        int code = end < 0 ? -1 : code(escaped, i + 1, end);
        if (code < 0) {
          return escaped; // a name of its own that begins so
        }
        name.appendCodePoint(code);
        i = end + 1;
      }
    }
    return name.toString();
  }

  /** Whether a name is escaped whatever the rules are; if not, it was stored as it is. */
  private static boolean isEscapedAlways(String name) {
    return name.isEmpty()
        || name.startsWith(BEGIN)
        || !name.chars().allMatch(c -> c == '_' || isKept(c));
  }

  /** A code point in hexadecimal; -1 if it is not one. */
  private static int code(String text, int from, int to) {
    if (to - from > MOST_DIGITS) {
      return -1;
    }
    int code = 0;
    for (int i = from; i < to; i++) {
      int digit = Character.digit(text.charAt(i), HEX);
      if (digit < 0) {
        return -1;
      }
      code = code * HEX + digit;
    }
    boolean isHalfOfPair = code >= Character.MIN_SURROGATE && code <= Character.MAX_SURROGATE;
    return Character.isValidCodePoint(code) && !isHalfOfPair ? code : -1;
  }
}
