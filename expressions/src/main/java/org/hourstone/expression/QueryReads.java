package org.hourstone.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.hourstone.query.Corruption;
import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;

/** The queries of one result, and the data they skipped. For one thread. */
final class QueryReads {
  private static final long SECOND_MILLIS = 1000;
  private static final long HOUR_MILLIS = 3_600_000;

  /** A time, a value, and whether it is an integer. */
  private static final int BYTES_PER_POINT = 2 * Long.BYTES + 1;

  private final Function<Query, SeriesCursor> queries;
  private final boolean wholeHours;
  private final WorkMeter work;
  private final List<String> firstCorruption = new ArrayList<>();
  private long corrupt;

  /**
   * @param wholeHours whether all points of the hours that overlap the range are returned. OpenTSDB
   *     restricts only its output to the range: some of its functions see those points
   * @param work has the values they return, which stay in memory
   */
  QueryReads(Function<Query, SeriesCursor> queries, boolean wholeHours, WorkMeter work) {
    this.work = work;
    this.queries = queries;
    this.wholeHours = wholeHours;
  }

  List<ResultSeries> read(Query query) {
    List<ResultSeries> series = new ArrayList<>();
    try (SeriesCursor cursor = queries.apply(wholeHours ? wholeHours(query) : query)) {
      for (ResultSeries each = cursor.next(); each != null; each = cursor.next()) {
        work.values(each.size());
        work.hold(bytes(each));
        series.add(each);
      }
      Corruption corruption = cursor.corruption();
      corrupt += corruption.count();
      firstCorruption.addAll(corruption.first());
    }
    return series;
  }

  Corruption corruption() {
    return new Corruption(corrupt, firstCorruption);
  }

  /** The memory that a series takes. */
  static long bytes(ResultSeries series) {
    return (long) BYTES_PER_POINT * series.size();
  }

  private static Query wholeHours(Query query) {
    if (query.downsample() != null || query.endMillis() > Long.MAX_VALUE - HOUR_MILLIS) {
      return query; // buckets have variable lengths
    }
    long start = query.startMillis() - query.startMillis() % HOUR_MILLIS;
    // A range that ends in the last second of an hour touches the next one.
    long next = query.endMillis() + SECOND_MILLIS;
    long end = next - next % HOUR_MILLIS + HOUR_MILLIS - SECOND_MILLIS - 1;
    return query.betweenMillis(start, Math.max(end, query.endMillis()));
  }
}
