package org.hourstone.internal;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.hourstone.error.RequestException;

/**
 * Compiles regular expressions of requests. Java's matcher backtracks, so those who match count the
 * characters that it reads, and stop it. What it tries between two of them can't be stopped: it is
 * bounded here. Thread-safe.
 */
public final class BoundedRegex {
  /** The maximum of {@link UnreadSteps#of}, which is a fraction of a millisecond. */
  static final int MOST_STEPS = 100_000;

  private static final int SHOWN = 200;

  private BoundedRegex() {}

  /**
   * @throws PatternSyntaxException if it is not a regular expression
   * @throws RequestException if it is nested too deeply, or tries too much without reading a
   *     character, as {@code ((?:^){1000}){1000}} does
   */
  public static Pattern compile(String regex) {
    try {
      Pattern pattern = Pattern.compile(regex);
      if (UnreadSteps.of(regex) > MOST_STEPS) {
        throw new RequestException(
            "regular expression '"
                + ShortText.of(regex, SHOWN)
                + "' may try more than "
                + MOST_STEPS
                + " things before it reads a character: make it simpler");
      }
      return pattern;
    } catch (StackOverflowError e) {
      throw new RequestException(
          "regular expression of " + regex.length() + " characters is nested too deeply", e);
    }
  }
}
