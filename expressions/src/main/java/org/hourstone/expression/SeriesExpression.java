package org.hourstone.expression;

import java.util.ArrayList;
import java.util.List;

/**
 * Functions of queries, such as {@code scale(sum:sys.cpu.user{host=*},2)}. Immutable. See {@code
 * docs/expressions.md#functions}.
 */
public final class SeriesExpression {
  private final String text;
  private final Term root;

  SeriesExpression(String text, Term root) {
    this.text = text;
    this.root = root;
  }

  /**
   * Parses an expression.
   *
   * @throws ExpressionException if it is invalid, with the reason and the place
   */
  public static SeriesExpression parse(String text) {
    return parse(text, ExpressionDialect.HOURSTONE);
  }

  /** As {@link #parse(String)}, in a dialect. */
  public static SeriesExpression parse(String text, ExpressionDialect dialect) {
    return new SeriesExpressionParser(text, dialect).parse();
  }

  Term root() {
    return root;
  }

  /** The texts of the queries in it, in their order. */
  public List<String> queries() {
    List<String> queries = new ArrayList<>();
    collect(root, queries);
    return queries;
  }

  private static void collect(Term term, List<String> queries) {
    if (term instanceof Term.Metric metric) {
      queries.add(metric.text());
    } else if (term instanceof Term.Call call) {
      call.arguments().forEach(argument -> collect(argument, queries));
    }
  }

  /** The place of an error in an expression, for the end of a message. */
  static String place(String text, int position) {
    return ", at character " + (position + 1) + " of " + text;
  }

  /** The expression as it was written. */
  @Override
  public String toString() {
    return text;
  }
}
