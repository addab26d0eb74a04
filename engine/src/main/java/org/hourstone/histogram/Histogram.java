package org.hourstone.histogram;

import java.util.SortedMap;

/** How many measurements fell into which range. Immutable. */
public interface Histogram {
  /** The counts by range, ascending by lower and then by upper bound; can't be changed. */
  SortedMap<Bucket, Long> buckets();

  /** How many measurements were below all ranges. */
  long underflow();

  /** How many measurements were above all ranges. */
  long overflow();

  /**
   * The value that a share of the measurements does not exceed, as well as the ranges can tell;
   * what under- and overflowed is left out.
   *
   * @param percent 1 to 100
   * @return 0 if there is no measurement, −1 if {@code percent} is out of range
   */
  double percentile(double percent);

  /**
   * This histogram and another of the same codec as one: their counts are added.
   *
   * @throws IllegalArgumentException if the other is of a kind this one can't be added to
   */
  Histogram plus(Histogram other);
}
