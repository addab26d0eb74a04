package org.hourstone.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A parsed formula. Only numbers, variables, operators and parentheses are passed to the script
 * language: no calls, members, strings or assignments. Variables are renamed to names without a
 * meaning in that language.
 *
 * @param normal the formula with its variables renamed to {@code v0}, {@code v1}, …
 * @param variables their own names in this order, each once
 * @param positions the original position of each character of {@code normal}
 */
record FormulaText(String text, String normal, List<String> variables, int[] positions) {
  private static final int MAX_LENGTH = 4096;
  private static final int MAX_TOKENS = 1000;
  private static final int MAX_DEPTH = 50;
  private static final int SERVER_ERROR = 500;

  private static final Pattern TOKEN =
      Pattern.compile(
          "(?<number>(?:\\d+(?:\\.\\d+)?|\\.\\d+)(?:[eE][+-]?\\d+)?(?![A-Za-z0-9_.]))"
              + "|(?<name>[A-Za-z0-9_]+(?![.]))"
              + "|(?<operator>&&|\\?:|\\|\\||[<>=!]=|[-+*/%<>!?:()])");

  private static final Set<String> OPERATOR_WORDS =
      Set.of("and", "or", "not", "eq", "ne", "lt", "gt", "le", "ge", "div", "mod");

  private static final Set<String> TRUTHS = Set.of("true", "false");

  /**
   * @param dialect how numbers are read
   */
  static FormulaText of(String text, ExpressionDialect dialect) {
    if (text.length() > MAX_LENGTH) {
      throw new ExpressionException(
          "formula of " + text.length() + " characters; at most " + MAX_LENGTH + " are read",
          SERVER_ERROR,
          "Expression too long");
    }
    StringBuilder normal = new StringBuilder();
    List<String> variables = new ArrayList<>();
    List<Integer> positions = new ArrayList<>();
    Matcher token = TOKEN.matcher(text);
    boolean operand = false;
    int depth = 0;
    int tokens = 0;
    for (int at = blanksFrom(text, 0); at < text.length(); at = blanksFrom(text, token.end())) {
      if (!token.find(at) || token.start() != at) {
        throw wrong(text, at, "'" + text.charAt(at) + "' has no place in a formula");
      }
      if (operand && token.group().equals("(")) {
        throw wrong(text, at, "no functions can be called in a formula");
      }
      depth += token.group().equals("(") ? 1 : token.group().equals(")") ? -1 : 0;
      tokens++;
      if (depth > MAX_DEPTH || tokens > MAX_TOKENS) {
        throw wrong(
            text,
            at,
            "formula of more than " + MAX_TOKENS + " words, or " + MAX_DEPTH + " parentheses deep");
      }
      String name = token.group("name");
      boolean variable = name != null && !OPERATOR_WORDS.contains(name) && !TRUTHS.contains(name);
      if (variable && !variables.contains(name)) {
        variables.add(name);
      }
      operand = variable || token.group("number") != null || TRUTHS.contains(token.group());
      String word =
          variable
              ? "v" + variables.indexOf(name)
              : token.group("number") != null ? dialect.number(token.group()) : token.group();
      for (int i = 0; i <= word.length(); i++) {
        positions.add(at);
      }
      normal.append(word).append(' ');
    }
    return new FormulaText(
        text,
        normal.toString(),
        List.copyOf(variables),
        positions.stream().mapToInt(Integer::intValue).toArray());
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
        SERVER_ERROR,
        "parsing error in '" + text + "'");
  }

  /**
   * The formula is not well-formed.
   *
   * @param column in {@link #normal}, from 1
   */
  ExpressionException malformed(int column) {
    int position = positions.length == 0 ? 0 : positions[clamp(column - 1)];
    return wrong(text, position, "formula can't be understood");
  }

  private int clamp(int index) {
    return Math.max(0, Math.min(index, positions.length - 1));
  }
}
