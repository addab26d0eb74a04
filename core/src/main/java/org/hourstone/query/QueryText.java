package org.hourstone.query;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads queries in OpenTSDB's {@code m=} form: {@code
 * aggregator:[downsample:][explicit_tags:]metric[{group by}[{filters}]]}. See {@code
 * docs/query.md#expressions}.
 */
final class QueryText {
  private QueryText() {}

  static Query parse(String text) {
    int brace = text.indexOf('{');
    String[] parts = (brace < 0 ? text : text.substring(0, brace)).split(":", -1);
    if (parts.length < 2) {
      throw new IllegalArgumentException(
          "Invalid query '" + text + "': must be aggregator:[options:]metric{filters}");
    }
    Query query = Query.metric(metric(text, parts)).aggregate(Aggregator.parse(parts[0]));
    for (int i = 1; i < parts.length - 1; i++) {
      query = withOption(query, text, parts[i]);
    }
    return brace < 0 ? query : withFilters(query, text, text.substring(brace));
  }

  private static String metric(String text, String[] parts) {
    String metric = parts[parts.length - 1];
    if (metric.isEmpty()) {
      throw new IllegalArgumentException("Invalid query '" + text + "': it names no metric");
    }
    if (metric.indexOf('}') >= 0) {
      throw new IllegalArgumentException("Invalid query '" + text + "': unbalanced braces");
    }
    return metric;
  }

  private static Query withOption(Query query, String text, String option) {
    if (option.equals("explicit_tags")) {
      return query.withExplicitTags();
    }
    if (!option.isEmpty() && Character.isDigit(option.charAt(0))) {
      return query.downsample(Downsample.parse(option));
    }
    throw new IllegalArgumentException(
        "Invalid query '"
            + text
            + "': unknown option '"
            + option
            + "' (known: a downsampling such as 5m-avg, explicit_tags)");
  }

  /** Braces: the first group by, the second only filter. */
  private static Query withFilters(Query query, String text, String braces) {
    int close = braces.indexOf('}');
    int second = braces.indexOf('{', 1);
    boolean wellFormed =
        second < 0
            ? close == braces.length() - 1
            : close == second - 1 && braces.indexOf('}', second) == braces.length() - 1;
    if (!wellFormed) {
      throw new IllegalArgumentException("Invalid query '" + text + "': unbalanced braces");
    }
    for (TagFilter filter : filters(text, braces.substring(1, close), true)) {
      query = query.filter(filter);
    }
    if (second > 0) {
      String inner = braces.substring(second + 1, braces.length() - 1);
      for (TagFilter filter : filters(text, inner, false)) {
        query = query.filter(filter);
      }
    }
    return query;
  }

  private static List<TagFilter> filters(String text, String inner, boolean groupBy) {
    List<TagFilter> filters = new ArrayList<>();
    if (inner.isEmpty()) {
      return filters;
    }
    for (String part : inner.split(",", -1)) {
      int equals = part.indexOf('=');
      if (equals < 1 || equals == part.length() - 1) {
        throw new IllegalArgumentException("Invalid query '" + text + "': bad filter: " + part);
      }
      filters.add(TagFilter.parse(part.substring(0, equals), part.substring(equals + 1), groupBy));
    }
    return filters;
  }
}
