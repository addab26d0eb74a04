package org.hourstone.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.index.SeriesPattern;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.junit.jupiter.api.Test;

/** Queries that are running are listed, and can be ended. */
class CancellingTest extends LargeQueriesCase {
  @Test
  void cancellingARequestEndsItsQueriesItsDeletionsAndItsLookUps() {
    RequestBudget budget = db.begin(() -> "a request");
    List<SeriesCursor> cursors = db.queryAll(List.of(query("none:m"), query("sum:m")), budget);
    List<RunningQuery> running = db.runningQueries().list();
    assertThat(running).extracting(RunningQuery::text).containsExactly("a request");
    assertThat(cursors.get(0).next()).isNotNull();
    assertThat(db.runningQueries().kill(budget.id(), "enough")).isTrue();
    List<ThrowingCallable> work =
        List.of(
            () -> cursors.get(0).next(),
            () -> cursors.get(1).next(),
            () -> db.query(query("sum:m"), budget),
            () -> db.delete(query("sum:m"), budget),
            () -> db.explain(query("sum:m"), START, budget),
            () -> db.last(budget).find("m", Map.of("host", "h1"), 3),
            () -> db.lookup(budget).findInData(SeriesPattern.parse("m"), 10, tsuid -> {}));
    for (ThrowingCallable each : work) {
      assertThatThrownBy(each)
          .isInstanceOf(QueryCancelledException.class)
          .hasMessageContaining("enough");
    }
    cursors.forEach(SeriesCursor::close);
    budget.close();
    assertNothingIsHeld();
    assertThat(points(db, query("none:m"))).isEqualTo((long) SERIES * HOURS * 60);
  }

  @Test
  void aRunningQueryIsListedAndCanBeEnded() throws Exception {
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch killed = new CountDownLatch(1);
    KeyValueStore slow =
        new ForwardingStore(store) {
          @Override
          public RowCursor scan(Family family, Scan scan) {
            reading.countDown();
            awaitQuietly(killed);
            return super.scan(family, scan);
          }
        };
    ExecutorService reader = Executors.newSingleThreadExecutor();
    // The check of the salt would read when the database is opened, and wait.
    TsdbOptions unchecked = TsdbOptions.defaults().with(Settings.SALT_CHECK, "false");
    try (Tsdb slowDb = Tsdb.over(slow, unchecked)) {
      Future<Long> answer = reader.submit(() -> points(slowDb, query("max:1h-max:m{host=*}")));
      reading.await();
      List<RunningQuery> running = slowDb.runningQueries().list();
      assertThat(running).hasSize(1);
      assertThat(running.get(0).text()).isEqualTo("max:1h-max:m{host=wildcard(*)}");
      assertThat(slowDb.runningQueries().kill(running.get(0).id(), "the operator said so"))
          .isTrue();
      killed.countDown();
      assertThatThrownBy(answer::get)
          .hasCauseInstanceOf(QueryCancelledException.class)
          .hasMessageContaining("the operator said so");
      assertThat(slowDb.runningQueries().list()).isEmpty();
      assertThat(slowDb.runningQueries().memoryBytes()).isZero();
      assertThat(slowDb.runningQueries().kill(running.get(0).id(), "again")).isFalse();
    } finally {
      reader.shutdownNow();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void closingACursorEndsItsQueries() {
    List<SeriesCursor> cursors = db.queryAll(List.of(query("none:m"), query("sum:m")));
    assertThat(db.runningQueries().list()).hasSize(1);
    assertThat(cursors.get(0).next()).isNotNull();
    cursors.forEach(SeriesCursor::close);
    assertNothingIsHeld();
    assertThatThrownBy(() -> cursors.get(0).next()).isInstanceOf(QueryCancelledException.class);
    assertNothingIsHeld(); // not less than nothing either
  }
}
