package org.hourstone.write;

/** Prepares arbitrary text for display: on one line, without control characters, truncated. */
public final class SingleLine {
  private static final int MAX_CHARS = 300;

  private SingleLine() {}

  /** The text with control characters as {@code \xNN}, truncated if it is too long. */
  public static String of(String text) {
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (shown.length() >= MAX_CHARS) {
        return shown.append("…").toString();
      }
      if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
        shown.append(String.format("\\x%02x", (int) c));
      } else {
        shown.append(c);
      }
    }
    return shown.toString();
  }
}
