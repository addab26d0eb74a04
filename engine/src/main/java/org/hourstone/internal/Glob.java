package org.hourstone.internal;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/** Patterns in which each star matches any text, with {@code |} between alternatives. */
public final class Glob {
  private static final String ALTERNATIVES = "\\|";

  private Glob() {}

  /** Whether a text matches one of the alternatives of a pattern, as a whole. */
  public static Predicate<String> of(String pattern) {
    List<String> alternatives = alternatives(pattern);
    return text -> alternatives.stream().anyMatch(each -> matches(each, text));
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
