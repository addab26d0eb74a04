package org.hourstone.junit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;

/**
 * Compares what queries return with what a test expects.
 *
 * <pre>{@code
 * assertThat(db)
 *     .query("sum:1m-avg:sys.cpu{host=*}", from, to)
 *     .hasSeries(Map.of("host", "a"))
 *     .withPoints(at(from, 1), at(from.plusSeconds(60), 2.5));
 * }</pre>
 */
public final class SeriesAssert {
  private final Tsdb db;

  private SeriesAssert(Tsdb db) {
    this.db = db;
  }

  public static SeriesAssert assertThat(Tsdb db) {
    return new SeriesAssert(db);
  }

  /**
   * Runs a query, after all points that were put are stored.
   *
   * @param expression such as {@code sum:1m-avg:sys.cpu{host=*}}
   * @param to inclusive
   * @throws org.hourstone.error.TsdbException as {@link Tsdb#query}, such as for an unknown metric
   */
  public ResultAssert query(String expression, Instant from, Instant to) {
    return run(Query.parse(expression).between(from, to), expression);
  }

  /** Runs a query, after all points that were put are stored; throws as {@link Tsdb#query}. */
  public ResultAssert query(Query query) {
    return run(query, query.text());
  }

  private ResultAssert run(Query query, String text) {
    db.flush();
    List<ResultSeries> found = new ArrayList<>();
    try (SeriesCursor cursor = db.query(query)) {
      cursor.forEach(
          series -> {
            if (series.size() > 0) { // else one that has points only before or after the range
              found.add(series);
            }
          });
    }
    return new ResultAssert(text, found);
  }
}
