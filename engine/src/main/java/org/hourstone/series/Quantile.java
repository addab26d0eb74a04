package org.hourstone.series;

/** What lies at a share of values in order. */
@FunctionalInterface
interface Quantile {
  /** The value in the middle, the upper one of two. */
  Quantile MEDIAN = (ascending, count) -> ascending[count / 2];

  /**
   * @param ascending the first {@code count}, at least one, are the values
   */
  double of(double[] ascending, int count);
}
