package org.hourstone.query;

import java.util.ArrayList;
import java.util.List;

/** The colon-separated parts of a query in OpenTSDB's {@code m=} form. */
public final class ExpressionParts {
  private ExpressionParts() {}

  /**
   * The parts between colons that are not within braces, brackets or parentheses: the aggregator,
   * options, and finally the metric with its filters. There is at least one, which may be empty.
   */
  public static List<String> of(String expression) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int start = 0;
    for (int i = 0; i < expression.length(); i++) {
      char c = expression.charAt(i);
      if (c == '{' || c == '[' || c == '(') {
        depth++;
      } else if (c == '}' || c == ']' || c == ')') {
        depth--;
      } else if (c == ':' && depth <= 0) {
        parts.add(expression.substring(start, i));
        start = i + 1;
      }
    }
    parts.add(expression.substring(start));
    return parts;
  }
}
