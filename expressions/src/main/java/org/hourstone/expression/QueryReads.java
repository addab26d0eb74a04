package org.hourstone.expression;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.hourstone.query.Corruption;
import org.hourstone.query.Query;
import org.hourstone.query.QueryLimitException;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.RunningQuery;
import org.hourstone.query.SeriesCursor;
import org.jspecify.annotations.Nullable;

/** The queries of one result, and the data they skipped. For one thread. */
final class QueryReads {
  private static final long SECOND_MILLIS = 1000;
  private static final long HOUR_MILLIS = 3_600_000;

  private final Function<Query, SeriesCursor> queries;
  private final boolean wholeHours;
  private final long maxValues;
  private final List<String> firstDamage = new ArrayList<>();
  private long damaged;
  private long values;
  private @Nullable RunningQuery used;

  /**
   * @param wholeHours whether all points of the hours that overlap the range are returned. OpenTSDB
   *     restricts only its output to the range: some of its functions see those points
   * @param maxValues how many values all queries together may return, 0 for any number
   */
  QueryReads(Function<Query, SeriesCursor> queries, boolean wholeHours, long maxValues) {
    this.maxValues = maxValues;
    this.queries = queries;
    this.wholeHours = wholeHours;
  }

  List<ResultSeries> read(Query query) {
    List<ResultSeries> series = new ArrayList<>();
    try (SeriesCursor cursor = queries.apply(wholeHours ? wholeHours(query) : query)) {
      for (ResultSeries each = cursor.next(); each != null; each = cursor.next()) {
        count(each.size());
        series.add(each);
      }
      Corruption damage = cursor.damage();
      damaged += damage.count();
      firstDamage.addAll(damage.first());
      used = used == null ? cursor.use() : used.plus(cursor.use());
    }
    return series;
  }

  /** The data an expression reads stays in memory until its result is complete. */
  private void count(int size) {
    values += size;
    if (maxValues > 0 && values > maxValues) {
      throw new QueryLimitException(
          QueryLimitException.Limit.POINTS,
          "the expression is made of more than "
              + maxValues
              + " values (hourstone.expression.max_values): downsample its queries");
    }
  }

  Corruption damage() {
    return new Corruption(damaged, firstDamage);
  }

  /** The total use of all queries. */
  RunningQuery used() {
    return used == null ? new RunningQuery(0, "", Instant.EPOCH, 0, 0, 0, 0, 0) : used;
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
