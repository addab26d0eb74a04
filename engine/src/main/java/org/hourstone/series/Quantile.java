package org.hourstone.series;

/** The value at a fraction of sorted values. */
@FunctionalInterface
interface Quantile {
  /** The value in the middle, the upper one of two. */
  Quantile MEDIAN = (ascending, count) -> ascending[count / 2];

  /**
   * @param ascending the first {@code count}, at least one, are the values
   */
  double of(double[] ascending, int count);
}
