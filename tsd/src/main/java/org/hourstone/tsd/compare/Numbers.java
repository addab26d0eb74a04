package org.hourstone.tsd.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Compares values of answers; numbers by their size, so that 2 equals 2.0. Texts are names, which
 * are equal only if all their characters are: 1.10 is another host than 1.1.
 *
 * @param tolerance by how much numbers may differ, in relation to the larger one
 */
record Numbers(BigDecimal tolerance) {
  /** More digits than a double or an integer of 64 bits has. */
  private static final int MOST_DIGITS = 1000;

  /** The decimal exponents of doubles are smaller. Calculation with larger ones may never end. */
  private static final int MOST_EXPONENT = 400;

  /** Whether two values are equal that are neither arrays nor objects. */
  boolean areEqual(JsonNode a, JsonNode b) {
    BigDecimal left = number(a);
    BigDecimal right = number(b);
    return (left == null || right == null)
        ? a.getNodeType() == b.getNodeType() && a.asText().equals(b.asText())
        : areEqual(left, right);
  }

  /** The same for the values of points, which may be numbers in texts. */
  boolean areEqualValues(JsonNode a, JsonNode b) {
    BigDecimal left = a.isTextual() ? number(a.textValue()) : null;
    BigDecimal right = b.isTextual() ? number(b.textValue()) : null;
    return (left == null || right == null) ? areEqual(a, b) : areEqual(left, right);
  }

  private boolean areEqual(BigDecimal a, BigDecimal b) {
    return a.compareTo(b) == 0
        || a.subtract(b).abs().compareTo(a.abs().max(b.abs()).multiply(tolerance)) <= 0;
  }

  /** The size of a number; null if it is not one, or can't be of a point. */
  static @Nullable BigDecimal number(JsonNode node) {
    return node.isNumber() ? number(node.asText()) : null;
  }

  private static @Nullable BigDecimal number(String text) {
    if (text.length() > MOST_DIGITS) {
      return null;
    }
    try {
      BigDecimal number = new BigDecimal(text);
      if (number.signum() == 0) {
        return BigDecimal.ZERO;
      }
      long exponent = (long) number.precision() - number.scale();
      return Math.abs(exponent) > MOST_EXPONENT ? null : number;
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
