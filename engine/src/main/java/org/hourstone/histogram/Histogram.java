package org.hourstone.histogram;

import java.util.SortedMap;

/** The number of measurements in each range. Immutable. */
public interface Histogram {
  /** The counts by range, ascending by lower and then by upper bound; can't be changed. */
  SortedMap<Bucket, Long> buckets();

  /** How many measurements were below all ranges. */
  long underflow();

  /** How many measurements were above all ranges. */
  long overflow();

  /**
   * The value that a percentage of the measurements does not exceed, as precisely as the ranges
   * allow; underflow and overflow are excluded.
   *
   * @param percent 1 to 100
   * @return 0 if there is no measurement, −1 if {@code percent} is out of range
   */
  double percentile(double percent);

  /**
   * The sum of this histogram and another of the same codec: their counts are added.
   *
   * @throws org.hourstone.error.RequestException if the other's kind can't be added to this one
   */
  Histogram plus(Histogram other);
}
