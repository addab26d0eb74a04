package org.hourstone.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Some measurements of one thing: least, median, greatest. */
record Spread(double min, double median, double max) {
  static Spread of(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    double median = sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    return new Spread(sorted[0], median, sorted[sorted.length - 1]);
  }

  static <T> Spread of(Iterable<T> measured, ToDoubleFunction<T> figure) {
    double[] values = new double[0];
    for (T one : measured) {
      values = Arrays.copyOf(values, values.length + 1);
      values[values.length - 1] = figure.applyAsDouble(one);
    }
    return of(values);
  }

  /** {@code median (min–max)} with this many decimals. */
  String text(int decimals) {
    String number = "%." + decimals + "f";
    return String.format(
        Locale.ROOT, number + " (" + number + "–" + number + ")", median, min, max);
  }
}
