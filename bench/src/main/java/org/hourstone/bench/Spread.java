package org.hourstone.bench;

import java.util.Arrays;
import java.util.List;
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

  static <T> Spread of(List<T> measured, ToDoubleFunction<T> figure) {
    return of(measured.stream().mapToDouble(figure).toArray());
  }

  /** Pair by pair, how much more of something some took than others. */
  static <T> Spread ofRatios(List<T> some, List<T> others, ToDoubleFunction<T> figure) {
    double[] ratios = new double[some.size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = figure.applyAsDouble(some.get(i)) / figure.applyAsDouble(others.get(i));
    }
    return of(ratios);
  }

  /** {@code median (min–max)} with this many decimals. */
  String text(int decimals) {
    String number = "%." + decimals + "f";
    return String.format(
        Locale.ROOT, number + " (" + number + "–" + number + ")", median, min, max);
  }
}
