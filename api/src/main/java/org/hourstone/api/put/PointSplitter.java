package org.hourstone.api.put;

/**
 * Finds the places at which the text of a put body can be cut so that each part has whole points:
 * after each of the body's values, and at the commas between the points of an array. It knows the
 * nesting and the texts of JSON and nothing else. Of a malformed body it may cut anything, but
 * never before the first fault: a parser finds that in the block that contains it. Bytes beyond
 * ASCII are never part of what it looks for, so a body may arrive in parts that end within a
 * character. Not thread-safe.
 */
final class PointSplitter {
  private int at;
  private int depth;
  private boolean started;
  private boolean isArray;
  private boolean inText;
  private boolean escaped;
  private boolean fault;
  private int cut;
  private boolean cutsArray;

  /**
   * Reads on.
   *
   * @param text what has arrived since the last cut
   * @param to its length
   */
  void read(byte[] text, int to) {
    while (at < to && !fault) {
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
      case '[', '{' -> {
        started = true;
        isArray = depth == 0 ? next == '[' : isArray;
        depth++;
      }
      case ']', '}' -> {
        depth--;
        fault = depth < 0;
        if (depth == 0) {
          cut = at + 1;
          cutsArray = false;
        }
      }
      case ' ', '\t', '\n', '\r' -> {}
      default -> readOther(next);
    }
  }

  private void readOther(byte next) {
    inText = next == '"';
    if (depth == 0) {
      fault = started || !isOfMark(next);
    } else if (next == ',' && depth == 1 && isArray) {
      cut = at;
      cutsArray = true;
    }
  }

  /** Whether a byte is one of those of a byte order mark, which may precede the first value. */
  private static boolean isOfMark(byte next) {
    return next == (byte) 0xEF || next == (byte) 0xBB || next == (byte) 0xBF;
  }

  /** Whether the text has something between its values, so that it is not that of points. */
  boolean hasFault() {
    return fault;
  }

  /** The last place to cut at; 0 if there is none. */
  int cut() {
    return cut;
  }

  /** Whether the place to cut at is that of a comma within an array. */
  boolean cutsArray() {
    return cutsArray;
  }

  /**
   * Bytes were removed from the beginning of the text: those before the cut, or blanks.
   *
   * @param bytes how many
   */
  void removed(int bytes) {
    at -= bytes;
    cut = 0;
    cutsArray = false;
  }
}
