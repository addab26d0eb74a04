package org.hourstone.rollup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.hourstone.RetentionSettings;
import org.hourstone.RollupSettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.annotation.Annotation;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.query.PointSource;
import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.RollupUsage;
import org.hourstone.query.SeriesCursor;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Runs that end early, changes of settings, and rows that are unusual. */
class RolledUpWronglyTest {
  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;
  private static final long START = 20_000 * DAY;

  /** A store that refuses some changes. */
  private static final class Refusing extends ForwardingStore {
    private volatile Predicate<RowMutation> refused = mutation -> false;

    /** Of changes whose answer is lost. */
    private volatile Predicate<RowMutation> lost = mutation -> false;

    private volatile byte[] unreadable = {};

    @Override
    public Row get(Family family, byte[] row, Columns columns) {
      if (Arrays.equals(row, unreadable) && family.table().contains("rollup-1h")) {
        throw new StoreException(StoreException.Outcome.REJECTED, "malformed cell");
      }
      return super.get(family, row, columns);
    }

    Refusing(KeyValueStore delegate) {
      super(delegate);
    }

    @Override
    public void mutate(Family family, List<RowMutation> batch) {
      if (batch.stream().anyMatch(refused)) {
        throw new StoreException(StoreException.Outcome.NOT_APPLIED, "refused");
      }
      super.mutate(family, batch);
      if (batch.stream().anyMatch(lost)) {
        throw new StoreException(StoreException.Outcome.UNKNOWN, "lost");
      }
    }
  }

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(START));
  private final Refusing store = new Refusing(new ModelStore(clock));

  @AfterEach
  void close() {
    store.close();
  }

  private TsdbOptions options(String intervals) {
    return TsdbOptions.defaults()
        .withClock(clock)
        .with(Settings.COMPACTION_BACKGROUND, "false")
        .with(RollupSettings.AUTO, intervals);
  }

  private Tsdb open(String intervals) {
    return Tsdb.over(store, options(intervals));
  }

  private static void put(Tsdb db, long seconds, long value, String host) {
    db.put("m", Instant.ofEpochSecond(seconds), value, Tags.of("host", host)).join();
  }

  private static void put(Tsdb db, long seconds, double value, String host) {
    db.put("m", Instant.ofEpochSecond(seconds), value, Tags.of("host", host)).join();
  }

  private void to(long seconds) {
    clock.advance(Duration.between(clock.instant(), Instant.ofEpochSecond(seconds)));
  }

  private static void roll(Tsdb db) {
    db.flush();
    long unused = db.ownRollups().orElseThrow().run(() -> false, done -> {}, rows -> {});
  }

  /** A run that rolls up the newest day, writes the values of the first one, and ends then. */
  private void rollWithoutCompletingTheFirstDay(Tsdb db) {
    db.flush();
    store.refused = mutation -> completesFrom(mutation) <= START;
    assertThatThrownBy(() -> roll(db)).isInstanceOf(StoreException.class);
    store.refused = mutation -> false;
  }

  private static long completesFrom(RowMutation mutation) {
    for (Change change : mutation.changes()) {
      if (change instanceof Change.Put put
          && Arrays.equals(put.qualifier(), "done".getBytes(UTF_8))) {
        return HourRange.of(put.value()).from();
      }
    }
    return Long.MAX_VALUE;
  }

  private static Map<String, String> answer(Tsdb db, Query query, RollupUsage usage) {
    Map<String, String> answer = new TreeMap<>();
    try (SeriesCursor found = db.query(query.from(PointSource.DEFAULT.withRollups(usage)))) {
      found.forEach(series -> answer.put(series.tags().toString(), values(series)));
    }
    return answer;
  }

  private static String values(ResultSeries series) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < series.size(); i++) {
      values.add(series.millis(i) + "=" + series.doubleValue(i));
    }
    return values.toString();
  }

  private static void assertSame(Tsdb db, Query query) {
    assertThat(answer(db, query, RollupUsage.NOFALLBACK))
        .as(query.text())
        .isEqualTo(answer(db, query, RollupUsage.RAW));
  }

  private static Query query(String text, long from, long until) {
    return Query.parse(text)
        .between(Instant.ofEpochSecond(from), Instant.ofEpochSecond(until).minusMillis(1));
  }

  private static final Query ALL = query("sum:1h-sum:m{host=*}", START, START + 3 * DAY);

  @Test
  void pointsThatAreDeletedAfterARunFailedAreNotInTheRollup() {
    try (Tsdb db = open("1h")) {
      put(db, START + 10, 5, "a");
      put(db, START + 20, 6, "b");
      put(db, START + 2 * DAY, 7, "a");
      to(START + 3 * DAY);
      rollWithoutCompletingTheFirstDay(db);

      db.delete(query("sum:m{host=a}", START, START + DAY));
      roll(db);
      assertSame(db, ALL);
    }
  }

  @Test
  void pointsThatAreDeletedAfterARestartAreNotInTheRollup() {
    try (Tsdb db = open("1h")) {
      put(db, START + 10, 5, "a");
      put(db, START + 20, 6, "b");
      put(db, START + 2 * DAY, 7, "a");
      to(START + 3 * DAY);
      rollWithoutCompletingTheFirstDay(db);
    }
    try (Tsdb db = open("1h")) {
      db.delete(query("sum:m{host=a}", START, START + DAY));
      roll(db);
      assertSame(db, ALL);
    }
  }

  @Test
  void theOldestPointsThatAreDeletedBeforeAllIsComputedAgainAreNotInTheRollup() {
    try (Tsdb db = open("1h")) {
      put(db, START + 10, 5, "a");
      put(db, START + 2 * DAY, 7, "a");
      to(START + 3 * DAY);
      roll(db);
    }
    try (Tsdb db = open("10m,1h")) {
      db.delete(query("sum:m{host=a}", START, START + DAY));
      roll(db);
      assertSame(db, ALL);
    }
  }

  @Test
  void aRowThatWasMarkedForItsAnnotationsMayHavePointsThatCanNotBeRolledUp() {
    try (Tsdb db = open("1h")) {
      put(db, START + 10, 1, "a");
      String tsuid;
      try (SeriesCursor found = db.query(query("none:m", START, START + HOUR))) {
        tsuid = Objects.requireNonNull(found.next()).tsuids().get(0);
      }
      var unused =
          db.annotations().save(new Annotation(tsuid, START + 30, 0, "deployed", "", null), true);
      put(db, START + 2 * DAY, 7, "a");
      to(START + 3 * DAY);
      rollWithoutCompletingTheFirstDay(db);
    }
    try (Tsdb db = open("1h")) {
      put(db, START + 20, 1e308, "a");
      put(db, START + 21, 1e308, "a");
      roll(db);
      assertSame(db, query("sum:1h-max:m{host=*}", START, START + 3 * DAY));
    }
  }

  @Test
  void anHourOfASeriesMayHaveRowsInTwoBuckets() {
    TsdbOptions salted =
        options("1h").with(Settings.SALT_WIDTH, "1").with(Settings.SALT_BUCKETS, "4");
    RowKey keys = new RowKey(salted.schema());
    try (Tsdb db = Tsdb.over(store, salted)) {
      for (int host = 0; host < 8; host++) {
        put(db, START + 10, 5, "h" + host);
      }
      db.flush();
      Family points = salted.tables().points();
      List<byte[]> rows = new ArrayList<>();
      try (RowCursor cursor = store.scan(points, Scan.all())) {
        for (Row row = cursor.next(); row != null; row = cursor.next()) {
          rows.add(row.key());
        }
      }
      for (byte[] row : rows) {
        byte[] other =
            keys.rowKeys(keys.tsuid(row), keys.baseTime(row)).stream()
                .filter(key -> !Arrays.equals(key, row))
                .findFirst()
                .orElseThrow();
        store.put(points, other, Qualifier.encode(START + 20, 1), new byte[] {3, 0});
      }
      to(START + 3 * DAY);
      roll(db);
      assertSame(db, ALL);
    }
  }

  /** They are not deleted yet if a rule is made longer soon enough. */
  @Test
  void pointsThatHaveExpiredAreRolledUpUntilTheyAreDeleted() {
    TsdbOptions brief = options("1h").with(RetentionSettings.RULES, "* raw 2d");
    try (Tsdb db = Tsdb.over(store, options("1h"))) {
      put(db, START + 10, 5, "a");
      put(db, START + 3 * DAY, 7, "a");
      db.flush();
    }
    to(START + 4 * DAY);
    try (Tsdb db = Tsdb.over(store, brief)) {
      roll(db);
    }
    try (Tsdb db = open("1h")) {
      assertSame(db, query("sum:1h-sum:m{host=*}", START, START + 4 * DAY));
      roll(db);
      assertThat(db.ownRollups().orElseThrow().verify(() -> false, done -> {})).isZero();
      assertSame(db, query("sum:1h-sum:m{host=*}", START, START + 4 * DAY));
    }
  }

  /** That a day is done was stored, but the answer of the store was lost. */
  @Test
  void aMarkOfADayThatMayBeDoneIsKept() {
    try (Tsdb db = open("1h")) {
      put(db, START + 10, 5, "a");
      put(db, START + 2 * DAY, 7, "a");
      to(START + 3 * DAY);
      db.flush();
      store.lost = mutation -> completesFrom(mutation) <= START;
      assertThatThrownBy(() -> roll(db)).isInstanceOf(StoreException.class);
      store.lost = mutation -> false;

      put(db, START + 20, 100, "a");
      db.flush();
      store.refused = mutation -> has(mutation, "begun");
      assertThatThrownBy(() -> roll(db)).isInstanceOf(StoreException.class);
      store.refused = mutation -> false;
    }
    try (Tsdb db = open("1h")) {
      assertSame(db, ALL);
      roll(db);
      assertSame(db, ALL);
    }
  }

  private static boolean has(RowMutation mutation, String qualifier) {
    return mutation.changes().stream()
        .anyMatch(change -> Arrays.equals(change.qualifier(), qualifier.getBytes(UTF_8)));
  }

  /** As {@link #pointsThatAreDeletedAfterARunFailedAreNotInTheRollup}, of days. */
  @Test
  void aDayWhosePointsAreDeletedAfterARunFailedIsNotInTheRollup() {
    try (Tsdb db = open("10m,1h,1d")) {
      for (int host = 0; host < 3; host++) {
        put(db, START + 10, 5, "h" + host);
        put(db, START + 23 * HOUR, 5, "h" + host);
        put(db, START + 2 * DAY, 7, "h" + host);
      }
      to(START + 3 * DAY);
      rollWithoutCompletingTheFirstDay(db);
      db.delete(query("sum:m{host=h0}", START, START + DAY));
      db.delete(query("sum:m{host=h1}", START, START + HOUR));
      put(db, START + 20, 1000, "h2");
      roll(db);
      for (String interval : List.of("10m", "1h", "1d")) {
        for (String by : List.of("sum", "count", "min", "max")) {
          assertSame(
              db, query("sum:" + interval + "-" + by + ":m{host=*}", START, START + 3 * DAY));
        }
      }
      assertThat(db.ownRollups().orElseThrow().verify(() -> false, done -> {})).isZero();
    }
  }

  /** As a store does with a row of which a cell is corrupt. */
  @Test
  void aRowOfRolledUpValuesThatCanNotBeReadDoesNotKeepOthersFromBeingRolledUp() {
    try (Tsdb db = open("1h")) {
      put(db, START + 10, 5, "a");
      put(db, START + 10, 6, "b");
      to(START + DAY + HOUR);
      roll(db);
      Family values = new Family("tsdb-rollup-1h", options("").tables().points().name());
      byte[] row;
      try (RowCursor rows = store.scan(values, Scan.all())) {
        row = Objects.requireNonNull(rows.next()).key();
      }
      store.unreadable = row;

      put(db, START + 20, 100, "a");
      put(db, START + 20, 100, "b");
      put(db, START + DAY + 20, 100, "b");
      to(START + 3 * DAY);
      try {
        roll(db);
      } catch (StoreException e) {
        // it may say so
      }
      assertThat(db.ownRollups().orElseThrow().hours().done().until())
          .isEqualTo(START + 3 * DAY - HOUR);
      assertThat(db.ownRollups().orElseThrow().hours().changed(new byte[0], 10)).hasSize(1);
    }
  }

  /** All days before it would keep their points, too, as they wait to be rolled up. */
  @Test
  void aRowOfRolledUpValuesThatCanNotBeReadDoesNotKeepTheDaysBeforeFromBeingRolledUpAgain() {
    try (Tsdb db = open("1h,1d")) {
      for (int day = 0; day < 4; day++) {
        put(db, START + day * DAY + 10, 5, "a");
        put(db, START + day * DAY + 10, 6, "b");
      }
      to(START + 4 * DAY + HOUR);
      roll(db);
    }
    RowKey keys = new RowKey(options("").schema());
    Family values = new Family("tsdb-rollup-1h", options("").tables().points().name());
    byte[] row = null;
    try (RowCursor rows = store.scan(values, Scan.all())) {
      for (Row next = rows.next(); next != null; next = rows.next()) {
        if (keys.baseTime(next.key()) == START + 2 * DAY) {
          row = next.key();
        }
      }
    }
    store.unreadable = Objects.requireNonNull(row);
    try (Tsdb db = open("10m,1h,1d")) {
      assertThatThrownBy(() -> roll(db)).isInstanceOf(StoreException.class);
      RolledHours hours = db.ownRollups().orElseThrow().hours();
      assertThat(hours.done().from()).isZero();
      assertThat(hours.changed(new byte[0], 100)).isNotEmpty();
      assertThatThrownBy(() -> db.ownRollups().orElseThrow().verify(() -> false, done -> {}))
          .isInstanceOf(StoreException.class);

      store.unreadable = new byte[0];
      roll(db);
      assertThat(hours.changed(new byte[0], 100)).isEmpty();
      for (String every : List.of("10m", "1h", "1d")) {
        assertSame(db, query("sum:" + every + "-sum:m{host=*}", START, START + 4 * DAY));
      }
    }
  }

  @Test
  void valuesOfPointsThatHaveExpiredStay() {
    TsdbOptions expiring = options("1h,1d").with(RetentionSettings.RULES, "m raw 2d");
    try (Tsdb db = Tsdb.over(store, expiring)) {
      put(db, START + 10, 5, "a");
      db.put("n", Instant.ofEpochSecond(START + 10), 5L, Tags.of("host", "a")).join();
      to(START + DAY + HOUR);
      roll(db);
      to(START + 5 * DAY);
      roll(db);
      assertThat(db.ownRollups().orElseThrow().verify(() -> false, done -> {})).isZero();
    }
  }

  @Test
  void theRowsThatFeedADayMayBeShorter() {
    String config =
        """
        {"aggregationIds": {"sum": 0, "count": 1, "min": 2, "max": 3},
         "intervals": [
          {"interval": "1s", "rowSpan": "1h", "defaultInterval": true, "table": "tsdb",
           "preAggregationTable": "tsdb"},
          {"interval": "5m", "rowSpan": "1h", "table": "five", "preAggregationTable": "five"},
          {"interval": "1d", "rowSpan": "1n", "table": "day", "preAggregationTable": "day"}]}
        """;
    try (Tsdb db = Tsdb.over(store, options("5m,1d").with(Settings.ROLLUPS_CONFIG, config))) {
      for (int hour = 0; hour < 24; hour += 3) {
        put(db, START + hour * HOUR + 10, hour, "a");
        put(db, START + (hour + 1) * HOUR, hour, "b");
      }
      to(START + 2 * DAY);
      roll(db);
      assertSame(db, query("sum:1d-sum:m{host=*}", START, START + DAY));
      put(db, START + 5 * HOUR, 100, "a");
      roll(db);
      assertSame(db, query("sum:1d-sum:m{host=*}", START, START + DAY));
    }
  }

  @Test
  void theFirstRowOfAMetricMayBeNoRowOfASeries() {
    try (Tsdb db = open("1h")) {
      put(db, START + 10, 5, "a");
      put(db, START + 2 * DAY, 7, "a");
      db.flush();
      Family points = options("").tables().points();
      byte[] row;
      try (RowCursor rows = store.scan(points, Scan.all())) {
        row = Objects.requireNonNull(rows.next()).key();
      }
      byte[] broken = Arrays.copyOf(row, row.length - 1);
      store.put(points, broken, new byte[] {1}, new byte[] {1});
      to(START + 3 * DAY);
      roll(db);
      assertSame(db, ALL);
    }
  }

  /** Whether a row has a mark is remembered, also by a writer that is late. */
  @Test
  void aWriterThatStoresAMarkWhileItIsForgottenDoesNotHideThatItWasRemoved() {
    Family state = new Family("r", "t");
    CountDownLatch marked = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    KeyValueStore slow =
        new ForwardingStore(new ModelStore(clock)) {
          @Override
          public void mutate(Family family, List<RowMutation> batch) {
            super.mutate(family, batch);
            if (batch.get(0).row()[0] == 1) {
              marked.countDown();
              try {
                goOn.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            }
          }
        };
    slow.ensure(List.of(new FamilySpec(state, true)), SchemaMode.CREATE);
    RowKey keys = new RowKey(Schema.DEFAULT);
    byte[] row = keys.rowKey(new byte[] {0, 0, 1, 0, 0, 1, 0, 0, 1}, START);
    RolledHours hours = new RolledHours(slow, state, keys);
    HourRange day = new HourRange(START, START + DAY);
    assertThat(hours.announce(day, () -> false)).isFalse();
    hours.complete(day);

    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () -> {
              int begun = hours.begin();
              hours.mark(List.of(row));
              hours.end(begun);
            });
    try {
      marked.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    List<MarkedHour> changed = hours.changed(new byte[0], 10);
    assertThat(changed).hasSize(1);
    assertThat(
            hours.forget(
                changed,
                () -> {
                  goOn.countDown(); // it is awaited now
                  return false;
                }))
        .isTrue();
    writer.join();
    assertThat(hours.settle(changed.get(0), null)).isTrue();
    assertThat(hours.changed(new byte[0], 10)).isEmpty();

    int begun = hours.begin();
    hours.mark(List.of(row)); // it is about to change
    assertThat(hours.changed(new byte[0], 10)).hasSize(1);
    hours.end(begun);
  }
}
