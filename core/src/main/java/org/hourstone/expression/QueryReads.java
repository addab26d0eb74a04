package org.hourstone.expression;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.hourstone.query.Damage;
import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.RunningQuery;
import org.hourstone.query.SeriesCursor;
import org.jspecify.annotations.Nullable;

/** The queries behind one answer, and what they have passed over. For one thread. */
final class QueryReads {
  private static final long SECOND_MILLIS = 1000;
  private static final long HOUR_MILLIS = 3_600_000;

  private final Function<Query, SeriesCursor> queries;
  private final boolean wholeHours;
  private final List<String> firstDamage = new ArrayList<>();
  private long damaged;
  private @Nullable RunningQuery used;

  /**
   * @param wholeHours whether all points of the hours that a range touches are answered. OpenTSDB
   *     cuts to the range only what it shows: some of its functions see them
   */
  QueryReads(Function<Query, SeriesCursor> queries, boolean wholeHours) {
    this.queries = queries;
    this.wholeHours = wholeHours;
  }

  List<ResultSeries> read(Query query) {
    List<ResultSeries> series = new ArrayList<>();
    try (SeriesCursor cursor = queries.apply(wholeHours ? wholeHours(query) : query)) {
      cursor.forEach(series::add);
      Damage damage = cursor.damage();
      damaged += damage.count();
      firstDamage.addAll(damage.first());
      used = used == null ? cursor.use() : used.plus(cursor.use());
    }
    return series;
  }

  Damage damage() {
    return new Damage(damaged, firstDamage);
  }

  /** What all queries together have used. */
  RunningQuery used() {
    return used == null ? new RunningQuery(0, "", Instant.EPOCH, 0, 0, 0, 0, 0) : used;
  }

  private static Query wholeHours(Query query) {
    if (query.downsample() != null || query.endMillis() > Long.MAX_VALUE - HOUR_MILLIS) {
      return query; // buckets are as long as they are
    }
    long start = query.startMillis() - query.startMillis() % HOUR_MILLIS;
    // A range that ends in the last second of an hour touches the next one.
    long next = query.endMillis() + SECOND_MILLIS;
    long end = next - next % HOUR_MILLIS + HOUR_MILLIS - SECOND_MILLIS - 1;
    return query.betweenMillis(start, Math.max(end, query.endMillis()));
  }
}
