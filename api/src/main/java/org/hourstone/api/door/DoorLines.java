package org.hourstone.api.door;

import org.hourstone.api.put.DoorPoints;
import org.hourstone.internal.ByteSearch;

/**
 * The lines of a protocol that is a text. A line that can't be read is refused with its number, and
 * the others are stored; blank lines and comments, which begin with {@code #}, have no effect. For
 * one thread.
 */
public interface DoorLines {
  /** Whether a byte is a blank, which has no effect at the begin of a line. */
  static boolean isBlank(byte c) {
    return c == ' ' || c == '\t' || c == '\r';
  }

  /** The first index that has no blank; the range's end if it has nothing else. */
  static int skipBlanks(byte[] text, int from, int to) {
    int at = from;
    while (at < to && isBlank(text[at])) {
      at++;
    }
    return at;
  }

  /**
   * The end of the line that begins at an index: the line feed after it, or the end of the text. A
   * line may have line feeds in its strings.
   */
  default int endOfLine(byte[] text, int from, int to) {
    return ByteSearch.indexOf(text, from, to, '\n');
  }

  /**
   * Adds the points of a line.
   *
   * @param from the first byte that is no blank
   * @throws LineFault if the line can't be read; then no point was added
   */
  void add(byte[] text, int from, int to) throws LineFault;

  /**
   * Adds the points of all lines, until one must be sent again: then the client sends all of them.
   *
   * @param text not changed until the points are stored
   * @param points those to which {@link #add} adds
   */
  default void addAll(byte[] text, int length, DoorPoints points) {
    int number = 1;
    int from = 0;
    while (from < length && !points.hasFailed()) {
      int end = endOfLine(text, from, length);
      int first = skipBlanks(text, from, end);
      if (first < end && text[first] != '#') {
        points.line(number);
        try {
          add(text, first, end);
        } catch (LineFault e) {
          points.refuse(text, first, end, e.reason());
        }
      }
      number += 1 + lineFeeds(text, from, end);
      from = end + 1;
    }
  }

  private static int lineFeeds(byte[] text, int from, int to) {
    int count = 0;
    int at = ByteSearch.indexOf(text, from, to, '\n');
    while (at < to) {
      count++;
      at = ByteSearch.indexOf(text, at + 1, to, '\n');
    }
    return count;
  }
}
