package org.hourstone.expression;

import java.math.BigInteger;
import java.util.function.BinaryOperator;
import org.hourstone.expression.ExpressionException.Kind;

/**
 * As JEXL 2.1 calculates for OpenTSDB: whole numbers in a formula are integers, so that {@code 1/2}
 * is 0; a division by 0 gives 0; NaN equals itself and is less than all numbers; and a truth value
 * is 1 or 0 beside a double, but not beside an integer or another truth value, where a division
 * gives 0 and other operations fail. Values are also of {@link BigInteger}.
 */
final class OpenTsdbArithmetic extends DoubleArithmetic {
  private static final int OCTAL = 8;
  private static final int DECIMAL = 10;

  /** OpenTSDB computes with infinity or 0. */
  @Override
  boolean takes(String digits) {
    return true;
  }

  @Override
  Object number(String digits) {
    return digits.matches("\\d+")
        ? new BigInteger(digits, digits.matches("0[0-7]+") ? OCTAL : DECIMAL)
        : super.number(digits);
  }

  @Override
  BinaryOperator<Object> operation(String symbol) {
    BinaryOperator<Object> ofDoubles = super.operation(symbol);
    return switch (symbol) {
      case "==" -> OpenTsdbArithmetic::equal;
      case "!=" -> (left, right) -> !equal(left, right);
      case "<" -> (left, right) -> compare(left, right) < 0;
      case "<=" -> (left, right) -> compare(left, right) <= 0;
      case ">" -> (left, right) -> compare(left, right) > 0;
      case ">=" -> (left, right) -> compare(left, right) >= 0;
      case "/", "%" ->
          (left, right) ->
              number(right) == 0
                  ? (Object) 0.0
                  : isOfDoubles(left, right)
                      ? ofDoubles.apply(left, right)
                      : divided(symbol, left, right);
      default ->
          (left, right) ->
              isOfDoubles(left, right)
                  ? ofDoubles.apply(left, right)
                  : ofIntegers(symbol, left, right);
    };
  }

  private static boolean isOfDoubles(Object left, Object right) {
    return left instanceof Double || right instanceof Double;
  }

  /** A division that fails gives 0, as one by 0: without a double, truths are not numbers. */
  private static Object divided(String symbol, Object left, Object right) {
    if (left instanceof BigInteger one && right instanceof BigInteger other) {
      return symbol.equals("/")
          ? one.divide(other)
          : other.signum() < 0 ? (Object) 0.0 : one.mod(other);
    }
    return 0.0;
  }

  private static BigInteger ofIntegers(String symbol, Object left, Object right) {
    if (left instanceof BigInteger one && right instanceof BigInteger other) {
      return switch (symbol) {
        case "+" -> one.add(other);
        case "-" -> one.subtract(other);
        default -> one.multiply(other);
      };
    }
    String message = "'" + symbol + "' needs a number that is not an integer beside a truth value";
    throw new ExpressionException(message, Kind.REFUSED, message);
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
