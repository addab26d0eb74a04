package org.hourstone.query;

import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.hourstone.internal.BoundedRegex;

/**
 * Bounds the cost of regular expressions: some take exponential time on crafted values. Every
 * character read counts, so a runaway expression is stopped quickly; {@link BoundedRegex} bounds
 * what reads none. Several threads may match at once: each reports regularly what it has read.
 * Thread-safe.
 */
public final class RegexBudget {
  /** How many characters a thread reads between its reports. */
  private static final int AT_ONCE = 4096;

  /** How many matches there are between two checks, however little they read. */
  private static final int MATCHES_AT_ONCE = 16;

  private final long limit;
  private final Runnable check;
  private final AtomicLong spent = new AtomicLong();
  private final AtomicLong matches = new AtomicLong();

  /**
   * @param limit characters read by all matches
   * @param check is called regularly; what it throws ends the match
   */
  RegexBudget(long limit, Runnable check) {
    this.limit = limit;
    this.check = check;
  }

  /**
   * Whether an expression is found in a text.
   *
   * @param pattern by {@link BoundedRegex}
   * @throws QueryLimitException if the budget is spent
   */
  public boolean find(Pattern pattern, String text) {
    if (matches.incrementAndGet() % MATCHES_AT_ONCE == 0) {
      check.run(); // each may have taken a while without reading much
    }
    Reading reading = new Reading(pattern);
    try {
      return pattern.matcher(new Counted(text, reading)).find();
    } catch (StackOverflowError e) {
      throw exceeded(pattern, "is nested too deeply");
    } finally {
      spent.addAndGet(reading.unreported);
    }
  }

  private static QueryLimitException exceeded(Pattern pattern, String why) {
    return new QueryLimitException(
        QueryLimitException.Limit.REGEX, "the regular expression " + pattern + " " + why);
  }

  /** One match, by one thread. */
  private final class Reading {
    private final Pattern pattern;
    private long unreported;
    private long free = Math.min(AT_ONCE, limit - spent.get());

    Reading(Pattern pattern) {
      this.pattern = pattern;
    }

    void count() {
      if (++unreported > free) {
        report();
      }
    }

    private void report() {
      long all = spent.addAndGet(unreported);
      unreported = 0;
      free = Math.min(AT_ONCE, limit - all);
      if (all > limit) {
        throw exceeded(
            pattern,
            "takes more than "
                + limit
                + " steps (hourstone.query.limits.regex_steps): make it simpler");
      }
      check.run();
    }
  }

  private record Counted(CharSequence text, Reading reading) implements CharSequence {
    @Override
    public char charAt(int index) {
      reading.count();
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return new Counted(text.subSequence(start, end), reading);
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }
}
