package org.hourstone.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.Trait;
import org.junit.jupiter.api.Test;

/** The queries of one request: how many run at a time, and what they do when memory is short. */
class SeveralQueriesTest extends LargeQueriesCase {
  @Test
  void queriesOfARequestAreStartedAsEarlierOnesAreTaken() {
    AtomicInteger started = new AtomicInteger();
    db.close();
    TsdbOptions twoThreads =
        TsdbOptions.defaults()
            .with(Settings.HEAD, "false")
            .with(QuerySettings.QUERY_THREADS, "2")
            .with(Settings.INDEX_ENABLE, "false")
            .with(Settings.SALT_CHECK, "false");
    db =
        Tsdb.over(
            new ForwardingStore(store) {
              @Override
              public RowCursor scan(Family family, Scan scan) {
                started.incrementAndGet();
                return super.scan(family, scan);
              }
            },
            twoThreads);
    List<Query> queries = hours(20);
    List<SeriesCursor> cursors = db.queryAll(queries);
    assertThat(db.runningQueries().list()).hasSize(1);
    for (int i = 0; i < queries.size(); i++) {
      SeriesCursor cursor = cursors.get(i);
      assertThat(cursor.next()).isNotNull();
      assertThat(started.get()).isBetween(i + 1, i + 2);
      assertThat(cursor.next()).isNull();
    }
    assertThat(started.get()).isEqualTo(queries.size());
    assertNothingIsHeld();
  }

  @Test
  void theQueriesOfARequestWaitForSharedServersAtTheSameTime() {
    int queries = 4;
    CountDownLatch waiting = new CountDownLatch(queries);
    db.close();
    db =
        Tsdb.over(
            new ForwardingStore(store) {
              @Override
              public Set<Trait> traits() {
                return Set.of(Trait.SHARED);
              }

              @Override
              public RowCursor scan(Family family, Scan scan) {
                waiting.countDown();
                try {
                  assertThat(waiting.await(1, TimeUnit.MINUTES)).isTrue();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
                return super.scan(family, scan);
              }
            },
            TsdbOptions.defaults()
                .with(QuerySettings.QUERY_THREADS, "1")
                .with(Settings.SALT_CHECK, "false"));
    List<SeriesCursor> cursors = db.queryAll(hours(queries));
    for (SeriesCursor cursor : cursors) {
      assertThat(cursor.next()).isNotNull();
      cursor.close();
    }
    assertNothingIsHeld();
  }

  /** Queries of the rows of an hour, which are read for each, as none has the range of another. */
  private static List<Query> hours(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> Query.parse("sum:m").between(START, START.plusSeconds(3599 - i)))
        .toList();
  }

  @Test
  void queriesThatDoNotFitIntoTheMemoryTogetherAreReadOneAfterTheOther() {
    long one;
    try (SeriesCursor cursor = db.query(query("none:m"))) {
      one = cursor.use().memoryBytes();
    }
    with(QuerySettings.QUERY_THREADS, "10");
    with(QuerySettings.QUERY_MEMORY_BYTES, Long.toString(one * 3));
    List<SeriesCursor> cursors = db.queryAll(Collections.nCopies(10, query("none:m")));
    for (SeriesCursor cursor : cursors) {
      int series = 0;
      for (var each = cursor.next(); each != null; each = cursor.next()) {
        assertThat(each.size()).isEqualTo(60 * HOURS);
        series++;
      }
      assertThat(series).isEqualTo(SERIES);
    }
    assertNothingIsHeld();
  }

  @Test
  void queriesThatFailedBesideEachOtherAreReadAgain() {
    long one;
    try (SeriesCursor cursor = db.query(query("none:m"))) {
      one = cursor.use().memoryBytes();
    }
    with(QuerySettings.QUERY_THREADS, "4");
    with(QuerySettings.QUERY_MEMORY_BYTES, Long.toString(one * 3 / 2));
    for (int round = 0; round < 20; round++) {
      List<SeriesCursor> cursors = db.queryAll(Collections.nCopies(2 + round % 2, query("none:m")));
      for (SeriesCursor cursor : cursors) {
        for (int series = 0; series < SERIES; series++) {
          assertThat(cursor.next()).isNotNull();
        }
        assertThat(cursor.next()).isNull();
      }
      assertNothingIsHeld();
    }
  }
}
