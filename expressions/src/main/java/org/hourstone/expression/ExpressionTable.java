package org.hourstone.expression;

import java.util.List;
import java.util.Map;
import org.hourstone.query.QueryLimitException;

/**
 * A metric or formula of an answer: a column for each of its series, a row for each instant. Values
 * are computed as rows are asked for. For one thread at a time.
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

  /** What {@link #forEach} calls back. */
  @FunctionalInterface
  public interface RowConsumer {
    /**
     * @param millis since the epoch
     * @param values of all columns; overwritten by the next row's
     */
    void accept(long millis, double[] values);
  }

  /** Whether it is of a formula, else of a metric. */
  public boolean isFormula() {
    return formula;
  }

  public List<Column> columns() {
    return source.columns().stream()
        .map(column -> new Column(column.shownMetrics(), column.tags(), column.aggregatedTags()))
        .toList();
  }

  /** How many rows there are. */
  public int rows() {
    return source.times().length;
  }

  /**
   * Calls back for every row, in the order of time.
   *
   * @throws QueryLimitException if it has more values than an answer may have
   * @throws ExpressionException if a result is no number
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
              + "; downsample, so that series have points at the same instants");
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
