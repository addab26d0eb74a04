package org.hourstone.internal;

/**
 * How much Java's matcher may try at most before it reads a character, or between two that it
 * reads, by a regular expression that it can compile: repeats of what may be empty multiply, and so
 * do empty alternatives one after another. For one expression by one thread.
 */
final class UnreadSteps {
  private static final double MOST = 1e18;

  private static final int NONE = -1;

  private final String regex;
  private int at;

  /** Whether blanks, and what follows a number sign in a line, are no part of it. */
  private boolean hasComments;

  /** Whether lines end by {@code \n} only. */
  private boolean isUnix;

  /**
   * A part of an expression.
   *
   * @param ways in how many ways it matches without reading a character
   * @param steps what is tried by all of them
   * @param ends in how many ways it goes on to its end behind a character that it has read, without
   *     reading another one; 0 if it reads none
   * @param within what is tried at most behind such a character
   */
  private record Part(double ways, double steps, double ends, double within) {
    static final Part CHARACTER = new Part(0, 1, 1, 1);
    static final Part EMPTY = new Part(1, 1, 0, 0);

    /** A group that was matched before: it may be empty, or not. */
    static final Part GROUP = new Part(1, 1, 1, 1);

    Part then(Part next) {
      return new Part(
          product(ways, next.ways),
          steps + product(ways, next.steps),
          Math.max(product(ends, next.ways), next.ends),
          Math.max(within + product(ends, next.steps), next.within));
    }

    Part or(Part other) {
      return new Part(
          ways + other.ways,
          steps + other.steps,
          Math.max(ends, other.ends),
          Math.max(within, other.within));
    }

    /** A repeat ends with a round that reads nothing, unless more are wanted. */
    Part repeated(int least, boolean isMore) {
      double all = product(power(ways, least), isMore ? 1 + ways : 1);
      double rounds = product(steps, powers(ways, isMore ? least : least - 1));
      return new Part(
          all, 1 + rounds, product(ends, Math.max(1, all)), within + product(ends, 1 + rounds));
    }

    /** What it has matched once is not matched in another way. */
    Part once() {
      return new Part(Math.min(1, ways), steps, Math.min(1, ends), within);
    }

    /** It is tried, and then matching goes on where it was. */
    Part ahead() {
      return new Part(1, steps, ends == 0 ? 0 : 1, within);
    }

    private static double product(double a, double b) {
      return a == 0 || b == 0 ? 0 : Math.min(MOST, a * b);
    }

    private static double power(double base, int exponent) {
      return Math.min(MOST, Math.pow(base, exponent));
    }

    /** The sum of the powers up to an exponent, which may be -1. */
    private static double powers(double base, int last) {
      return base == 1 ? last + 1.0 : Math.min(MOST, (Math.pow(base, last + 1.0) - 1) / (base - 1));
    }
  }

  private UnreadSteps(String regex) {
    this.regex = regex;
  }

  /**
   * @param regex that can be compiled
   */
  static double of(String regex) {
    UnreadSteps reading = new UnreadSteps(unquoted(regex));
    Part all = reading.alternatives();
    // Else it was not read as Java does, and may have a part that was not seen.
    return reading.peek() == NONE ? Math.max(all.steps, all.within) : MOST;
  }

  /** As Java does before it compiles: what is between {@code \Q} and {@code \E} is escaped. */
  private static String unquoted(String regex) {
    if (!regex.contains("\\Q")) {
      return regex;
    }
    StringBuilder plain = new StringBuilder();
    boolean isQuoted = false;
    boolean isFirst = false;
    for (int i = 0; i < regex.length(); i++) {
      char each = regex.charAt(i);
      char next = i + 1 < regex.length() ? regex.charAt(i + 1) : 0;
      if (each == '\\' && next == (isQuoted ? 'E' : 'Q')) {
        isQuoted = !isQuoted;
        isFirst = isQuoted;
        i++;
        continue;
      }
      if (!isQuoted) {
        plain.append(each);
        if (each == '\\' && i + 1 < regex.length()) {
          plain.append(next);
          i++;
        }
      } else if (each > 0x7F || Character.isLetter(each) || (isDigit(each) && !isFirst)) {
        plain.append(each);
      } else {
        plain.append(isDigit(each) ? "\\x3" : "\\").append(each);
      }
      isFirst = false;
    }
    return plain.toString();
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  /** The next character that is a part of the expression; {@link #NONE} at its end. */
  private int peek() {
    while (hasComments && at < regex.length()) {
      char next = regex.charAt(at);
      if (next == '#') {
        do {
          at++;
        } while (at < regex.length() && !endsLine(regex.charAt(at)));
      } else if (next == ' ' || (next >= '\t' && next <= '\r')) {
        at++;
      } else {
        break;
      }
    }
    return at < regex.length() ? regex.charAt(at) : NONE;
  }

  private boolean endsLine(char c) {
    return c == '\n' || c == 0 || (!isUnix && (c == '\r' || c == '\u0085' || (c | 1) == '\u2029'));
  }

  private boolean skips(int expected) {
    if (peek() == expected) {
      at++;
      return true;
    }
    return false;
  }

  private void skipTo(char end) {
    for (int next = peek(); next != end && next != NONE; next = peek()) {
      at++;
    }
    skips(end);
  }

  private Part alternatives() {
    Part all = sequence();
    while (skips('|')) {
      all = all.or(sequence());
    }
    return all;
  }

  private Part sequence() {
    Part all = Part.EMPTY;
    for (int next = peek(); next != NONE && next != '|' && next != ')'; next = peek()) {
      all = all.then(quantified(part(next)));
    }
    return all;
  }

  private Part part(int next) {
    return switch (next) {
      case '(' -> group();
      case '[' -> {
        skipClass();
        yield Part.CHARACTER;
      }
      case '\\' -> escaped();
      case '{' -> Part.EMPTY; // repeats what is before it, which is nothing
      case '^', '$' -> {
        at++;
        yield Part.EMPTY;
      }
      default -> {
        at++;
        yield Part.CHARACTER;
      }
    };
  }

  private Part quantified(Part part) {
    int least = 0;
    boolean isMore = true;
    switch (peek()) {
      case '?', '*' -> at++;
      case '+' -> {
        least = 1;
        at++;
      }
      case '{' -> {
        at++;
        least = number();
        isMore = skips(',');
        if (isMore && isDigit(peek())) {
          isMore = number() > least;
        }
        skips('}');
      }
      default -> {
        return part;
      }
    }
    Part repeated = part.repeated(least, isMore);
    if (skips('+')) {
      return repeated.once();
    }
    skips('?');
    return repeated;
  }

  private int number() {
    long number = 0;
    for (int next = peek(); isDigit(next); next = peek()) {
      number = Math.min(Integer.MAX_VALUE, number * 10 + next - '0');
      at++;
    }
    return (int) number;
  }

  private Part group() {
    boolean hadComments = hasComments;
    boolean wasUnix = isUnix;
    at++;
    boolean isOnce = false;
    boolean isAhead = false;
    if (skips('?')) {
      int kind = at < regex.length() ? regex.charAt(at) : NONE;
      switch (kind) {
        case '>' -> isOnce = true;
        case '=', '!' -> isAhead = true;
        case '<' -> {
          at++;
          isAhead = "=!".indexOf(peek()) >= 0;
        }
        default -> {}
      }
      if (kind == '<' && !isAhead) {
        skipTo('>');
      } else if ("<=!>".indexOf(kind) >= 0) {
        at++;
      } else if (flags()) {
        return Part.EMPTY; // they are for the rest of the group around it
      }
    }
    Part inside = alternatives();
    skips(')');
    hasComments = hadComments;
    isUnix = wasUnix;
    return isAhead ? inside.ahead() : isOnce ? inside.once() : inside;
  }

  /** Sets flags, up to a colon, or to the end of the group: then the result is true. */
  private boolean flags() {
    boolean isOn = true;
    for (int next = peek(); next != NONE; next = peek()) {
      at++;
      switch (next) {
        case ')' -> {
          return true;
        }
        case ':' -> {
          return false;
        }
        case '-' -> isOn = false;
        case 'x' -> hasComments = isOn;
        case 'd' -> isUnix = isOn;
        default -> {}
      }
    }
    return true;
  }

  /** A bracket that ends a class is a character if it is the first one in it. */
  private void skipClass() {
    at++;
    if (peek() == '^' && regex.charAt(at - 1) == '[') {
      at++;
    }
    boolean isEmpty = true;
    for (int next = peek(); next != NONE; next = peek()) {
      if (next == ']' && !isEmpty) {
        at++;
        return;
      }
      if (next == '&' && regex.startsWith("&&", at)) {
        at += 2;
        continue;
      }
      isEmpty = false;
      switch (next) {
        case '[' -> skipClass();
        case '\\' -> {
          Part unused = escaped();
        }
        default -> at++;
      }
    }
  }

  private Part escaped() {
    at++;
    int kind = at < regex.length() ? regex.charAt(at++) : NONE;
    switch (kind) {
      case 'b', 'B', 'A', 'G', 'Z', 'z' -> {
        if (kind == 'b' && peek() == '{') {
          skipTo('}');
        }
        return Part.EMPTY;
      }
      case 'k' -> {
        skipTo('>');
        return Part.GROUP;
      }
      case 'c' -> {
        int unused = peek(); // whatever it is
        at++;
      }
      case 'p', 'P', 'N', 'x' -> {
        if (peek() == '{') {
          skipTo('}');
        }
      }
      default -> {
        if (kind >= '1' && kind <= '9') {
          int unused = number();
          return Part.GROUP;
        }
      }
    }
    return Part.CHARACTER;
  }
}
