package org.hourstone.write;

import org.hourstone.error.RequestException;
import org.jspecify.annotations.Nullable;

/**
 * A line of an import file on its way to a point. For one thread.
 *
 * <p>The results of {@link PointResolver#prepare} are kept; a line that it could not parse is
 * parsed again by {@link PointResolver#resolve}, which throws the error.
 */
final class ImportLine {
  private final long number;
  private final String text;
  private final @Nullable String problem;
  private final String original;
  @Nullable PointText point;
  @Nullable Series series;

  /**
   * @param number from 1
   * @param problem why it can't be read; null if it can
   * @param original as in the file
   */
  ImportLine(long number, String text, @Nullable String problem, String original) {
    this.number = number;
    this.text = text;
    this.problem = problem;
    this.original = original;
  }

  long number() {
    return number;
  }

  String text() {
    return text;
  }

  String original() {
    return original;
  }

  boolean isEmpty() {
    return text.isEmpty() && problem == null;
  }

  /**
   * @throws RequestException if it is not text
   */
  void checkIsText() {
    if (problem != null) {
      throw new RequestException(problem);
    }
  }
}
