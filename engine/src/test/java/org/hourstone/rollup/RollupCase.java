package org.hourstone.rollup;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.hourstone.RetentionSettings;
import org.hourstone.RollupSettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.retention.RetentionReport;
import org.hourstone.table.TableListener;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;

/** A store, a clock that is set, and what tests of rollups and retention do with both. */
public abstract class RollupCase {
  protected static final long HOUR = 3600;
  protected static final long DAY = 24 * HOUR;
  protected static final long START = 20_000 * DAY;

  protected final ManualClock clock = new ManualClock(Instant.ofEpochSecond(START));
  protected final KeyValueStore store;

  protected RollupCase() {
    this(UnaryOperator.identity());
  }

  /**
   * @param wrapping makes the store of another one
   */
  protected RollupCase(UnaryOperator<KeyValueStore> wrapping) {
    this.store = wrapping.apply(new ModelStore(clock));
  }

  /** After the databases, which tests close. */
  @AfterEach
  final void closeStore() {
    store.close();
  }

  protected final TsdbOptions options(String intervals, String rules) {
    return TsdbOptions.defaults()
        .withClock(clock)
        .with(Settings.COMPACTION_BACKGROUND, "false")
        .with(RollupSettings.AUTO, intervals)
        .with(RetentionSettings.RULES, rules);
  }

  protected final Tsdb open(String intervals, String rules) {
    return Tsdb.over(store, options(intervals, rules));
  }

  /** Sets the clock. */
  protected final void to(long seconds) {
    clock.advance(Duration.between(clock.instant(), Instant.ofEpochSecond(seconds)));
  }

  protected static void put(Tsdb db, String metric, long seconds, long value) {
    db.put(metric, Instant.ofEpochSecond(seconds), value, Tags.of("host", "a")).join();
  }

  /** Rolls up; a row that is sealed later is rolled up again. */
  protected static long roll(Tsdb db) {
    return db.ownRollups().orElseThrow().run(() -> false, done -> {}, rows -> {});
  }

  protected static RetentionReport retain(Tsdb db) {
    return db.retention().run(false, true, 1, TableListener.NONE);
  }

  /** The hours that are rolled up. */
  protected static HourRange done(Tsdb db) {
    return db.ownRollups().orElseThrow().hours().done();
  }

  /** The sums of the intervals of the first days. */
  protected static List<Double> sums(Tsdb db, String interval, int days) {
    return values(db, ofDays("sum:" + interval + "-sum:m", days));
  }

  /** A query for the first days. */
  protected static Query ofDays(String text, int days) {
    return Query.parse(text)
        .between(Instant.ofEpochSecond(START), Instant.ofEpochSecond(START + days * DAY - 1));
  }

  protected static List<Double> values(Tsdb db, Query query) {
    List<Double> values = new ArrayList<>();
    try (SeriesCursor found = db.query(query)) {
      found.forEach(
          series -> {
            for (int i = 0; i < series.size(); i++) {
              values.add(series.doubleValue(i));
            }
          });
    }
    return values;
  }

  /** How many rows there are with a prefix. */
  protected final int rows(Family family, byte... prefix) {
    int rows = 0;
    try (RowCursor cursor = store.scan(family, Scan.prefix(prefix))) {
      while (cursor.next() != null) {
        rows++;
      }
    }
    return rows;
  }
}
