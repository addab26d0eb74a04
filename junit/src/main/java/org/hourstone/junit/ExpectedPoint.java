package org.hourstone.junit;

import java.time.Instant;

/**
 * A point that a series should have.
 *
 * @param value an integer and a decimal of the same size are equal
 */
public record ExpectedPoint(Instant time, Number value) {
  public static ExpectedPoint at(Instant time, Number value) {
    return new ExpectedPoint(time, value);
  }

  /**
   * @param time such as {@code 2023-11-14T22:13:20Z}
   * @throws java.time.format.DateTimeParseException if it is not of that form
   */
  public static ExpectedPoint at(String time, Number value) {
    return new ExpectedPoint(Instant.parse(time), value);
  }
}
