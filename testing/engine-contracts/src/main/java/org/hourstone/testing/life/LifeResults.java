package org.hourstone.testing.life;

import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.hourstone.Tsdb;
import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;

/** Results of queries, by host and timestamp. */
final class LifeResults {
  static final double ROUNDING = 1e-12;

  private LifeResults() {}

  static Map<String, NavigableMap<Long, Double>> read(Tsdb db, Query query) {
    Map<String, NavigableMap<Long, Double>> all = new TreeMap<>();
    try (SeriesCursor cursor = db.query(query)) {
      cursor.forEach(
          series -> {
            String host = series.tags().getOrDefault("host", "all");
            NavigableMap<Long, Double> values = values(series);
            if (!values.isEmpty() && all.put(host, values) != null) {
              throw new AssertionError(query + " has " + host + " twice");
            }
            if (query.source().annotations() && !series.annotations().isEmpty()) {
              NavigableMap<Long, Double> lengths = new TreeMap<>();
              series.annotations().forEach(each -> lengths.put((long) each.length, 1.0));
              all.put(host + " annotations", lengths);
            }
          });
    }
    return all;
  }

  private static NavigableMap<Long, Double> values(ResultSeries series) {
    NavigableMap<Long, Double> values = new TreeMap<>();
    for (int i = 0; i < series.size(); i++) {
      values.put(series.millis(i), series.doubleValue(i));
    }
    return values;
  }

  /**
   * Expects the same results.
   *
   * @param isExact whether all values are; else they may differ by rounding
   * @param scale the largest of the values from which they were computed
   */
  static void compare(
      String what,
      Map<String, NavigableMap<Long, Double>> expected,
      Map<String, NavigableMap<Long, Double>> actual,
      boolean isExact,
      double scale) {
    expected.forEach(
        (series, values) -> {
          NavigableMap<Long, Double> others = actual.get(series);
          if (others == null || !others.keySet().equals(values.keySet())) {
            throw new AssertionError(what + " of " + series + ": " + values + ", but " + others);
          }
          values.forEach(
              (millis, value) -> {
                double other = Objects.requireNonNull(others.get(millis));
                double most = isExact ? 0 : ROUNDING * Math.max(Math.abs(value), scale);
                boolean isSame =
                    Double.isNaN(value) ? Double.isNaN(other) : Math.abs(value - other) <= most;
                if (!isSame) {
                  throw new AssertionError(
                      what + " of " + series + " at " + millis + ": " + value + ", but " + other);
                }
              });
        });
    if (!expected.keySet().equals(actual.keySet())) {
      throw new AssertionError(what + ": " + expected.keySet() + ", but " + actual.keySet());
    }
  }
}
