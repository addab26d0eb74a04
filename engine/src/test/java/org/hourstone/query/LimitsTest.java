package org.hourstone.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.query.QueryLimitException.Limit;
import org.junit.jupiter.api.Test;

/** A query beyond a limit is refused with the name of its setting, and holds nothing. */
class LimitsTest extends LargeQueriesCase {
  @Test
  void withinItsLimitsAQueryIsAnswered() {
    assertThat(points(db, query("none:m"))).isEqualTo((long) SERIES * HOURS * 60);
    assertNothingIsHeld();
  }

  @Test
  void pointsBytesSeriesAndMemoryAreLimited() {
    with(QuerySettings.QUERY_MAX_POINTS, "10000");
    assertExceeds(Limit.POINTS, "tsd.query.limits.data_points.default", query("sum:m"));
    with(QuerySettings.QUERY_MAX_POINTS, "0");
    with(QuerySettings.QUERY_MAX_BYTES, "10000");
    assertExceeds(Limit.BYTES, "tsd.query.limits.bytes.default", query("sum:m"));
    with(QuerySettings.QUERY_MAX_BYTES, "0");
    with(QuerySettings.QUERY_MAX_SERIES, "49");
    assertExceeds(Limit.SERIES, "hourstone.query.limits.series", query("sum:m"));
    with(QuerySettings.QUERY_MAX_SERIES, "50");
    with(QuerySettings.QUERY_MEMORY_BYTES, "100000");
    assertExceeds(Limit.MEMORY, "hourstone.query.limits.memory_bytes", query("none:m"));
    with(QuerySettings.QUERY_MEMORY_BYTES, "0");
    with(QuerySettings.QUERY_TOTAL_MEMORY_BYTES, "100000");
    assertExceeds(Limit.MEMORY, "hourstone.query.limits.total_memory_bytes", query("none:m"));
  }

  /** Without the index each of them is read, and each value is tested by its name. */
  @Test
  void seriesThatAFilterRefusesTakeMemoryToo() {
    with(Settings.INDEX_ENABLE, "false");
    Query none = query("sum:m{host=regexp(x.*)}");
    assertThat(points(db, none)).isZero();
    assertNothingIsHeld();
    with(QuerySettings.QUERY_MEMORY_BYTES, "5000");
    assertExceeds(Limit.MEMORY, "hourstone.query.limits.memory_bytes", none);
  }

  @Test
  void anAnswerOfABillionPointsIsRefusedBeforeItFillsTheMemory() {
    with(QuerySettings.QUERY_MEMORY_BYTES, "50000000");
    Query filled =
        Query.parse("none:1ms-avg-zero:light").between(START, START.plusMillis(1_000_000_000));
    assertExceeds(Limit.MEMORY, "hourstone.query.limits.memory_bytes", filled);
  }

  @Test
  void timeIsLimited() {
    db.close();
    db =
        Tsdb.over(
            new ForwardingStore(store) {
              @Override
              public RowCursor scan(Family family, Scan scan) {
                awaitNextMillis();
                return super.scan(family, scan);
              }
            },
            TsdbOptions.defaults().with(QuerySettings.QUERY_TIMEOUT, "1"));
    assertThatThrownBy(() -> points(db, query("sum:m")))
        .isInstanceOfSatisfying(
            QueryLimitException.class, e -> assertThat(e.limit()).isEqualTo(Limit.TIME))
        .hasMessageContaining("tsd.query.timeout");
    assertNothingIsHeld();
  }

  /** Until more than a millisecond has passed. */
  private static void awaitNextMillis() {
    long begun = System.nanoTime();
    while (System.nanoTime() - begun < 2_000_000) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aRequestOfTooManyQueriesIsRefused() {
    with(QuerySettings.QUERY_MAX_QUERIES, "2");
    assertThatThrownBy(() -> db.queryAll(Collections.nCopies(3, query("sum:m"))))
        .isInstanceOf(QueryLimitException.class)
        .hasMessageContaining("more than 2 queries (hourstone.query.limits.queries)");
    assertNothingIsHeld();
    db.queryAll(Collections.nCopies(2, query("sum:m"))).forEach(SeriesCursor::close);
    assertNothingIsHeld();
  }

  @Test
  void underAHundredHeavyQueriesOthersAreAnsweredAndErrorsAreClear() throws Exception {
    with(QuerySettings.QUERY_TOTAL_MEMORY_BYTES, "2000000");
    ExecutorService readers = Executors.newFixedThreadPool(100);
    CountDownLatch heldOrRefused = new CountDownLatch(100);
    CountDownLatch lightAnswered = new CountDownLatch(1);
    try {
      List<Future<Long>> heavy = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        heavy.add(readers.submit(() -> pointsHeld(heldOrRefused, lightAnswered)));
      }
      heldOrRefused.await();
      for (int i = 0; i < 50; i++) {
        assertThat(points(db, query("sum:light"))).isEqualTo(1);
      }
      lightAnswered.countDown();
      int refused = 0;
      for (Future<Long> each : heavy) {
        try {
          assertThat(each.get()).isEqualTo((long) SERIES * HOURS * 60);
        } catch (java.util.concurrent.ExecutionException e) {
          refused++;
          assertThat(e.getCause())
              .isInstanceOf(QueryLimitException.class)
              .hasMessageContaining("hourstone.query.limits.total_memory_bytes");
        }
      }
      assertThat(refused).isBetween(1, 99);
      assertNothingIsHeld();
    } finally {
      lightAnswered.countDown();
      readers.shutdownNow();
    }
  }

  /** The points of a heavy query that holds its memory until {@code released}. */
  private long pointsHeld(CountDownLatch heldOrRefused, CountDownLatch released) throws Exception {
    try (SeriesCursor cursor = begun(heldOrRefused)) {
      long points = 60 * HOURS;
      released.await();
      for (var series = cursor.next(); series != null; series = cursor.next()) {
        points += series.size();
      }
      return points;
    }
  }

  /** A heavy query whose first series was read. */
  private SeriesCursor begun(CountDownLatch heldOrRefused) {
    try {
      SeriesCursor cursor = db.query(query("none:m"));
      try {
        assertThat(cursor.next()).isNotNull();
        return cursor;
      } catch (Throwable e) {
        cursor.close();
        throw e;
      }
    } finally {
      heldOrRefused.countDown();
    }
  }
}
