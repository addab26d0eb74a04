package org.hourstone.tsd.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Compares values of answers; numbers by their size, so that 2 equals 2.0.
 *
 * @param tolerance by how much they may differ, in relation to the larger one
 */
record Numbers(BigDecimal tolerance) {
  boolean areEqual(JsonNode a, JsonNode b) {
    BigDecimal left = number(a);
    BigDecimal right = number(b);
    if (left == null || right == null) {
      return a.isContainerNode() == b.isContainerNode() && a.asText().equals(b.asText());
    }
    return left.compareTo(right) == 0
        || left.subtract(right).abs().compareTo(left.abs().max(right.abs()).multiply(tolerance))
            <= 0;
  }

  /** Null for what is not a finite number. The latest point of a series has its value as a text. */
  private static @Nullable BigDecimal number(JsonNode node) {
    try {
      return node.isNumber() || node.isTextual() ? new BigDecimal(node.asText()) : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
