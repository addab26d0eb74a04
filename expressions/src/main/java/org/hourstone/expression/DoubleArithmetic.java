package org.hourstone.expression;

import java.util.function.BinaryOperator;
import org.hourstone.internal.NumberText;

/**
 * How formulas compute: all numbers are doubles, calculated with and compared as IEEE 754 and Java
 * do it. 0 and NaN are false. Values are of {@link Double} and {@link Boolean}, which counts as 1
 * or 0.
 */
class DoubleArithmetic {
  /** Whether a number by its digits is that which is computed with. */
  boolean takes(String digits) {
    return NumberText.isHeld(digits, Double.parseDouble(digits));
  }

  /** A number by its digits. */
  Object number(String digits) {
    return Double.valueOf(digits);
  }

  /** The operation of a symbol, other than logic. */
  BinaryOperator<Object> operation(String symbol) {
    return switch (symbol) {
      case "+" -> (left, right) -> number(left) + number(right);
      case "-" -> (left, right) -> number(left) - number(right);
      case "*" -> (left, right) -> number(left) * number(right);
      case "/" -> (left, right) -> number(left) / number(right);
      case "%" -> (left, right) -> number(left) % number(right);
      case "==" -> (left, right) -> number(left) == number(right);
      case "!=" -> (left, right) -> number(left) != number(right);
      case "<" -> (left, right) -> number(left) < number(right);
      case "<=" -> (left, right) -> number(left) <= number(right);
      case ">" -> (left, right) -> number(left) > number(right);
      case ">=" -> (left, right) -> number(left) >= number(right);
      default -> throw new IllegalArgumentException(symbol);
    };
  }

  Object negated(Object value) {
    return -number(value);
  }

  /**
   * The result of a formula.
   *
   * @throws ExpressionException if it is not a number
   */
  double result(Object value, FormulaText formula) {
    return number(value);
  }

  static boolean isTrue(Object value) {
    double number = number(value);
    return number != 0 && !Double.isNaN(number);
  }

  static double number(Object value) {
    return value instanceof Boolean truth ? (truth ? 1 : 0) : ((Number) value).doubleValue();
  }
}
