package org.hourstone.expression;

import java.util.List;
import java.util.Map;
import org.hourstone.query.QueryLimitException;

/**
 * A metric or formula of a result: a column for each of its series, a row for each timestamp.
 * Values are computed as rows are requested. For one thread at a time.
 */
public final class ExpressionTable {
  private final Source source;
  private final boolean formula;
  private final long maxValues;

  /**
   * @param maxValues how many values it may have, 0 for any number
   */
  ExpressionTable(Source source, boolean formula, long maxValues) {
    this.source = source;
    this.formula = formula;
    this.maxValues = maxValues;
  }

  /**
   * A series.
   *
   * @param metrics the names of the metrics in it, sorted
   * @param tags those its series have in common
   * @param aggregatedTags the names of the others
   */
  public record Column(
      List<String> metrics, Map<String, String> tags, List<String> aggregatedTags) {}

  /** The callback of {@link #forEach}. */
  @FunctionalInterface
  public interface RowConsumer {
    /**
     * @param millis since the epoch
     * @param values of all columns; overwritten by the next row's
     */
    void accept(long millis, double[] values);
  }

  /** Whether it belongs to a formula, otherwise to a metric. */
  public boolean isFormula() {
    return formula;
  }

  public List<Column> columns() {
    return source.columns().stream()
        .map(column -> new Column(column.shownMetrics(), column.tags(), column.aggregatedTags()))
        .toList();
  }

  /** The number of rows. */
  public int rows() {
    return source.times().length;
  }

  /**
   * Calls back for every row, in time order.
   *
   * @throws QueryLimitException if it has more values than a result may have
   * @throws ExpressionException if a result is not a number
   */
  public void forEach(RowConsumer consumer) {
    long values = (long) rows() * source.columns().size();
    if (maxValues > 0 && values > maxValues) {
      throw new QueryLimitException(
          QueryLimitException.Limit.POINTS,
          "an output of "
              + values
              + " values, which is more than hourstone.expression.max_values="
              + maxValues
              + "; downsample, so that series have points at the same timestamps");
    }
    Values pass = new Pass().values(source);
    double[] row = new double[source.columns().size()];
    for (long time : source.times()) {
      for (int column = 0; column < row.length; column++) {
        row[column] = source.shown(pass, column, time);
      }
      consumer.accept(time, row);
    }
  }
}
