package org.hourstone.internal;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/** Patterns in which each star matches any text, with {@code |} between alternatives. */
public final class Glob implements Predicate<String> {
  private static final String ALTERNATIVES = "\\|";

  private final List<String> alternatives;

  private Glob(List<String> alternatives) {
    this.alternatives = alternatives;
  }

  /** A pattern that is matched by one of its alternatives, as a whole. */
  public static Glob of(String pattern) {
    return new Glob(alternatives(pattern));
  }

  @Override
  public boolean test(String text) {
    return alternatives.stream().anyMatch(each -> matches(each, text));
  }

  /**
   * Whether it is known that this matches whatever another pattern does. Its stars are taken as
   * characters, which only a star can match.
   */
  public boolean covers(Glob other) {
    return other.alternatives.stream().allMatch(this);
  }

  /** The texts between stars. */
  public List<String> pieces() {
    return alternatives.stream()
        .flatMap(each -> Arrays.stream(each.split("\\*")))
        .filter(each -> !each.isEmpty())
        .toList();
  }

  /** The texts between {@code |}; empty ones are left out. */
  public static List<String> alternatives(String pattern) {
    return Arrays.stream(pattern.split(ALTERNATIVES))
        .filter(each -> !each.isEmpty())
        .distinct()
        .toList();
  }

  private static boolean matches(String pattern, String text) {
    if (pattern.indexOf('*') < 0) {
      return pattern.equals(text);
    }
    String[] pieces = pattern.split("\\*", -1);
    String first = pieces[0];
    String last = pieces[pieces.length - 1];
    if (!text.startsWith(first) || text.length() < first.length() + last.length()) {
      return false;
    }
    int at = first.length();
    for (int i = 1; i < pieces.length - 1; i++) {
      int found = text.indexOf(pieces[i], at);
      if (found < 0) {
        return false;
      }
      at = found + pieces[i].length();
    }
    return at <= text.length() - last.length() && text.endsWith(last);
  }
}
