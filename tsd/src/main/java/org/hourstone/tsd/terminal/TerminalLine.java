package org.hourstone.tsd.terminal;

/** A line of a terminal that is redrawn. It never wraps, even if the window becomes narrower. */
public final class TerminalLine {
  /** Erases the line. */
  public static final String CLEAR = "\r\u001b[K";

  private static final String WRAP_OFF = "\u001b[?7l";
  private static final String WRAP_ON = "\u001b[?7h";

  private TerminalLine() {}

  /** Replaces the line. */
  static String of(String text) {
    return CLEAR + WRAP_OFF + text + WRAP_ON;
  }
}
