package org.hourstone.series;

/** The value at a fraction of sorted values. */
@FunctionalInterface
interface Quantile {
  /** The middle value; of two middle values, the upper one. */
  Quantile MEDIAN = (ascending, count) -> ascending[count / 2];

  /**
   * @param ascending the array whose first {@code count} elements, at least one, are the values
   */
  double of(double[] ascending, int count);
}
