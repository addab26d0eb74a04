package org.hourstone.tsd.view;

import java.math.BigDecimal;
import java.math.MathContext;
import org.hourstone.query.ResultSeries;

/**
 * The range of values of a plot.
 *
 * @param min the smallest value; NaN if the series has no number
 * @param max the greatest value
 */
public record ChartScale(double min, double max) {
  private static final MathContext SIX_DIGITS = new MathContext(6);
  private static final double LONGEST_PLAIN = 1e9;
  private static final double SHORTEST_PLAIN = 1e-4;

  static ChartScale of(ResultSeries series) {
    double min = Double.NaN;
    double max = Double.NaN;
    for (int i = 0; i < series.size(); i++) {
      double value = series.doubleValue(i);
      if (Double.isFinite(value)) {
        min = value < min || Double.isNaN(min) ? value : min;
        max = value > max || Double.isNaN(max) ? value : max;
      }
    }
    return new ChartScale(min, max);
  }

  /**
   * The position of a value from 0 for the smallest to 1 for the greatest; 0.5 if all values are
   * equal.
   */
  public double position(double value) {
    if (min == max) {
      return 0.5;
    }
    // Halved, because the difference of two doubles may overflow.
    return (value / 2 - min / 2) / (max / 2 - min / 2);
  }

  String minLabel() {
    return label(min);
  }

  String maxLabel() {
    return label(max);
  }

  public static String label(double value) {
    if (Double.isNaN(value)) {
      return "";
    }
    BigDecimal rounded = new BigDecimal(value).round(SIX_DIGITS).stripTrailingZeros();
    double size = Math.abs(value);
    boolean plain = value == 0 || (size >= SHORTEST_PLAIN && size < LONGEST_PLAIN);
    return plain ? rounded.toPlainString() : rounded.toString();
  }
}
