package org.hourstone.expression;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.hourstone.expression.ExpressionException.Kind;
import org.hourstone.kv.Bytes;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Series of several arguments, joined by their tags and calculated with, from left to right, as
 * doubles. There is a result for each set of tags that occurs, at the timestamps of its series'
 * points; a missing value or NaN counts as 0.
 *
 * @param dialect how values are divided, and which tags results have
 */
record Arithmetic(Operator operator, String function, ExpressionDialect dialect)
    implements SeriesFunction {
  private static final int FEWEST = 2;
  private static final int MOST = 26;

  /** The operation on two values. */
  enum Operator {
    PLUS,
    MINUS,
    TIMES,
    BY
  }

  static Arithmetic of(Arguments arguments, Operator operator) {
    int series = arguments.series();
    if (series < FEWEST || series > MOST) {
      throw arguments.wrong(
          "Must have 2 to 26 series, got " + series + " instead",
          "needs 2 to 26 series as arguments, not " + series);
    }
    return new Arithmetic(operator, arguments.function(), arguments.dialect());
  }

  @Override
  public List<ResultSeries> apply(List<List<ResultSeries>> arguments, Evaluation evaluation) {
    TreeMap<Bytes, List<@Nullable ResultSeries>> joined = new TreeMap<>();
    for (int a = 0; a < arguments.size(); a++) {
      for (ResultSeries series : arguments.get(a)) {
        List<@Nullable ResultSeries> row =
            joined.computeIfAbsent(
                evaluation.order().key(series.tags(), List.of()), key -> new ArrayList<>());
        if (row.size() > a) {
          throw new ExpressionException(
              function
                  + ": argument "
                  + (a + 1)
                  + " has several series with the tags "
                  + series.tags()
                  + ": ambiguous",
              Kind.REFUSED,
              "Several series of the tags " + series.tags());
        }
        while (row.size() < a) {
          row.add(null);
        }
        row.add(series);
      }
    }
    List<ResultSeries> results = new ArrayList<>();
    for (List<@Nullable ResultSeries> row : joined.values()) {
      while (row.size() < arguments.size()) {
        row.add(null);
      }
      evaluation.budget().check();
      results.add(result(row));
    }
    return results;
  }

  private ResultSeries result(List<@Nullable ResultSeries> row) {
    List<ResultSeries> present =
        row.stream().filter(Objects::nonNull).map(Objects::requireNonNull).toList();
    SeriesBuilder result = named(row.get(0), present);
    int[] next = new int[row.size()];
    long[] times = Instants.union(present);
    result.reserve(times.length);
    for (long time : times) {
      double value = 0;
      for (int a = 0; a < next.length; a++) {
        double operand = valueAt(row.get(a), next, a, time);
        value = a == 0 ? operand : calculated(value, operand);
      }
      result.addDouble(time, value);
    }
    return result.build();
  }

  private static double valueAt(@Nullable ResultSeries series, int[] next, int a, long time) {
    if (series == null || next[a] == series.size() || series.millis(next[a]) != time) {
      return 0;
    }
    double value = series.doubleValue(next[a]++);
    return Double.isNaN(value) ? 0 : value;
  }

  private double calculated(double left, double right) {
    return switch (operator) {
      case PLUS -> left + right;
      case MINUS -> left - right;
      case TIMES -> left * right;
      case BY -> dialect.quotient(left, right);
    };
  }

  /** The first metric's name; series refer to it by UID. */
  private SeriesBuilder named(@Nullable ResultSeries first, List<ResultSeries> present) {
    ResultSeries oldest = present.get(0);
    for (ResultSeries series : present) {
      if (!series.tsuids().isEmpty()
          && (oldest.tsuids().isEmpty()
              || series.tsuids().get(0).compareTo(oldest.tsuids().get(0)) < 0)) {
        oldest = series;
      }
    }
    LinkedHashSet<String> aggregated = new LinkedHashSet<>();
    TreeSet<String> tsuids = new TreeSet<>();
    for (ResultSeries series : present) {
      aggregated.addAll(series.aggregateTags());
      tsuids.addAll(series.tsuids());
    }
    return new SeriesBuilder(
        oldest.metric(),
        dialect.tags(first, present.get(0)),
        List.copyOf(aggregated),
        dialect.keepsTsuids() ? List.copyOf(tsuids) : List.of());
  }
}
