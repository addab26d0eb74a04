package org.hourstone.junit;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.hourstone.query.ResultSeries;
import org.jspecify.annotations.Nullable;

/**
 * A value of a point, compared by its size: 2 equals 2.0, and NaN equals NaN. Doubles count as the
 * decimals that Java prints, so that 1.1 and 1 differ by 0.1.
 *
 * @param text as shown
 * @param exact null if it is NaN or infinite, which {@code text} says
 */
record ComparedValue(String text, @Nullable BigDecimal exact) {
  static ComparedValue of(Number number) {
    if (number instanceof Double || number instanceof Float) {
      return of(number.toString(), number.doubleValue());
    }
    if (number instanceof BigDecimal decimal) {
      return new ComparedValue(number.toString(), decimal);
    }
    if (number instanceof BigInteger integer) {
      return new ComparedValue(number.toString(), new BigDecimal(integer));
    }
    // Of any other class: an integer whose double is near it, or a decimal.
    long whole = number.longValue();
    return number.doubleValue() == whole
        ? new ComparedValue(number.toString(), BigDecimal.valueOf(whole))
        : of(number.toString(), number.doubleValue());
  }

  static ComparedValue of(ResultSeries series, int i) {
    return series.isInteger(i)
        ? new ComparedValue(series.text(i), BigDecimal.valueOf(series.longValue(i)))
        : of(series.text(i), series.doubleValue(i));
  }

  private static ComparedValue of(String text, double value) {
    return new ComparedValue(text, Double.isFinite(value) ? BigDecimal.valueOf(value) : null);
  }

  /** Whether both differ by no more than the tolerance. */
  boolean isNear(ComparedValue other, BigDecimal tolerance) {
    BigDecimal otherExact = other.exact;
    if (exact == null || otherExact == null) {
      return exact == null && otherExact == null && text.equals(other.text);
    }
    return exact.subtract(otherExact).abs().compareTo(tolerance) <= 0;
  }
}
