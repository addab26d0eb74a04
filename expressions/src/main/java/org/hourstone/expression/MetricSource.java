package org.hourstone.expression;

import java.util.List;
import java.util.Set;
import org.hourstone.query.ResultSeries;

/** The series of a query as columns. */
final class MetricSource implements Source {
  private final List<ResultSeries> series;
  private final Set<String> queryTags;
  private final double fill;
  private final double shownFill;
  private final List<Column> columns;
  private final long[] times;

  /**
   * @param fill the substitute for an absent point in a formula
   * @param shownFill the same where the metric itself is returned
   */
  MetricSource(List<ResultSeries> series, Set<String> queryTags, double fill, double shownFill) {
    this.series = List.copyOf(series);
    this.queryTags = queryTags;
    this.fill = fill;
    this.shownFill = shownFill;
    this.times = Instants.union(series);
    this.columns =
        series.stream()
            .map(
                one ->
                    new Column(
                        List.of(one.metric()),
                        List.of(one.metric()),
                        one.tags(),
                        one.aggregateTags(),
                        one.tags()))
            .toList();
  }

  @Override
  public List<Column> columns() {
    return columns;
  }

  @Override
  public Set<String> queryTags() {
    return queryTags;
  }

  @Override
  public long[] times() {
    return times;
  }

  @Override
  public long[] times(int column) {
    return Instants.of(series.get(column));
  }

  @Override
  public Values open(Pass pass) {
    int[] next = new int[series.size()];
    return new Values() {
      @Override
      public boolean moveTo(int column, long millis) {
        ResultSeries one = series.get(column);
        while (next[column] < one.size() && one.millis(next[column]) < millis) {
          next[column]++;
        }
        return next[column] < one.size() && one.millis(next[column]) == millis;
      }

      @Override
      public double value(int column) {
        return series.get(column).doubleValue(next[column]);
      }
    };
  }

  @Override
  public double shown(Values values, int column, long millis) {
    double value = values.moveTo(column, millis) ? values.value(column) : shownFill;
    return Double.isNaN(value) ? shownFill : value;
  }

  @Override
  public double fillOfMissing() {
    return fill;
  }

  @Override
  public double fillOfNan() {
    return fill;
  }
}
