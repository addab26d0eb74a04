package org.hourstone.api;

/**
 * Finds where a put body can be cut between points, while it arrives: at the commas of its array.
 * It knows the nesting and the texts of JSON and nothing else. Of a malformed body it may cut
 * anything, but never before the first fault: a parser finds that in the block that contains it.
 * Bytes beyond ASCII are never part of what it looks for, so a body may arrive in parts that end
 * within a character. Not thread-safe.
 */
final class PointSplitter {
  private int at;
  private int depth;
  private boolean isArray;
  private boolean inText;
  private boolean escaped;
  private boolean complete;
  private int cut;
  private int blanks;

  /**
   * Reads on.
   *
   * @param text what has arrived since the last cut
   * @param to its length
   */
  void read(byte[] text, int to) {
    while (at < to && !complete) {
      byte next = text[at];
      if (escaped) {
        escaped = false;
      } else if (inText) {
        inText = next != '"';
        escaped = next == '\\';
      } else {
        read(next);
      }
      at++;
    }
  }

  private void read(byte next) {
    switch (next) {
      case '"' -> inText = true;
      case '[', '{' -> {
        isArray |= depth == 0 && next == '[';
        depth++;
      }
      case ']', '}' -> depth--;
      case ',' -> cut = isArray && depth == 1 ? at : cut;
      case ' ', '\t', '\n', '\r' -> {
        blanks += depth == 0 ? 1 : 0;
        return;
      }
      default -> {}
    }
    complete = depth <= 0; // or the body begins with anything else, which is a fault
  }

  /** Whether the body's value has ended; the parser ignores what follows. */
  boolean isComplete() {
    return complete;
  }

  /** The place of the last comma between points; 0 if there is none. */
  int cut() {
    return cut;
  }

  /** How many blanks the text begins with, before the body's value. */
  int blanks() {
    return blanks;
  }

  /**
   * Bytes were removed from the beginning of the text: those before the cut, or blanks.
   *
   * @param bytes how many
   */
  void removed(int bytes) {
    at -= bytes;
    cut = 0;
    blanks = 0;
  }
}
