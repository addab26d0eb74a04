package org.hourstone.api.prometheus;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a regular expression needs, before it is compiled. It may be malformed.
 *
 * @param depth how deeply groups are nested; one more than the most of {@link #of} if it is deeper
 * @param steps about how many steps it is compiled to, each repeat as often as it says; of one that
 *     is nested too deeply, those of a part
 */
record RegexShape(int depth, long steps) {
  /** So that no product overflows. */
  private static final long MOST_STEPS = 1L << 40;

  private static final Pattern REPEAT = Pattern.compile("\\{(\\d{1,9})(?:,(\\d{0,9}))?}");

  private static final int LARGEST_REPEAT = 1000;

  /**
   * RE2/J copies the rest of an expression for each character in a class: by how many characters
   * that takes a step more.
   */
  private static final int COPIED = 1 << 12;

  /** What the ranges of characters of a class with a name, such as {@code \\p{Greek}}, may take. */
  private static final int NAMED_CLASS = 500;

  /**
   * @param deepest how deeply groups may be nested: what follows a deeper one is not read
   */
  static RegexShape of(String regex, int deepest) {
    return new Reading(regex).read(deepest);
  }

  private static final class Reading {
    private final String regex;
    private final Matcher repeat;

    /** The steps of the groups around the present one, the innermost first. */
    private final Deque<Long> outer = new ArrayDeque<>();

    private long steps;

    /**
     * The steps of what a repeat that follows would be of. Flags and an empty quotation leave it: a
     * repeat behind them is one of what precedes them.
     */
    private long last;

    private int depth;

    /** What is not in the rest of the expression, so that it is not searched for again. */
    private final Set<String> missing = new HashSet<>();

    Reading(String regex) {
      this.regex = regex;
      this.repeat = REPEAT.matcher(regex);
    }

    RegexShape read(int deepest) {
      for (int i = 0; i < regex.length() && depth <= deepest; i++) {
        switch (regex.charAt(i)) {
          case '\\' -> i = regex.startsWith("Q", i + 1) ? quoted(i + 2) : escaped(i);
          case '[' -> i = classified(i);
          case '(' -> i = begun(i);
          case ')' -> end();
          case '{' -> i = repeated(i);
          case '*', '+', '?' -> { // which may be repeated themselves behind flags
            steps = Math.min(MOST_STEPS, steps + 1);
            last++;
          }
          default -> add(1);
        }
      }
      while (!outer.isEmpty()) {
        end();
      }
      return new RegexShape(depth, steps);
    }

    private void add(long more) {
      last = more;
      steps = Math.min(MOST_STEPS, steps + more);
    }

    /** Ends a group, which has a step at its begin and at its end. */
    private void end() {
      if (outer.isEmpty()) {
        add(1);
        return;
      }
      long group = steps + 2;
      steps = outer.pop();
      add(group);
    }

    /**
     * Returns the index of the last character of a repeat; each copy may have a step of its own.
     */
    private int repeated(int at) {
      if (!repeat.region(at, regex.length()).lookingAt()) {
        add(1);
        return at;
      }
      long times = Math.max(1, Math.max(number(repeat.group(1)), number(repeat.group(2))));
      long all = Math.min(MOST_STEPS, Math.min(times, LARGEST_REPEAT + 1) * (last + 1));
      add(all - last);
      last = all;
      return repeat.end() - 1;
    }

    private static long number(@Nullable String digits) {
      return digits == null || digits.isEmpty() ? 0 : Long.parseLong(digits);
    }

    /**
     * Returns the index of the last character of an escape, such as {@code \d} or {@code \p{L}}.
     */
    private int escaped(int begin) {
      boolean isClass = begin + 1 < regex.length() && "pP".indexOf(regex.charAt(begin + 1)) >= 0;
      add(isClass ? NAMED_CLASS : 1);
      boolean isNamed =
          regex.startsWith("{", begin + 2) && (isClass || regex.startsWith("x", begin + 1));
      int end = isNamed ? find("}", begin) : -1;
      return end < 0 ? begin + 1 : end;
    }

    /** Returns the index of the last character of what is quoted by {@code \Q} and {@code \E}. */
    private int quoted(int begin) {
      int end = find("\\E", begin);
      int literals = (end < 0 ? regex.length() : end) - begin;
      if (literals > 0) {
        add(literals);
        last = 1;
      }
      return end < 0 ? regex.length() : end + 1;
    }

    /** Returns the index of the bracket that ends a class of characters. */
    private int classified(int begin) {
      int i = begin + (regex.startsWith("[^", begin) ? 2 : 1);
      i += regex.startsWith("]", i) ? 1 : 0;
      long each = 1L + regex.length() / COPIED;
      long ranges = 1;
      while (i < regex.length() && regex.charAt(i) != ']') {
        boolean isNamed = regex.startsWith("\\p", i) || regex.startsWith("\\P", i);
        ranges += isNamed ? NAMED_CLASS : each;
        int name = regex.startsWith("[:", i) ? find(":]", i + 2) : -1;
        i = name >= 0 ? name + 2 : i + (regex.charAt(i) == '\\' ? 2 : 1);
      }
      add(ranges);
      return i;
    }

    private int find(String text, int from) {
      int at = missing.contains(text) ? -1 : regex.indexOf(text, from);
      if (at < 0) {
        missing.add(text);
      }
      return at;
    }

    /** Begins a group, or sets flags; returns the index of the last character of that. */
    private int begun(int at) {
      int i = at;
      if (regex.startsWith("?", at + 1)) {
        i = at + 2;
        while (i < regex.length() && ":>)".indexOf(regex.charAt(i)) < 0) {
          i++;
        }
        if (regex.startsWith(")", i)) {
          return i;
        }
      }
      outer.push(steps);
      steps = 0;
      depth = Math.max(depth, outer.size());
      return i;
    }
  }
}
