package org.hourstone.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.hourstone.query.Query;
import org.hourstone.query.RequestBudget;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesBuilder;
import org.hourstone.series.MemoryLease;

/**
 * The evaluation of a series expression in a time range.
 *
 * @param reader executes a query
 * @param read results so far, so that no query is executed twice
 * @param start of the range, inclusive, in milliseconds since the epoch
 * @param end of it, inclusive
 * @param budget of the request
 */
record Evaluation(
    Function<Query, List<ResultSeries>> reader,
    Map<Query, List<ResultSeries>> read,
    TagOrder order,
    long start,
    long end,
    RequestBudget budget) {
  /**
   * @param memory grows by what the result takes, unless it is that of a query
   */
  List<ResultSeries> of(Term term, MemoryLease memory) {
    budget.check();
    if (term instanceof Term.Metric metric) {
      Query query = metric.query().betweenMillis(start, end);
      List<ResultSeries> known = read.get(query);
      if (known == null) {
        known = reader.apply(query);
        read.put(query, known);
      }
      return known;
    }
    Term.Call call = (Term.Call) term;
    Evaluation earlier = earlier(call.function().earlierMillis());
    List<List<ResultSeries>> arguments = new ArrayList<>();
    try (MemoryLease ofArguments = budget.memory().child()) {
      for (Term argument : call.arguments()) {
        arguments.add(earlier.of(argument, ofArguments));
      }
      // A result has as many points as all arguments together at most.
      memory.grow(arguments.stream().flatMap(List::stream).mapToLong(QueryReads::bytes).sum());
      return call.function().apply(arguments, this);
    }
  }

  private Evaluation earlier(long millis) {
    return millis == 0
        ? this
        : new Evaluation(reader, read, order, start - millis, end - millis, budget);
  }

  /** A series without its points before and after the range. */
  ResultSeries trimmed(ResultSeries series) {
    int size = series.size();
    if (size == 0 || (series.millis(0) >= start && series.millis(size - 1) <= end)) {
      return series;
    }
    SeriesBuilder trimmed = SeriesBuilder.like(series);
    for (int i = 0; i < size; i++) {
      if (series.millis(i) >= start && series.millis(i) <= end) {
        trimmed.add(series, i);
      }
    }
    return trimmed.build();
  }
}
