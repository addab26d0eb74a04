package org.hourstone.tsd.terminal;

/** Words of a command line that can be pasted into a shell. */
public final class ShellWord {
  private static final String PLAIN = "[\\p{L}\\p{N}_./:@%+=,][\\p{L}\\p{N}_./:@%+=,-]*";

  private ShellWord() {}

  /** A text, quoted as one word if necessary. */
  public static String of(String text) {
    return text.matches(PLAIN) ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
