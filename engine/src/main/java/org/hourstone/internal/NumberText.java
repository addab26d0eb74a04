package org.hourstone.internal;

import java.util.regex.Pattern;

/** Numbers as they are written, and what is read from them. */
public final class NumberText {
  /** The beginning of a number, decimal or hexadecimal, that has a digit above 0. */
  private static final Pattern NOT_ZERO =
      Pattern.compile("[^1-9eExX]*+([1-9]|[xX][0.]*+[1-9a-fA-F])");

  private NumberText() {}

  /**
   * Whether the nearest double, or float, stands for a number: that is neither too large for it,
   * nor too near to 0. Infinity stands for itself only.
   *
   * @param text which Java can read
   * @param nearest as Java reads it
   */
  public static boolean isHeld(String text, double nearest) {
    return Double.isInfinite(nearest)
        ? text.indexOf('I') >= 0
        : nearest != 0 || !NOT_ZERO.matcher(text).lookingAt();
  }
}
