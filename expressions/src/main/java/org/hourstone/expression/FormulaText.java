package org.hourstone.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hourstone.expression.ExpressionException.Kind;

/**
 * The words of a formula: numbers, variables, operators and parentheses. All other text is refused.
 *
 * @param variables their names, each once, in the order of their first occurrence
 */
record FormulaText(String text, List<Word> words, List<String> variables) {
  private static final int MAX_LENGTH = 4096;
  private static final int MAX_WORDS = 1000;
  private static final int MAX_DEPTH = 50;

  private static final Pattern WORD =
      Pattern.compile(
          "(?<number>(?:\\d+(?:\\.\\d+)?|\\.\\d+)(?:[eE][+-]?\\d+)?(?![A-Za-z0-9_.]))"
              + "|(?<name>[A-Za-z0-9_]+(?![.]))"
              + "|(?<operator>&&|\\?:|\\|\\||[<>=!]=|[-+*/%<>!?:()])");

  private static final Map<String, String> OPERATORS_BY_NAME =
      Map.ofEntries(
          Map.entry("and", "&&"),
          Map.entry("or", "||"),
          Map.entry("not", "!"),
          Map.entry("eq", "=="),
          Map.entry("ne", "!="),
          Map.entry("lt", "<"),
          Map.entry("le", "<="),
          Map.entry("gt", ">"),
          Map.entry("ge", ">="),
          Map.entry("div", "/"),
          Map.entry("mod", "%"));

  /** The kinds of words. */
  enum WordKind {
    NUMBER,
    TRUTH,
    VARIABLE,
    OPERATOR
  }

  /**
   * A word of the formula.
   *
   * @param text of an operator, its symbol
   * @param position in the formula, from 0
   */
  record Word(WordKind kind, String text, int position) {
    boolean isOperator(String symbol) {
      return kind == WordKind.OPERATOR && text.equals(symbol);
    }
  }

  /**
   * @throws ExpressionException if it contains anything else; the message has the place
   */
  static FormulaText of(String text) {
    if (text.length() > MAX_LENGTH) {
      throw new ExpressionException(
          "formula of " + text.length() + " characters; at most " + MAX_LENGTH + " are read",
          Kind.FAILED,
          "Expression too long");
    }
    List<Word> words = new ArrayList<>();
    List<String> variables = new ArrayList<>();
    Matcher matcher = WORD.matcher(text);
    boolean operand = false;
    int depth = 0;
    for (int at = blanksFrom(text, 0); at < text.length(); at = blanksFrom(text, matcher.end())) {
      if (!matcher.find(at) || matcher.start() != at) {
        throw wrong(text, at, "'" + text.charAt(at) + "' is not allowed in a formula");
      }
      Word word = word(matcher);
      if (operand && word.isOperator("(")) {
        throw wrong(text, at, "functions are not allowed in a formula");
      }
      depth += word.isOperator("(") ? 1 : word.isOperator(")") ? -1 : 0;
      words.add(word);
      if (depth > MAX_DEPTH || words.size() > MAX_WORDS) {
        throw wrong(
            text,
            at,
            "formula of more than "
                + MAX_WORDS
                + " words, or "
                + MAX_DEPTH
                + " nested parentheses");
      }
      operand = word.kind() != WordKind.OPERATOR;
      if (word.kind() == WordKind.VARIABLE && !variables.contains(word.text())) {
        variables.add(word.text());
      }
    }
    return new FormulaText(text, List.copyOf(words), List.copyOf(variables));
  }

  private static Word word(Matcher matcher) {
    String text = matcher.group();
    String symbol = OPERATORS_BY_NAME.get(text);
    WordKind kind =
        matcher.group("number") != null
            ? WordKind.NUMBER
            : text.equals("true") || text.equals("false")
                ? WordKind.TRUTH
                : matcher.group("name") != null && symbol == null
                    ? WordKind.VARIABLE
                    : WordKind.OPERATOR;
    return new Word(kind, symbol == null ? text : symbol, matcher.start());
  }

  /** An error: a number is not one that a double can hold. */
  ExpressionException unheld(int word) {
    Word number = words.get(word);
    return wrong(
        text,
        number.position(),
        "'" + number.text() + "' is too large for a double, or too near to 0");
  }

  private static int blanksFrom(String text, int start) {
    int at = start;
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return at;
  }

  private static ExpressionException wrong(String text, int position, String what) {
    return new ExpressionException(
        what + SeriesExpression.place(text, position),
        Kind.FAILED,
        "parsing error in '" + text + "'");
  }

  /** A word, or the end if it is {@code words().size()}, is not one that may follow here. */
  ExpressionException misplaced(int word) {
    return word < words.size()
        ? wrong(
            text,
            words.get(word).position(),
            "malformed formula: misplaced '" + words.get(word).text() + "'")
        : wrong(text, text.length(), "malformed formula: it ends too early");
  }
}
