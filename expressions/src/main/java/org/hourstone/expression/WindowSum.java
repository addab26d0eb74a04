package org.hourstone.expression;

import java.util.function.IntToDoubleFunction;

/**
 * The sum of the numbers in a window that moves over a series; NaN is not counted. Not thread-safe.
 *
 * <p>The sum over a short window is added up from the newest number to the oldest, as OpenTSDB
 * does, so that it is rounded alike. A long window has two parts: the newer one grows with its sum,
 * and the older one shrinks through sums that were computed when it was divided off. Then each
 * number is read four times, however long the window is. No number is ever subtracted, which would
 * leave rounding errors behind.
 */
final class WindowSum {
  /** The most points of a short window. */
  static final int SHORT = 1024;

  private final IntToDoubleFunction values;
  private int from;
  private int to;
  private int count;

  /** The older part is from here to {@link #middle}. */
  private int divided;

  private int middle;
  private double newerSum;

  /** By the distance from {@link #divided}: the sum from there to {@link #middle}. */
  private double[] olderSums = {};

  /**
   * @param values by their indices from 0
   */
  WindowSum(IntToDoubleFunction values) {
    this.values = values;
  }

  /** The first point of the window. */
  int from() {
    return from;
  }

  /** How many numbers are in the window. */
  int count() {
    return count;
  }

  /** The next point enters the window. */
  void enter() {
    double value = values.applyAsDouble(to++);
    if (!Double.isNaN(value)) {
      count++;
      newerSum += value;
    }
  }

  /** The oldest point leaves the window. */
  void leave() {
    if (!Double.isNaN(values.applyAsDouble(from++))) {
      count--;
    }
  }

  double sum() {
    if (to - from <= SHORT) {
      double sum = 0;
      for (int i = to - 1; i >= from; i--) {
        sum = plus(sum, i);
      }
      return sum;
    }
    if (from >= middle) {
      divide();
    }
    return newerSum + olderSums[from - divided];
  }

  /** The whole window becomes the older part. */
  private void divide() {
    divided = from;
    middle = to;
    newerSum = 0;
    olderSums = new double[to - from];
    double sum = 0;
    for (int i = to - 1; i >= from; i--) {
      sum = plus(sum, i);
      olderSums[i - from] = sum;
    }
  }

  private double plus(double sum, int i) {
    double value = values.applyAsDouble(i);
    return Double.isNaN(value) ? sum : sum + value;
  }
}
