package org.hourstone.api.prometheus;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a regular expression needs, before RE2/J compiles it. It may be malformed.
 *
 * @param depth how deeply groups are nested; one more than the most of {@link #of} if it is deeper
 * @param steps about how many steps it is compiled to, each repeat as often as it says, and what
 *     compiling takes beside them; of one that is nested too deeply, those of a part
 * @param isEndless whether it ignores the case of a letter for which compiling never ends
 */
record RegexShape(int depth, long steps, boolean isEndless) {
  /** So that no product overflows. */
  private static final long MOST_STEPS = 1L << 40;

  private static final Pattern REPEAT = Pattern.compile("\\{(\\d{1,9})(?:,(\\d{0,9}))?}");

  private static final int LARGEST_REPEAT = 1000;

  /**
   * RE2/J copies the rest of an expression at each group, class or letter: how many characters that
   * are copied take a step.
   */
  private static final int COPIED = 1 << 14;

  /** It also copies what alternatives have together for each of them: how much takes a step. */
  private static final int MERGED = 1 << 9;

  /** How many characters take a step if their case is ignored: each of a range is looked up. */
  private static final int FOLDED = 1 << 5;

  /** What the ranges of characters of a class with a name, such as {@code \\p{Greek}}, may take. */
  private static final int NAMED_CLASS = 500;

  /**
   * Cyrillic letters of which each is a variant of another one, which is no variant of it: RE2/J
   * looks for all variants of a letter until it comes back to it.
   */
  private static final int FIRST_ENDLESS = 0x1C80;

  private static final int LAST_ENDLESS = 0x1C88;

  /**
   * @param deepest how deeply groups may be nested: what follows a deeper one is not read
   */
  static RegexShape of(String regex, int deepest) {
    return new Reading(regex).read(deepest);
  }

  private static final class Reading {
    private final String regex;
    private final Matcher repeat;

    /** Of the groups around the present one, what {@link #begun} has put there of each. */
    private final Deque<Long> outer = new ArrayDeque<>();

    private long steps;

    /**
     * The steps of what a repeat that follows would be of. Flags and an empty quotation leave it: a
     * repeat behind them is one of what precedes them.
     */
    private long last;

    /** What is not repeated: the time that compiling takes beside the steps. */
    private long once;

    /** The steps of the last parts of the group's alternatives, which may become one class. */
    private long merged;

    private int depth;

    /** Whether case is ignored, perhaps only in a group that has ended. */
    private boolean folds;

    private boolean isEndless;

    /** The last character that {@link #character} has read. */
    private int code;

    /** What is not in the rest of the expression, so that it is not searched for again. */
    private final Set<String> missing = new HashSet<>();

    Reading(String regex) {
      this.regex = regex;
      this.repeat = REPEAT.matcher(regex);
      this.once = (long) regex.length() * regex.length() / COPIED;
    }

    RegexShape read(int deepest) {
      for (int i = 0; i < regex.length() && depth <= deepest; ) {
        switch (regex.charAt(i)) {
          case '\\' -> i = regex.startsWith("Q", i + 1) ? quoted(i + 2) : escaped(i);
          case '[' -> i = classified(i);
          case '(' -> i = begun(i);
          case ')' -> {
            end();
            i++;
          }
          case '{' -> i = repeated(i);
          case '*', '+', '?' -> { // which may be repeated themselves behind flags
            steps = Math.min(MOST_STEPS, steps + 1);
            last++;
            i++;
          }
          case '|' -> {
            merged = Math.min(MOST_STEPS, merged + last);
            once += merged / MERGED;
            add(1);
            i++;
          }
          default -> i = literal(i);
        }
      }
      while (!outer.isEmpty()) {
        end();
      }
      return new RegexShape(depth, Math.min(MOST_STEPS, steps + once), isEndless);
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
      merged = outer.pop();
      steps = outer.pop();
      add(group);
    }

    /** Each copy may have a step of its own. Returns the end of the repeat, as the next ones do. */
    private int repeated(int at) {
      if (!repeat.region(at, regex.length()).lookingAt()) {
        add(1);
        return at + 1;
      }
      long times = Math.max(1, Math.max(number(repeat.group(1)), number(repeat.group(2))));
      long all = Math.min(MOST_STEPS, Math.min(times, LARGEST_REPEAT + 1) * (last + 1));
      add(all - last);
      last = all;
      return repeat.end();
    }

    private static long number(@Nullable String digits) {
      return digits == null || digits.isEmpty() ? 0 : Long.parseLong(digits);
    }

    private int literal(int at) {
      int next = character(at);
      range(code, code);
      add(1);
      return next;
    }

    /** An escape, such as {@code \d} or {@code \p{L}}. */
    private int escaped(int at) {
      if (isNamedClass(at)) {
        add(NAMED_CLASS);
        return namedClass(at);
      }
      return literal(at);
    }

    private boolean isNamedClass(int at) {
      return regex.startsWith("\\p", at) || regex.startsWith("\\P", at);
    }

    private int namedClass(int at) {
      int end = regex.startsWith("{", at + 2) ? find("}", at) : at + 2;
      return Math.min(regex.length(), end < 0 ? at + 2 : end + 1);
    }

    /** What is quoted by {@code \Q} and {@code \E}. */
    private int quoted(int begin) {
      int end = find("\\E", begin);
      int next = end < 0 ? regex.length() : end;
      regex.substring(begin, next).codePoints().forEach(each -> range(each, each));
      if (next > begin) {
        add(next - begin);
        last = 1;
      }
      return end < 0 ? next : end + 2;
    }

    /** A class of characters, read as RE2/J does: else one could hide what follows it. */
    private int classified(int begin) {
      int i = begin + (regex.startsWith("[^", begin) ? 2 : 1);
      int first = i;
      long ranges = 1;
      while (i < regex.length() && (i == first || regex.charAt(i) != ']')) {
        int name = regex.startsWith("[:", i) ? find(":]", i + 2) : -1;
        if (name >= 0) {
          ranges++;
          i = name + 2;
        } else if (isNamedClass(i)) {
          ranges += NAMED_CLASS;
          i = namedClass(i);
        } else if (isPerlClass(i)) {
          ranges++;
          i += 2;
        } else {
          i = character(i);
          int low = code;
          if (regex.startsWith("-", i) && !regex.startsWith("]", i + 1)) {
            i = character(i + 1);
          }
          ranges += range(low, code);
        }
      }
      add(ranges);
      return i + 1;
    }

    private boolean isPerlClass(int at) {
      return regex.charAt(at) == '\\'
          && at + 1 < regex.length()
          && "dDsSwW".indexOf(regex.charAt(at + 1)) >= 0;
    }

    /** Returns how many ranges a range may be if case is ignored. */
    private long range(int low, int high) {
      if (!folds || high < low) {
        return 1;
      }
      isEndless |= low <= LAST_ENDLESS && high >= FIRST_ENDLESS;
      once += (high - low) / FOLDED;
      return Math.min(NAMED_CLASS, 1 + high - low);
    }

    /** Reads a character that may be escaped. */
    private int character(int at) {
      if (at >= regex.length()) {
        return at;
      }
      boolean isEscaped = regex.charAt(at) == '\\' && at + 1 < regex.length();
      int from = isEscaped ? at + 1 : at;
      code = regex.codePointAt(from);
      int next = from + Character.charCount(code);
      if (isEscaped && code == 'x') {
        int end = regex.startsWith("{", next) ? find("}", next) : -1;
        return end < 0 ? digits(next, next + 2, 16) : digits(next + 1, end, 16) + 1;
      }
      return isEscaped && code >= '0' && code <= '7' ? digits(from, from + 3, 8) : next;
    }

    private int digits(int from, int to, int radix) {
      int i = from;
      long value = 0;
      while (i < Math.min(to, regex.length()) && Character.digit(regex.charAt(i), radix) >= 0) {
        value = Math.min(MOST_STEPS, value * radix + Character.digit(regex.charAt(i), radix));
        i++;
      }
      code = (int) Math.min(Character.MAX_CODE_POINT, value);
      return i;
    }

    private int find(String text, int from) {
      int at = missing.contains(text) ? -1 : regex.indexOf(text, from);
      if (at < 0) {
        missing.add(text);
      }
      return at;
    }

    /** Begins a group, or sets flags. */
    private int begun(int at) {
      int i = at;
      if (regex.startsWith("?", at + 1)) {
        i = at + 2;
        boolean isNamed = regex.startsWith("P", i) || regex.startsWith("<", i);
        while (i < regex.length() && ":>)".indexOf(regex.charAt(i)) < 0) {
          folds |= !isNamed && regex.charAt(i) == 'i';
          i++;
        }
        if (regex.startsWith(")", i)) {
          return i + 1;
        }
      }
      outer.push(steps);
      outer.push(merged);
      steps = 0;
      merged = 0;
      depth = Math.max(depth, outer.size() / 2);
      return i + 1;
    }
  }
}
