package org.hourstone.series;

import java.util.Arrays;

/** Sorts the values that are not NaN, to return one by its rank. Buffers all values. */
final class SortedValues extends Accumulator {
  private final Quantile quantile;
  private final MemoryLease memory;
  private double[] gathered = {};
  private int count;

  /**
   * @param memory for the buffered values
   */
  SortedValues(Quantile quantile, MemoryLease memory) {
    this.quantile = quantile;
    this.memory = memory;
  }

  @Override
  void add(double[] values, int from, int to) {
    if (gathered.length < count + to - from) {
      int capacity = Math.max(count + (count >> 1), count + to - from);
      memory.grow((long) Double.BYTES * (capacity - gathered.length));
      gathered = Arrays.copyOf(gathered, capacity);
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
}
