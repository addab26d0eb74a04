package org.hourstone.rollup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.query.Explanation;
import org.hourstone.query.PointSource;
import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.RollupUsage;
import org.hourstone.query.SeriesCursor;

/** Queries that read rollups must have the results that they have over points. */
abstract class RolledAnswerCase extends RollupCase {
  protected RolledAnswerCase() {}

  /**
   * @param wrapping makes the store of another one
   */
  protected RolledAnswerCase(UnaryOperator<KeyValueStore> wrapping) {
    super(wrapping);
  }

  final TsdbOptions options(String intervals) {
    return options(intervals, "");
  }

  final Tsdb open(String intervals) {
    return open(intervals, "");
  }

  static void put(Tsdb db, long seconds, Number value, String host) {
    Tags tags = Tags.of("host", host);
    if (value instanceof Long integer) {
      db.put("m", Instant.ofEpochSecond(seconds), integer, tags).join();
    } else {
      db.put("m", Instant.ofEpochSecond(seconds), value.doubleValue(), tags).join();
    }
  }

  static long flushAndRoll(Tsdb db) {
    db.flush();
    return roll(db);
  }

  static Map<String, double[][]> answer(Tsdb db, Query query, RollupUsage usage) {
    Map<String, double[][]> answer = new TreeMap<>();
    try (SeriesCursor found = db.query(query.from(PointSource.DEFAULT.withRollups(usage)))) {
      found.forEach(series -> answer.put(series.tags().toString(), values(series)));
    }
    return answer;
  }

  private static double[][] values(ResultSeries series) {
    double[][] values = new double[series.size()][];
    for (int i = 0; i < values.length; i++) {
      values[i] = new double[] {series.millis(i), series.doubleValue(i)};
    }
    return values;
  }

  /** Returns whether rollups were read. */
  static boolean assertSame(Tsdb db, Query query) {
    Map<String, double[][]> points = answer(db, query, RollupUsage.RAW);
    Map<String, double[][]> rolled = answer(db, query, RollupUsage.NOFALLBACK);
    assertThat(rolled.keySet()).as(query.text()).isEqualTo(points.keySet());
    points.forEach(
        (series, expected) -> {
          double[][] actual = Objects.requireNonNull(rolled.get(series));
          assertThat(actual.length).as(query + " of " + series).isEqualTo(expected.length);
          for (int i = 0; i < expected.length; i++) {
            assertThat(actual[i][0]).as(query + " of " + series).isEqualTo(expected[i][0]);
            double most = Math.max(1, Math.abs(expected[i][1])) * 1e-9;
            if (Double.isNaN(expected[i][1])) {
              assertThat(actual[i][1]).isNaN();
            } else {
              assertThat(actual[i][1])
                  .as(query + " of " + series + " at " + expected[i][0])
                  .isCloseTo(expected[i][1], within(most));
            }
          }
        });
    return readsRollups(db, query);
  }

  private static boolean readsRollups(Tsdb db, Query query) {
    return sources(db, query).stream().anyMatch(source -> source.startsWith("rollup"));
  }

  static List<String> sources(Tsdb db, Query query) {
    return db.explain(query).parts().stream().map(Explanation.Part::source).toList();
  }

  static Query query(String text, long from, long until) {
    return Query.parse(text)
        .between(Instant.ofEpochSecond(from), Instant.ofEpochSecond(until).minusMillis(1));
  }
}
