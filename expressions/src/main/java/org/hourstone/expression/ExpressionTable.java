package org.hourstone.expression;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.hourstone.query.QueryCancelledException;
import org.hourstone.query.QueryLimitException;

/**
 * A metric or formula of a result: a column for each of its series, a row for each timestamp. A
 * formula is computed when it, or one that uses it, is first opened. For one thread at a time.
 */
public final class ExpressionTable {
  private static final int VALUES_PER_CHECK = 1024;

  private final Source source;
  private final boolean formula;
  private final WorkMeter work;
  private boolean opened;

  ExpressionTable(Source source, boolean formula, WorkMeter work) {
    this.source = source;
    this.formula = formula;
    this.work = work;
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

  /** The callback of {@link Rows#forEach}. */
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
   * Prepares all rows: their values are computed before this returns.
   *
   * @throws QueryLimitException if the request has more values than it may have
   * @throws ExpressionException if a result is not a number
   */
  public Rows open() {
    List<Values> columns =
        IntStream.range(0, source.columns().size()).mapToObj(source::values).toList();
    if (!formula || opened) { // else its values were counted as they were computed
      work.values((long) rows() * columns.size());
    }
    opened = true;
    return new Rows(source, columns, work);
  }

  /** All rows, to be read once. For one thread. */
  public static final class Rows {
    private final Source source;
    private final List<Values> columns;
    private final WorkMeter work;

    private Rows(Source source, List<Values> columns, WorkMeter work) {
      this.source = source;
      this.columns = columns;
      this.work = work;
    }

    /**
     * Calls back for every row, in time order.
     *
     * @throws QueryCancelledException if the request is cancelled
     * @throws QueryLimitException if its time is over
     */
    public void forEach(RowConsumer consumer) {
      double[] row = new double[columns.size()];
      int unchecked = VALUES_PER_CHECK;
      for (long time : source.times()) {
        unchecked += row.length;
        if (unchecked >= VALUES_PER_CHECK) {
          work.check();
          unchecked = 0;
        }
        for (int column = 0; column < row.length; column++) {
          row[column] = source.shown(columns.get(column), time);
        }
        consumer.accept(time, row);
      }
    }
  }
}
