package org.hourstone.histogram;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.hourstone.error.RequestException;

/**
 * A histogram of OpenTSDB's built-in codec: any ranges, each with its count.
 *
 * @param buckets the counts by range; copied
 */
public record SimpleHistogram(SortedMap<Bucket, Long> buckets, long underflow, long overflow)
    implements Histogram {
  /** The maximum number of ranges of the stored form. */
  public static final int MAX_BUCKETS = 0xFFFF;

  private static final double HUNDRED = 100;

  /**
   * @throws RequestException if there are too many ranges
   */
  public SimpleHistogram {
    if (buckets.size() > MAX_BUCKETS) {
      throw new RequestException(
          "a histogram of " + buckets.size() + " buckets: there can be " + MAX_BUCKETS);
    }
    buckets = Collections.unmodifiableSortedMap(new TreeMap<>(buckets));
  }

  /** A histogram without under- and overflow. */
  public static SimpleHistogram of(Map<Bucket, Long> buckets) {
    return new SimpleHistogram(new TreeMap<>(buckets), 0, 0);
  }

  /**
   * Checks that it can be stored as it is.
   *
   * @throws RequestException if a count is negative, or a bound is not finite, is -0, or is the
   *     lower one and the larger
   */
  public void check() {
    for (Map.Entry<Bucket, Long> each : buckets.entrySet()) {
      String fault = each.getKey().fault();
      if (fault != null) {
        throw new RequestException("histogram: the bucket " + each.getKey() + " " + fault);
      }
      long unused = HistogramText.checked(each.getKey().toString(), each.getValue(), false);
    }
    long unused = HistogramText.checked("underflow", underflow, false);
    unused = HistogramText.checked("overflow", overflow, false);
  }

  /**
   * @throws RequestException if the counts add up to more than 64 bits
   */
  @Override
  public double percentile(double percent) {
    if (!(percent >= 1 && percent <= HUNDRED)) {
      return -1;
    }
    long sum = 0;
    for (long count : buckets.values()) {
      sum = total(sum, count);
    }
    long running = 0;
    for (Map.Entry<Bucket, Long> bucket : buckets.entrySet()) {
      running += bucket.getValue();
      if (HUNDRED * running / sum >= percent) {
        return bucket.getKey().midpoint();
      }
    }
    return 0;
  }

  /**
   * @throws RequestException if the other is of another codec, or a count needs more than 64 bits
   */
  @Override
  public SimpleHistogram plus(Histogram other) {
    if (!(other instanceof SimpleHistogram)) {
      throw new RequestException(
          "a simple histogram can't be added to a " + other.getClass().getName());
    }
    SortedMap<Bucket, Long> sum = new TreeMap<>(buckets);
    other.buckets().forEach((bucket, count) -> sum.merge(bucket, count, SimpleHistogram::total));
    return new SimpleHistogram(
        sum, total(underflow, other.underflow()), total(overflow, other.overflow()));
  }

  private static long total(long one, long other) {
    try {
      return Math.addExact(one, other);
    } catch (ArithmeticException e) {
      throw new RequestException(
          "the counts " + one + " and " + other + " of a histogram add up to more than 64 bits", e);
    }
  }
}
