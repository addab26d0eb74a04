package org.hourstone.expression;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.error.RequestException;
import org.hourstone.expression.Arguments.Word;
import org.hourstone.expression.ExpressionException.Kind;
import org.hourstone.query.Query;

/**
 * Parses a series expression from left to right. An argument whose name is followed by a
 * parenthesis is a call, one with a colon is a query, and any other is a word; commas and
 * parentheses in braces, brackets or quotes belong to it.
 */
final class SeriesExpressionParser {
  private static final int MAX_LENGTH = 65_536;
  private static final int MAX_DEPTH = 64;

  private final String text;
  private final ExpressionDialect dialect;
  private int at;

  SeriesExpressionParser(String text, ExpressionDialect dialect) {
    this.text = text;
    this.dialect = dialect;
  }

  SeriesExpression parse() {
    if (text.length() > MAX_LENGTH) {
      throw new ExpressionException(
          "expression of " + text.length() + " characters; at most " + MAX_LENGTH + " are read",
          Kind.REFUSED,
          "Expression too long");
    }
    skipBlanks();
    int start = at;
    String name = raw();
    if (!isAt('(')) {
      throw unparsable("no function; an expression is such as scale(sum:my.metric,2)", start);
    }
    Term root = call(name, start, 1);
    skipBlanks();
    if (at < text.length() && !dialect.ignoresRest()) {
      throw unparsable("unexpected '" + text.charAt(at) + "' after the end", at);
    }
    return new SeriesExpression(text, root);
  }

  /** A call, from its opening parenthesis on. */
  private Term call(String name, int start, int depth) {
    if (depth > MAX_DEPTH) {
      throw unparsable("more than " + MAX_DEPTH + " nested calls", start);
    }
    at++;
    List<Term> series = new ArrayList<>();
    List<Word> words = new ArrayList<>();
    while (true) {
      argument(series, words, depth);
      skipBlanks();
      if (isAt(')')) {
        at++;
        return Functions.call(
            new Arguments(text, name, start, series.size(), words, dialect), series);
      }
      if (!isAt(',')) {
        throw at < text.length()
            ? unparsable("unexpected '" + text.charAt(at) + "'; a comma or ) must follow", at)
            : unparsable("missing ) after " + name, start + name.length());
      }
      at++;
    }
  }

  private void argument(List<Term> series, List<Word> words, int depth) {
    skipBlanks();
    int start = at;
    if (isAt('\'') || isAt('"')) {
      words.add(quoted());
      return;
    }
    String part = raw();
    if (isAt('(')) {
      series.add(call(part, start, depth + 1));
    } else if (part.isEmpty()) {
      throw unparsable("an argument is missing", start);
    } else if (part.indexOf(':') >= 0) {
      series.add(new Term.Metric(part, query(part, start)));
    } else {
      words.add(new Word(part, false, start));
    }
  }

  private Word quoted() {
    int start = at;
    int end = text.indexOf(text.charAt(start), start + 1);
    if (end < 0) {
      throw unparsable("unterminated quote", start);
    }
    at = end + 1;
    return new Word(text.substring(start + 1, end), true, start);
  }

  /** The text up to the next comma or parenthesis that is not in braces or brackets. */
  private String raw() {
    int start = at;
    int open = 0;
    for (; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '{' || c == '[') {
        open++;
      } else if (c == '}' || c == ']') {
        open--;
      } else if (open <= 0 && (c == ',' || c == '(' || c == ')')) {
        break;
      }
    }
    return text.substring(start, at).strip();
  }

  private Query query(String part, int start) {
    try {
      return Query.parse(part, dialect.queries());
    } catch (RequestException e) {
      String message = String.valueOf(e.getMessage());
      throw new ExpressionException(
          message + SeriesExpression.place(text, start), Kind.REFUSED, message);
    }
  }

  private void skipBlanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private boolean isAt(char c) {
    return at < text.length() && text.charAt(at) == c;
  }

  private ExpressionException unparsable(String what, int position) {
    return new ExpressionException(
        what + SeriesExpression.place(text, position), Kind.FAILED, "Failed to parse " + text);
  }
}
