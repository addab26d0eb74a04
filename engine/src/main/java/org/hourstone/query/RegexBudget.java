package org.hourstone.query;

import java.util.regex.Pattern;

/**
 * Bounds the cost of regular expressions: some take exponential time on crafted values. Every
 * character read counts, so a runaway expression is stopped quickly. For one query. Thread-safe.
 */
final class RegexBudget {
  private final long limit;
  private long spent;

  /**
   * @param limit characters read in the whole query
   */
  RegexBudget(long limit) {
    this.limit = limit;
  }

  /**
   * Whether an expression is found in a text.
   *
   * @throws QueryLimitException if the budget is spent
   */
  synchronized boolean find(Pattern pattern, String text) {
    try {
      return pattern.matcher(new Counted(text, pattern)).find();
    } catch (StackOverflowError e) {
      throw exceeded(pattern, "nests too deep");
    }
  }

  private QueryLimitException exceeded(Pattern pattern, String why) {
    return new QueryLimitException(
        QueryLimitException.Limit.REGEX, "the regular expression " + pattern + " " + why);
  }

  private final class Counted implements CharSequence {
    private final CharSequence text;
    private final Pattern pattern;

    Counted(CharSequence text, Pattern pattern) {
      this.text = text;
      this.pattern = pattern;
    }

    @Override
    public char charAt(int index) {
      if (++spent > limit) {
        throw exceeded(
            pattern,
            "takes more than "
                + limit
                + " steps (hourstone.query.limits.regex_steps): make it simpler");
      }
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return new Counted(text.subSequence(start, end), pattern);
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }
}
