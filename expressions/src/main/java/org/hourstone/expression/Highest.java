package org.hourstone.expression;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.hourstone.expression.Arguments.Word;
import org.hourstone.query.ResultSeries;

/**
 * The series with the highest values, highest first; series with equal values keep their order.
 *
 * @param count the number of series
 * @param current whether by their last values, otherwise by their maxima
 * @param dialect how series are ranked
 */
record Highest(int count, boolean current, ExpressionDialect dialect) implements SeriesFunction {
  static Highest of(Arguments arguments, boolean current) {
    Word word = arguments.first("Need aggregation window for moving average", "a number of series");
    if (!word.text().matches("\\d{1,9}") || !arguments.dialect().readsNumber(word)) {
      String given = word.quoted() ? "'" + word.text() + "'" : word.text();
      throw arguments.wrong(
          word, "Unparseable top n value: " + given, given + " is not a number of series");
    }
    int count = Integer.parseInt(word.text());
    if (count == 0) {
      throw arguments.wrong(
          word, "Top n value must be greater than zero: 0", "the highest 0 series");
    }
    return new Highest(count, current, arguments.dialect());
  }

  @Override
  public List<ResultSeries> apply(List<List<ResultSeries>> arguments, Evaluation evaluation) {
    List<ResultSeries> series = new ArrayList<>();
    arguments.forEach(series::addAll);
    double[] ranks = dialect.ranks(series, current, evaluation);
    List<Integer> order = new ArrayList<>(IntStream.range(0, series.size()).boxed().toList());
    // Stable: ties stay in their order.
    Collections.sort(order, Comparator.comparingDouble((Integer i) -> ranks[i]).reversed());
    return order.stream().limit(count).map(series::get).toList();
  }

  /** The last values or maxima of each series. */
  static double[] ranks(List<ResultSeries> series, boolean current) {
    double[] ranks = new double[series.size()];
    for (int s = 0; s < ranks.length; s++) {
      ranks[s] = current ? last(series.get(s)) : max(series.get(s));
    }
    return ranks;
  }

  private static double last(ResultSeries series) {
    for (int i = series.size() - 1; i >= 0; i--) {
      if (!Double.isNaN(series.doubleValue(i))) {
        return series.doubleValue(i);
      }
    }
    return Double.NEGATIVE_INFINITY;
  }

  private static double max(ResultSeries series) {
    double max = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < series.size(); i++) {
      if (series.doubleValue(i) > max) {
        max = series.doubleValue(i);
      }
    }
    return max;
  }
}
