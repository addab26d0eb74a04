package org.hourstone.query.plan;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.hourstone.internal.BoundedRegex;
import org.hourstone.query.FilterDialect;
import org.hourstone.query.RegexBudget;
import org.hourstone.query.TagFilter;

/** Which values of its tag a filter accepts, tested by name. */
public final class ValueMatch {
  private ValueMatch() {}

  /**
   * @param budget of regular expressions
   */
  public static Predicate<String> of(TagFilter filter, FilterDialect dialect, RegexBudget budget) {
    return switch (filter.type()) {
      case LITERAL_OR -> Set.copyOf(filter.literals())::contains;
      case NOT_LITERAL_OR -> Predicate.not(Set.copyOf(filter.literals())::contains);
      case ILITERAL_OR -> ignoringCase(filter.literals());
      case NOT_ILITERAL_OR -> ignoringCase(filter.literals()).negate();
      case WILDCARD -> dialect.glob(filter.text());
      case IWILDCARD -> {
        Predicate<String> glob = dialect.glob(lower(filter.text()));
        yield value -> glob.test(lower(value));
      }
      case REGEXP -> {
        Pattern pattern = BoundedRegex.compile(filter.text());
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
}
