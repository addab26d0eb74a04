package org.hourstone.expression;

import java.math.BigInteger;
import java.util.function.BinaryOperator;
import org.hourstone.expression.ExpressionException.Kind;

/**
 * As JEXL 2.1 calculates for OpenTSDB: whole numbers in a formula are integers, so that {@code 1/2}
 * is 0; a division by 0 gives 0; and NaN equals itself and is less than all numbers. Values are
 * also of {@link BigInteger}.
 */
final class OpenTsdbArithmetic extends DoubleArithmetic {
  private static final int OCTAL = 8;
  private static final int DECIMAL = 10;

  @Override
  Object number(String digits) {
    return digits.matches("\\d+")
        ? new BigInteger(digits, digits.matches("0[0-7]+") ? OCTAL : DECIMAL)
        : super.number(digits);
  }

  @Override
  BinaryOperator<Object> operation(String symbol) {
    BinaryOperator<Object> ofDoubles = super.operation(symbol);
    boolean divides = symbol.equals("/") || symbol.equals("%");
    return switch (symbol) {
      case "==" -> OpenTsdbArithmetic::equal;
      case "!=" -> (left, right) -> !equal(left, right);
      case "<" -> (left, right) -> compare(left, right) < 0;
      case "<=" -> (left, right) -> compare(left, right) <= 0;
      case ">" -> (left, right) -> compare(left, right) > 0;
      case ">=" -> (left, right) -> compare(left, right) >= 0;
      default ->
          (left, right) ->
              (divides && number(right) == 0)
                  ? (Object) 0.0
                  : (left instanceof Double || right instanceof Double)
                      ? ofDoubles.apply(left, right)
                      : ofIntegers(symbol, integer(left), integer(right));
    };
  }

  private static BigInteger ofIntegers(String symbol, BigInteger left, BigInteger right) {
    return switch (symbol) {
      case "+" -> left.add(right);
      case "-" -> left.subtract(right);
      case "*" -> left.multiply(right);
      case "/" -> left.divide(right);
      default -> right.signum() < 0 ? BigInteger.ZERO : left.mod(right); // never negative
    };
  }

  private static boolean equal(Object left, Object right) {
    if (left instanceof Boolean || right instanceof Boolean) {
      return isTrue(left) == isTrue(right);
    }
    return compare(left, right) == 0;
  }

  private static int compare(Object left, Object right) {
    if (!(left instanceof Double) && !(right instanceof Double)) {
      return integer(left).compareTo(integer(right));
    }
    double one = number(left);
    double other = number(right);
    return Double.isNaN(one) || Double.isNaN(other)
        ? Boolean.compare(Double.isNaN(other), Double.isNaN(one))
        : Double.compare(one, other);
  }

  @Override
  Object negated(Object value) {
    return value instanceof Boolean truth
        ? !truth
        : value instanceof BigInteger integer ? integer.negate() : super.negated(value);
  }

  /** OpenTSDB fails if it is an integer. */
  @Override
  double result(Object value, FormulaText formula) {
    if (value instanceof BigInteger) {
      String message = "Expression returned a result of type: integer";
      throw new ExpressionException(formula.text() + ": " + message, Kind.REFUSED, message);
    }
    return number(value);
  }

  private static BigInteger integer(Object value) {
    return value instanceof Boolean truth
        ? (truth ? BigInteger.ONE : BigInteger.ZERO)
        : (BigInteger) value;
  }
}
