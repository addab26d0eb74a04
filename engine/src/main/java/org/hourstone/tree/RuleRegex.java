package org.hourstone.tree;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.hourstone.error.RequestException;
import org.hourstone.internal.BoundedRegex;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression of a rule. It is user input and is applied to every new series, so its cost
 * is bounded: Java's matcher backtracks, which may take exponential time, so it is stopped after it
 * has read {@link #MAX_STEPS} characters. What reads none is bounded when the expression is
 * compiled. Thread-safe.
 */
final class RuleRegex {
  /** The maximum number of characters the matcher may read for one value. */
  static final int MAX_STEPS = 1_000_000;

  private final Pattern pattern;

  private RuleRegex(Pattern pattern) {
    this.pattern = pattern;
  }

  /**
   * @throws RequestException if it is not a regular expression, or tries too much without reading
   */
  static RuleRegex compile(String regex) {
    try {
      return new RuleRegex(BoundedRegex.compile(regex));
    } catch (PatternSyntaxException e) {
      throw new RequestException("regular expression '" + regex + "': " + e.getDescription(), e);
    }
  }

  /** How many groups in parentheses it has. */
  int groups() {
    return pattern.matcher("").groupCount();
  }

  /**
   * A group of the first match.
   *
   * @param index 0 for the first group in parentheses
   * @return null if nothing matches, or the match has no such group
   * @throws RequestException if the search takes too long
   */
  @Nullable String group(String value, int index) {
    try {
      Matcher matcher = pattern.matcher(new CountedText(value));
      return matcher.find() && index < matcher.groupCount() ? matcher.group(index + 1) : null;
    } catch (StackOverflowError e) {
      throw tooMuch(value, e);
    }
  }

  /**
   * The pieces between matches.
   *
   * @throws RequestException if the search takes too long
   */
  String[] split(String value) {
    try {
      return pattern.split(new CountedText(value));
    } catch (StackOverflowError e) {
      throw tooMuch(value, e);
    }
  }

  private RequestException tooMuch(String value, Throwable cause) {
    return new RequestException(
        "regular expression '" + pattern + "' is too deep for '" + value + "'", cause);
  }

  /** A value that counts the characters read by the matcher. For one search by one thread. */
  private final class CountedText implements CharSequence {
    private final String text;
    private int steps;

    CountedText(String text) {
      this.text = text;
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      if (++steps > MAX_STEPS) {
        throw new RequestException(
            "regular expression '"
                + pattern
                + "' takes more than "
                + MAX_STEPS
                + " steps on '"
                + text
                + "'");
      }
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.substring(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
