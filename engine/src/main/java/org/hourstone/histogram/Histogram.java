package org.hourstone.histogram;

import java.util.SortedMap;

/** The number of measurements in each range. Immutable. */
public interface Histogram {
  /** The counts by range, ascending by lower and then by upper bound; unmodifiable. */
  SortedMap<Bucket, Long> buckets();

  /** The number of measurements below all ranges. */
  long underflow();

  /** The number of measurements above all ranges. */
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
   * @throws org.hourstone.error.RequestException if the other histogram is of a kind that can't be
   *     added to this one
   */
  Histogram plus(Histogram other);
}
