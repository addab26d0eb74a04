package org.hourstone.rollup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.query.Query;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.Test;

/** Rows in two buckets, of no series or of another span, and a mark of a late writer. */
class UnusualRowsTest extends RolledAnswerCase {
  private static final Query ALL = query("sum:1h-sum:m{host=*}", START, START + 3 * DAY);

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
      flushAndRoll(db);
      assertSame(db, ALL);
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
      flushAndRoll(db);
      assertSame(db, query("sum:1d-sum:m{host=*}", START, START + DAY));
      put(db, START + 5 * HOUR, 100, "a");
      flushAndRoll(db);
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
      flushAndRoll(db);
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
