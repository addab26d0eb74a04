package org.hourstone.kv.hbase;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.util.Pair;
import org.hourstone.kv.FuzzyRow;
import org.hourstone.kv.RowFilter;
import org.hourstone.kv.RowPattern;
import org.jspecify.annotations.Nullable;

/**
 * Translates row filters to HBase's built-in filters, so nothing must be installed on region
 * servers.
 *
 * <p>They keep all rows that {@link RowFilter#matches} accepts, and more only where it is stated
 * here. The cursor calls {@code matches} for every row it gets.
 */
final class RowFilters {
  /** A term with more values than this is sent as "any value": the request would grow too large. */
  static final int MAX_VALUES = 2_000;

  private RowFilters() {}

  /** The filter to send, or null for none. */
  static @Nullable Filter of(RowFilter filter) {
    if (filter instanceof FuzzyRow fuzzy) {
      return all(List.of(skipping(fuzzy), matching("\\A.{" + fuzzy.template().length + "}\\z")));
    }
    if (filter instanceof RowPattern pattern) {
      return matching(expression(pattern));
    }
    if (filter instanceof RowFilter.AllOf all) {
      List<Filter> parts = new ArrayList<>();
      for (RowFilter each : all.filters()) {
        Filter part = of(each);
        if (part != null) {
          parts.add(part);
        }
      }
      return parts.isEmpty() ? null : all(parts);
    }
    return null;
  }

  private static Filter all(List<Filter> parts) {
    return parts.size() == 1
        ? parts.get(0)
        : new FilterList(FilterList.Operator.MUST_PASS_ALL, parts);
  }

  /** Skips from match to match, but also keeps longer rows that begin like a match. */
  private static Filter skipping(FuzzyRow fuzzy) {
    byte[] mask = new byte[fuzzy.fixed().length];
    for (int i = 0; i < mask.length; i++) {
      mask[i] = (byte) (fuzzy.fixed()[i] ? 0 : 1);
    }
    return new FuzzyRowFilter(List.of(new Pair<>(fuzzy.template().clone(), mask)));
  }

  /**
   * Keeps rows in which the expression is found; each byte is interpreted as the character with its
   * number.
   */
  private static Filter matching(String expression) {
    RegexStringComparator comparator = new RegexStringComparator(expression, Pattern.DOTALL);
    comparator.setCharset(StandardCharsets.ISO_8859_1);
    return new org.apache.hadoop.hbase.filter.RowFilter(CompareOperator.EQUAL, comparator);
  }

  /** The pattern as a regular expression, see {@link RowPattern#matches}. */
  static String expression(RowPattern pattern) {
    String pair = ".{" + (pattern.keyWidth() + pattern.valueWidth()) + "}";
    StringBuilder expression = new StringBuilder("\\A.{" + pattern.skip() + "}");
    for (RowPattern.Term term : pattern.terms()) {
      String key = literal(term.key());
      // Of pairs with the same key, the first one applies.
      String first = "(?:(?!" + key + ")" + pair + ")*+" + key;
      expression.append(
          switch (term.presence()) {
            case ANY_VALUE -> "(?=" + first + ")";
            case ABSENT -> "(?!" + first + ")";
            case ONE_OF -> "(?=" + first + values(term.values()) + ")";
          });
    }
    String rest = pair;
    if (pattern.onlyTerms()) {
      String keys =
          pattern.terms().stream()
              .map(term -> literal(term.key()))
              .collect(Collectors.joining("|"));
      rest = pattern.terms().isEmpty() ? "" : "(?:" + keys + ").{" + pattern.valueWidth() + "}";
    }
    return expression.append("(?:").append(rest).append(")*+\\z").toString();
  }

  private static String values(List<byte[]> values) {
    if (values.size() > MAX_VALUES) {
      return "";
    }
    return values.stream().map(RowFilters::literal).collect(Collectors.joining("|", "(?:", ")"));
  }

  private static String literal(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte each : bytes) {
      text.append("\\x%02X".formatted(each));
    }
    return text.toString();
  }
}
