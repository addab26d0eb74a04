package org.hourstone.query;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Which values of its tag a filter accepts, tested by name. */
final class ValueMatch {
  private ValueMatch() {}

  /**
   * @param looseGlobs whether a pattern with no star at either end matches anywhere within the
   *     value, as in OpenTSDB
   * @param budget of regular expressions
   */
  static Predicate<String> of(TagFilter filter, boolean looseGlobs, RegexBudget budget) {
    return switch (filter.type()) {
      case LITERAL_OR -> Set.copyOf(filter.literals())::contains;
      case NOT_LITERAL_OR -> Predicate.not(Set.copyOf(filter.literals())::contains);
      case ILITERAL_OR -> ignoringCase(filter.literals());
      case NOT_ILITERAL_OR -> ignoringCase(filter.literals()).negate();
      case WILDCARD -> glob(filter.text(), looseGlobs);
      case IWILDCARD -> {
        Predicate<String> glob = glob(lower(filter.text()), looseGlobs);
        yield value -> glob.test(lower(value));
      }
      case REGEXP -> {
        Pattern pattern = Pattern.compile(filter.text());
        yield value -> budget.find(pattern, value);
      }
      case NOT_KEY -> value -> false;
    };
  }

  private static Predicate<String> ignoringCase(List<String> literals) {
    Set<String> lower = new HashSet<>();
    literals.forEach(literal -> lower.add(lower(literal)));
    return value -> lower.contains(lower(value));
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  private static Predicate<String> glob(String pattern, boolean loose) {
    return loose ? value -> looseGlob(pattern, value) : value -> glob(pattern, value);
  }

  private static boolean glob(String pattern, String text) {
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

  /**
   * As in OpenTSDB: a star at one end only anchors the other end; every piece must occur, searched
   * from an offset that grows by the lengths of the pieces before it.
   */
  private static boolean looseGlob(String pattern, String text) {
    boolean opens = pattern.startsWith("*");
    boolean closes = pattern.endsWith("*");
    List<String> pieces =
        List.of(pattern.split("\\*")).stream().filter(piece -> !piece.isEmpty()).toList();
    if (pieces.isEmpty()) {
      return true;
    }
    if (opens && !closes && !text.endsWith(pieces.get(pieces.size() - 1))) {
      return false;
    }
    if (closes && !opens && !text.startsWith(pieces.get(0))) {
      return false;
    }
    int from = 0;
    for (String piece : pieces) {
      if (text.indexOf(piece, from) < 0) {
        return false;
      }
      from += piece.length();
    }
    return true;
  }
}
