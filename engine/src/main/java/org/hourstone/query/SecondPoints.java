package org.hourstone.query;

import java.util.Objects;
import org.hourstone.error.RequestException;
import org.hourstone.series.Aggregator;
import org.hourstone.series.PointColumn;
import org.jspecify.annotations.Nullable;

/**
 * The points of a result by whole seconds, each second once: where times are returned in seconds,
 * several points of one second would have the same key.
 *
 * <p>If the result is of the points of one series, the value of a second is that of its points by
 * the query's aggregator, as a downsampling to a second would compute it. Otherwise the last point
 * of a second counts that is a number: a bucket that was filled with NaN must not hide one. Of
 * several series each point has the values of all of them already: adding points would count series
 * several times. So would adding rates, or downsampled values.
 */
public final class SecondPoints {
  private final ResultSeries series;
  private final @Nullable Aggregator aggregator;

  /**
   * @param query whose result the series is of; null for an expression
   */
  public SecondPoints(ResultSeries series, @Nullable Query query) {
    this.series = series;
    this.aggregator = query == null || series.tsuids().size() != 1 ? null : aggregator(query);
  }

  /** Null if the last number counts. */
  private static @Nullable Aggregator aggregator(Query query) {
    boolean isOfPoints = query.rate() == null && query.downsample() == null;
    return isOfPoints && query.aggregator() != Aggregator.NONE ? query.aggregator() : null;
  }

  /** The index after the last point of a point's second. */
  public int end(int i) {
    long second = series.millis(i) / 1000;
    int end = i + 1;
    while (end < series.size() && series.millis(end) / 1000 == second) {
      end++;
    }
    return end;
  }

  /** Whether the value of the points of a second is an integer. */
  public boolean isInteger(int from, int to) {
    if (aggregator == null) {
      return series.isInteger(last(from, to));
    }
    return areIntegers(from, to) && (to - from == 1 || ofIntegers(from, to).isInteger(0));
  }

  private boolean areIntegers(int from, int to) {
    for (int i = from; i < to; i++) {
      if (!series.isInteger(i)) {
        return false;
      }
    }
    return true;
  }

  /** Their value, if it is an integer. */
  public long longValue(int from, int to) {
    if (aggregator == null || to - from == 1) {
      return series.longValue(last(from, to));
    }
    return ofIntegers(from, to).longValue(0);
  }

  /** Their value as the only point of a column. */
  private PointColumn ofIntegers(int from, int to) {
    long[] values = new long[to - from];
    for (int i = from; i < to; i++) {
      values[i - from] = series.longValue(i);
    }
    PointColumn value = new PointColumn();
    Objects.requireNonNull(aggregator).combine(values, series.millis(from), value);
    return value;
  }

  /**
   * Their value as a double.
   *
   * @throws RequestException if it is infinite
   */
  public double doubleValue(int from, int to) {
    if (aggregator == null || to - from == 1) {
      return series.doubleValue(last(from, to));
    }
    if (areIntegers(from, to)) {
      return finite(ofIntegers(from, to).doubleValue(0), from);
    }
    double[] values = new double[to - from];
    for (int i = from; i < to; i++) {
      values[i - from] = series.doubleValue(i);
    }
    return finite(aggregator.combined(values), from);
  }

  /** As results at a timestamp, those of a second must not be infinite. */
  private double finite(double value, int from) {
    if (Double.isInfinite(value)) {
      throw new RequestException("Got Infinity: " + value + " from " + series.millis(from) + " ms");
    }
    return value;
  }

  /** The last point that is a number; the last one if none is. */
  private int last(int from, int to) {
    for (int i = to - 1; i >= from; i--) {
      if (series.isInteger(i) || !Double.isNaN(series.doubleValue(i))) {
        return i;
      }
    }
    return to - 1;
  }
}
