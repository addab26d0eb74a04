package org.hourstone.query;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which values a tag may have. Filters on different tags must all hold, and so must several on one.
 * See {@code docs/query.md#filters}.
 */
public sealed interface TagFilter {
  /** The tag's name. */
  String tagk();

  /** Whether series with different values of the tag go into different results. */
  boolean groupBy();

  /** Whether a value passes. */
  boolean matches(String tagv);

  /** The tag is there, with one of the values; case counts. */
  record LiteralOr(String tagk, Set<String> values, boolean groupBy) implements TagFilter {
    public LiteralOr {
      if (values.isEmpty()) {
        throw new IllegalArgumentException("filter on tag '" + tagk + "' names no value");
      }
      values = Collections.unmodifiableSet(new TreeSet<>(values));
    }

    @Override
    public boolean matches(String tagv) {
      return values.contains(tagv);
    }
  }

  /**
   * The tag is there, and its value is the pattern's text with anything in place of each {@code *}.
   */
  record Wildcard(String tagk, String pattern, boolean ignoreCase, boolean groupBy)
      implements TagFilter {
    public Wildcard {
      if (pattern.indexOf('*') < 0) {
        throw new IllegalArgumentException("wildcard '" + pattern + "' has no *");
      }
    }

    /** Whether every value passes. */
    boolean matchesAll() {
      return pattern.chars().allMatch(c -> c == '*');
    }

    @Override
    public boolean matches(String tagv) {
      return ignoreCase
          ? glob(pattern.toLowerCase(Locale.ROOT), tagv.toLowerCase(Locale.ROOT))
          : glob(pattern, tagv);
    }

    private static boolean glob(String pattern, String text) {
      List<String> pieces = List.of(pattern.split("\\*", -1));
      String first = pieces.get(0);
      String last = pieces.get(pieces.size() - 1);
      if (!text.startsWith(first) || text.length() < first.length() + last.length()) {
        return false;
      }
      int at = first.length();
      for (String piece : pieces.subList(1, pieces.size() - 1)) {
        int found = text.indexOf(piece, at);
        if (found < 0) {
          return false;
        }
        at = found + piece.length();
      }
      return at <= text.length() - last.length() && text.endsWith(last);
    }
  }

  /**
   * A filter as it stands in braces: {@code *}, {@code a|b}, a value with {@code *} in it (where
   * case doesn't count), a plain value, or {@code type(…)} with one of literal_or, wildcard,
   * iwildcard.
   *
   * @throws IllegalArgumentException saying what is wrong
   */
  static TagFilter parse(String tagk, String text, boolean groupBy) {
    if (tagk.isEmpty() || text.isEmpty()) {
      throw new IllegalArgumentException("invalid tag filter: " + tagk + "=" + text);
    }
    int open = text.indexOf('(');
    if (open > 0 && text.endsWith(")")) {
      String argument = text.substring(open + 1, text.length() - 1);
      return ofType(tagk, text.substring(0, open), argument, groupBy);
    }
    if (text.indexOf('*') >= 0) {
      return new Wildcard(tagk, text, !text.equals("*"), groupBy);
    }
    return literalOr(tagk, text, groupBy);
  }

  private static TagFilter ofType(String tagk, String type, String argument, boolean groupBy) {
    return switch (type) {
      case "literal_or" -> literalOr(tagk, argument, groupBy);
      case "wildcard" -> new Wildcard(tagk, argument, false, groupBy);
      case "iwildcard" -> new Wildcard(tagk, argument, true, groupBy);
      default ->
          throw new IllegalArgumentException(
              "Could not find a tag value filter of the type: "
                  + type
                  + " (known: literal_or, wildcard, iwildcard)");
    };
  }

  private static TagFilter literalOr(String tagk, String text, boolean groupBy) {
    Set<String> values = new TreeSet<>();
    for (String value : text.split("\\|")) {
      if (!value.isEmpty()) {
        values.add(value);
      }
    }
    return new LiteralOr(tagk, values, groupBy);
  }
}
