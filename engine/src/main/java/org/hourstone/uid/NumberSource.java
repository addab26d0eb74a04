package org.hourstone.uid;

import java.util.List;

/** The source of numbers for new UIDs. A number may already be taken. Thread-safe. */
interface NumberSource {
  /**
   * The next numbers to try.
   *
   * @param count the number needed, at least 1
   * @return at least 1 and at most {@code count} numbers
   * @throws UidAssignmentException if none is left
   */
  List<byte[]> next(UidKind kind, int width, int count);

  /** Takes back numbers that were not assigned to a name, so that they may be tried again. */
  default void giveBack(UidKind kind, List<byte[]> numbers) {}

  /** The maximum number of attempts for one name. */
  int attempts();

  /** The error message if the numbers of all attempts were already taken. */
  String exhausted(UidKind kind, String name);

  /** The largest number that fits into a UID of this width, at most {@link Long#MAX_VALUE}. */
  static long maximum(int width) {
    return width == Long.BYTES ? Long.MAX_VALUE : (1L << (8 * width)) - 1;
  }
}
