package org.hourstone.uid;

import java.util.List;

/** The source of numbers for new UIDs. A number may already be taken. Thread-safe. */
interface NumberSource {
  /**
   * The next numbers to try.
   *
   * @param count how many are needed, at least 1
   * @return at least 1, at most {@code count}
   * @throws UidAssignmentException if none is left
   */
  List<byte[]> next(UidKind kind, int width, int count);

  /** How many numbers are tried for one name. */
  int attempts();

  /** The message for the case that all of these were taken. */
  String exhausted(UidKind kind, String name);

  /** The largest number that fits, at most {@link Long#MAX_VALUE}. */
  static long maximum(int width) {
    return width == Long.BYTES ? Long.MAX_VALUE : (1L << (8 * width)) - 1;
  }
}
