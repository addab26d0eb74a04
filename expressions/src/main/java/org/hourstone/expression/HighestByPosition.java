package org.hourstone.expression;

import java.util.Arrays;
import java.util.List;
import org.hourstone.query.ResultSeries;

/**
 * OpenTSDB's selection of the highest series. At each timestamp it takes the values, interpolated
 * ones included, of the series that have begun in the range and not yet ended. It assigns them to
 * the <em>first</em> series, one after the other, and 0 to the other series. Maxima of doubles
 * start at 4.9E-324, so that all values not above zero are equal.
 */
final class HighestByPosition {
  private final double[] current;
  private final double[] maxima;

  HighestByPosition(List<ResultSeries> series, Evaluation evaluation) {
    long start = evaluation.start();
    long end = evaluation.end();
    int count = series.size();
    long[] longMaxima = new long[count];
    double[] doubleMaxima = new double[count];
    Arrays.fill(longMaxima, Long.MIN_VALUE);
    Arrays.fill(doubleMaxima, Double.MIN_VALUE);
    boolean longs = false;
    boolean doubles = false;
    current = new double[count];
    int[] first = new int[count]; // the first point of the range
    int[] next = new int[count]; // the first point at or after the timestamp
    for (int s = 0; s < count; s++) {
      while (first[s] < series.get(s).size() && series.get(s).millis(first[s]) < start) {
        first[s]++;
      }
    }
    for (long time : Instants.union(series)) {
      evaluation.budget().check();
      for (int s = 0; s < count; s++) {
        while (next[s] < series.get(s).size() && series.get(s).millis(next[s]) < time) {
          next[s]++;
        }
      }
      if (time < start || time > end) {
        continue;
      }
      double[] values = new double[count];
      boolean integers = isLong(series, first, next, time);
      int position = 0;
      for (int s = 0; s < count; s++) {
        if (isLive(series.get(s), first[s], next[s], time)) {
          values[position++] = value(series.get(s), next[s], time, integers);
        }
      }
      System.arraycopy(values, 0, current, 0, count);
      for (int s = 0; s < count; s++) {
        if (integers) {
          longMaxima[s] = Math.max(longMaxima[s], (long) values[s]);
        } else {
          doubleMaxima[s] = Math.max(doubleMaxima[s], values[s]);
        }
      }
      longs |= integers;
      doubles |= !integers;
    }
    maxima = new double[count];
    for (int s = 0; s < count; s++) {
      double ofLongs = longs ? longMaxima[s] : Double.NEGATIVE_INFINITY;
      double ofDoubles = doubles ? doubleMaxima[s] : Double.NEGATIVE_INFINITY;
      maxima[s] = Math.max(ofLongs, ofDoubles);
    }
  }

  private static boolean isLive(ResultSeries series, int first, int next, long time) {
    return next < series.size() && (next > first || series.millis(next) == time);
  }

  /** Whether all values available at a timestamp, including the points after it, are integers. */
  private static boolean isLong(List<ResultSeries> series, int[] first, int[] next, long time) {
    for (int s = 0; s < next.length; s++) {
      ResultSeries one = series.get(s);
      if (isLive(one, first[s], next[s], time)) {
        boolean exact = one.millis(next[s]) == time;
        int from = exact ? next[s] : next[s] - 1;
        int to = exact ? Math.min(next[s] + 1, one.size() - 1) : next[s];
        if (!one.isInteger(from) || !one.isInteger(to)) {
          return false;
        }
      }
    }
    return true;
  }

  private static double value(ResultSeries series, int next, long time, boolean integers) {
    long x1 = series.millis(next);
    if (x1 == time) {
      return series.doubleValue(next);
    }
    long x0 = series.millis(next - 1);
    if (integers) {
      long y0 = series.longValue(next - 1);
      return y0 + (time - x0) * (series.longValue(next) - y0) / (x1 - x0);
    }
    double y0 = series.doubleValue(next - 1);
    return y0 + (time - x0) * (series.doubleValue(next) - y0) / (x1 - x0);
  }

  double[] current() {
    return current;
  }

  double[] maxima() {
    return maxima;
  }
}
