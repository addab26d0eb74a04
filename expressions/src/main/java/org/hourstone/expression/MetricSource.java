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
  public Values values(int column) {
    ResultSeries one = series.get(column);
    return new Values(one.size(), one::millis, one::doubleValue);
  }

  @Override
  public double shown(Values column, long millis) {
    double value = column.moveTo(millis) ? column.value() : shownFill;
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
