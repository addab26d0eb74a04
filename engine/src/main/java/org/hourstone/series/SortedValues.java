package org.hourstone.series;

import java.util.Arrays;

/** Sorts the values that are not NaN, to return one by its rank. Holds all of them. */
final class SortedValues extends Accumulator {
  private final Quantile quantile;
  private double[] gathered = {};
  private int count;

  SortedValues(Quantile quantile) {
    this.quantile = quantile;
  }

  @Override
  void add(double[] values, int from, int to) {
    if (gathered.length < count + to - from) {
      gathered = Arrays.copyOf(gathered, Math.max(count + (count >> 1), count + to - from));
    }
    for (int i = from; i < to; i++) {
      if (!Double.isNaN(values[i])) {
        gathered[count++] = values[i];
      }
    }
  }

  @Override
  double take() {
    Arrays.sort(gathered, 0, count);
    double result = count == 0 ? Double.NaN : quantile.of(gathered, count);
    count = 0;
    return result;
  }

  @Override
  long bytes() {
    return (long) Double.BYTES * gathered.length;
  }
}
