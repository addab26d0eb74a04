package org.hourstone.internal;

/**
 * The comments that Hourstone itself writes into files of lines. Imports skip them in every mode,
 * also where {@code #} may be in names: none of them is a point, since the word after {@code #}
 * would be its time, and no time begins with a letter.
 */
public enum OwnComment {
  /** The place in an export that was reached. */
  AFTER("after "),
  /** The end of an export. */
  END("end: "),
  /** A cell that has no line in an export. */
  OMITTED("omitted: "),
  /** Why the line that follows was rejected. */
  REJECTED("rejected: "),
  /** The beginning of a line that a process which was killed has left. */
  CUT_OFF("cut off: ");

  private final String begin;

  OwnComment(String word) {
    this.begin = "# " + word;
  }

  /** The comment, without a line end. */
  public String line(String text) {
    return begin + text;
  }

  /** Whether a line is such a comment. */
  public static boolean is(String line) {
    if (line.startsWith("# ")) {
      for (OwnComment each : values()) {
        if (line.startsWith(each.begin)) {
          return true;
        }
      }
    }
    return false;
  }
}
