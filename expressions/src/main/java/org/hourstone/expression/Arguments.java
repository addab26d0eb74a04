package org.hourstone.expression;

import java.util.List;
import org.hourstone.expression.ExpressionException.Kind;

/**
 * The arguments of a function call.
 *
 * @param text the whole expression
 * @param position of the call, from 0
 * @param series how many arguments stand for series
 * @param words the other arguments, in their order
 * @param dialect how they are read
 */
record Arguments(
    String text,
    String function,
    int position,
    int series,
    List<Word> words,
    ExpressionDialect dialect) {
  /**
   * A plain argument.
   *
   * @param text without its quotes
   */
  record Word(String text, boolean quoted, int position) {}

  /** The first word, which is required. */
  Word first(String openTsdbMessage, String what) {
    if (words.isEmpty()) {
      throw wrong(openTsdbMessage, "needs " + what);
    }
    return words.get(0);
  }

  /** The call is wrong. */
  ExpressionException wrong(String openTsdbMessage, String what) {
    return error(text, position, function + " " + what, openTsdbMessage);
  }

  /** A word of it is wrong. */
  ExpressionException wrong(Word word, String openTsdbMessage, String what) {
    return error(text, word.position(), function + ": " + what, openTsdbMessage);
  }

  private static ExpressionException error(
      String text, int position, String message, String openTsdbMessage) {
    return new ExpressionException(
        message + SeriesExpression.place(text, position), Kind.REFUSED, openTsdbMessage);
  }
}
