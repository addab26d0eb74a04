package org.hourstone.kv.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.index.SeriesPattern;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.FuzzyRow;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.kv.StoreOptions;
import org.hourstone.kv.Trait;
import org.hourstone.kv.memory.MemoryStore.Promises;
import org.hourstone.query.Query;
import org.hourstone.query.QueryCancelledException;
import org.hourstone.query.QueryLimitException;
import org.hourstone.query.QueryLimitException.Limit;
import org.hourstone.query.RequestBudget;
import org.hourstone.query.RunningQuery;
import org.hourstone.query.SeriesCursor;
import org.hourstone.testkit.ManualClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryLimitsTest {
  private static final Instant START = Instant.ofEpochSecond(1_500_001_200);
  private static final int SERIES = 50;
  private static final int HOURS = 6;
  private static final String EXPONENTIAL = "sum:m{host=regexp((.*a){12}b)}";

  private final KeyValueStore store =
      MemoryStore.open(
          new StoreOptions(new ManualClock(Instant.parse("2018-01-01T00:00:00Z"))), Promises.FULL);
  private Tsdb db = Tsdb.over(store, TsdbOptions.defaults());

  @BeforeEach
  void write() {
    for (int series = 0; series < SERIES; series++) {
      for (int minute = 0; minute < 60 * HOURS; minute++) {
        db.put("m", START.plusSeconds(60L * minute), minute, Tags.of("host", "h" + series));
      }
    }
    db.put("light", START, 1, Tags.of("host", "h0"));
    db.flush();
  }

  @AfterEach
  void close() {
    db.close();
    store.close();
  }

  private void with(Setting<?> key, String value) {
    db.close();
    db = Tsdb.over(store, db.engine().options().with(key, value));
  }

  private static Query query(String expression) {
    return Query.parse(expression).between(START, START.plus(Duration.ofDays(1)));
  }

  private static long points(Tsdb db, Query query) {
    long points = 0;
    try (SeriesCursor cursor = db.query(query)) {
      for (var series = cursor.next(); series != null; series = cursor.next()) {
        points += series.size();
      }
    }
    return points;
  }

  private void assertExceeds(Limit limit, String setting, Query query) {
    assertThatThrownBy(() -> points(db, query))
        .isInstanceOfSatisfying(
            QueryLimitException.class, e -> assertThat(e.limit()).isEqualTo(limit))
        .hasMessageContaining(setting);
    assertNothingIsHeld();
    assertThat(points(db, query("sum:light"))).isEqualTo(1);
  }

  @Test
  void aLookupThatFindsNothingIsCancelledWithinOneCallOfItsCursor() {
    Family points = db.engine().tables().points();
    for (int i = 0; i < 2 * Scan.ROWS_PER_CHECK; i++) {
      byte[] row = {9, (byte) (i >> 8), (byte) i, 1};
      store.put(points, row, new byte[] {0, 0}, new byte[] {1});
    }
    AtomicInteger rows = new AtomicInteger();
    RequestBudget[] budget = new RequestBudget[1];
    KeyValueReader reader =
        budgeted(
            new ForwardingStore(store) {
              @Override
              public RowCursor scan(Family family, Scan scan) {
                return super.scan(
                    family,
                    scan.check(
                        () -> {
                          rows.incrementAndGet();
                          budget[0].cancel("no longer wanted");
                          scan.check().run();
                        }));
              }
            },
            budget);
    FuzzyRow none = new FuzzyRow(new byte[4], new boolean[] {false, false, false, true});
    Scan scan = Scan.all().filter(none);
    try (RowCursor cursor = reader.scan(points, scan)) {
      assertThatThrownBy(cursor::next)
          .isInstanceOf(QueryCancelledException.class)
          .hasMessageContaining("no longer wanted");
    }
    assertThat(rows).hasValue(1);
    budget[0].close();
  }

  private KeyValueReader budgeted(KeyValueStore over, RequestBudget[] budget) {
    budget[0] = db.runningQueries().begin(() -> "a lookup");
    return budget[0].reading(over);
  }

  private void assertNothingIsHeld() {
    assertThat(db.runningQueries().list()).isEmpty();
    assertThat(db.runningQueries().heldBytes()).isZero();
  }

  @Test
  void withinItsLimitsAQueryIsAnswered() {
    assertThat(points(db, query("none:m"))).isEqualTo((long) SERIES * HOURS * 60);
    assertNothingIsHeld();
  }

  @Test
  void pointsBytesSeriesAndMemoryAreLimited() {
    with(Settings.QUERY_MAX_POINTS, "10000");
    assertExceeds(Limit.POINTS, "tsd.query.limits.data_points.default", query("sum:m"));
    with(Settings.QUERY_MAX_POINTS, "0");
    with(Settings.QUERY_MAX_BYTES, "10000");
    assertExceeds(Limit.BYTES, "tsd.query.limits.bytes.default", query("sum:m"));
    with(Settings.QUERY_MAX_BYTES, "0");
    with(Settings.QUERY_MAX_SERIES, "49");
    assertExceeds(Limit.SERIES, "hourstone.query.limits.series", query("sum:m"));
    with(Settings.QUERY_MAX_SERIES, "50");
    with(Settings.QUERY_HELD_BYTES, "100000");
    assertExceeds(Limit.MEMORY, "hourstone.query.limits.held_bytes", query("none:m"));
    with(Settings.QUERY_HELD_BYTES, "0");
    with(Settings.QUERY_TOTAL_HELD_BYTES, "100000");
    assertExceeds(Limit.MEMORY, "hourstone.query.limits.total_held_bytes", query("none:m"));
  }

  @Test
  void anAnswerOfABillionPointsIsRefusedBeforeItFillsTheMemory() {
    with(Settings.QUERY_HELD_BYTES, "50000000");
    Query filled =
        Query.parse("none:1ms-avg-zero:light").between(START, START.plusMillis(1_000_000_000));
    assertExceeds(Limit.MEMORY, "hourstone.query.limits.held_bytes", filled);
  }

  @Test
  void aRegularExpressionOfExponentialTimeIsCutOff() {
    db.put("m", START, 1, Tags.of("host", "a".repeat(60)));
    db.flush();
    with(Settings.QUERY_REGEX_STEPS, "1000000");
    assertExceeds(Limit.REGEX, "hourstone.query.limits.regex_steps", query(EXPONENTIAL));
  }

  /** It is matched before rows are read if there is an index, else as they are. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aRegularExpressionOfExponentialTimeEndsWithTheTimeOfItsQuery(boolean index) {
    putExponential();
    with(Settings.INDEX_ENABLE, Boolean.toString(index));
    with(Settings.QUERY_TIMEOUT, "200");
    assertThatThrownBy(() -> points(db, query(EXPONENTIAL)))
        .isInstanceOfSatisfying(
            QueryLimitException.class, e -> assertThat(e.limit()).isEqualTo(Limit.TIME))
        .hasMessageContaining("tsd.query.timeout");
    assertNothingIsHeld();
  }

  @Test
  @Timeout(60)
  void aRegularExpressionOfExponentialTimeEndsWhenItsQueryIsCancelled() throws Exception {
    putExponential();
    AtomicReference<@Nullable Thread> reader = new AtomicReference<>();
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Future<Long> answer =
          threads.submit(
              () -> {
                reader.set(Thread.currentThread());
                return points(db, query(EXPONENTIAL));
              });
      while (!answer.isDone() && !isMatching(reader.get())) {
        Thread.onSpinWait();
      }
      List<RunningQuery> running = db.runningQueries().list();
      assertThat(running).extracting(RunningQuery::text).containsExactly(EXPONENTIAL);
      assertThat(db.runningQueries().kill(running.get(0).id(), "enough")).isTrue();
      assertThatThrownBy(answer::get)
          .hasCauseInstanceOf(QueryCancelledException.class)
          .hasMessageContaining("enough");
      assertNothingIsHeld();
    } finally {
      threads.shutdownNow();
    }
  }

  /** A value for which {@link #EXPONENTIAL} takes longer than anyone waits. */
  private void putExponential() {
    db.put("m", START, 1, Tags.of("host", "a".repeat(60)));
    db.flush();
    with(Settings.QUERY_REGEX_STEPS, "0"); // any number of them
  }

  private static boolean isMatching(@Nullable Thread thread) {
    return thread != null
        && Arrays.stream(thread.getStackTrace())
            .anyMatch(frame -> frame.getClassName().equals("org.hourstone.query.RegexBudget"));
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
            TsdbOptions.defaults().with(Settings.QUERY_TIMEOUT, "1"));
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
  void queriesOfARequestAreStartedAsEarlierOnesAreTaken() {
    AtomicInteger started = new AtomicInteger();
    db.close();
    TsdbOptions twoThreads =
        TsdbOptions.defaults()
            .with(Settings.QUERY_THREADS, "2")
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
                .with(Settings.QUERY_THREADS, "1")
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
      one = cursor.use().heldBytes();
    }
    with(Settings.QUERY_THREADS, "10");
    with(Settings.QUERY_HELD_BYTES, Long.toString(one * 3));
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
      one = cursor.use().heldBytes();
    }
    with(Settings.QUERY_THREADS, "4");
    with(Settings.QUERY_HELD_BYTES, Long.toString(one * 3 / 2));
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

  @Test
  void aRequestOfTooManyQueriesIsRefused() {
    with(Settings.QUERY_MAX_QUERIES, "2");
    assertThatThrownBy(() -> db.queryAll(Collections.nCopies(3, query("sum:m"))))
        .isInstanceOf(QueryLimitException.class)
        .hasMessageContaining("more than 2 queries (hourstone.query.limits.queries)");
    assertNothingIsHeld();
    db.queryAll(Collections.nCopies(2, query("sum:m"))).forEach(SeriesCursor::close);
    assertNothingIsHeld();
  }

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
      assertThat(slowDb.runningQueries().heldBytes()).isZero();
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

  @Test
  void onlyTheGroupsThatAreLeftHoldMemory() {
    for (String text : List.of("none:m", "none:1h-p95-nan:m", "sum:rate:m{host=*}")) {
      try (SeriesCursor cursor = db.query(query(text))) {
        assertThat(cursor.next()).isNotNull();
        long all = cursor.use().heldBytes();
        assertThat(all).isPositive();
        for (int read = 1; read < SERIES; read++) {
          assertThat(cursor.next()).isNotNull();
          assertThat(cursor.use().heldBytes() * SERIES).isEqualTo(all * (SERIES - read));
        }
        assertThat(cursor.next()).isNull();
        assertNothingIsHeld();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Ending.class)
  void howeverAQueryEndsNothingIsHeld(Ending ending) {
    Random random = new Random(ending.name().hashCode());
    List<String> texts =
        List.of("none:m", "sum:m", "avg:1h-p95-zero:rate:m{host=*}", "none:0all-p99:m");
    AtomicInteger rowsLeft = new AtomicInteger();
    TsdbOptions options = TsdbOptions.defaults().with(Settings.SALT_CHECK, "false");
    if (ending == Ending.LIMIT) {
      options = options.with(Settings.QUERY_HELD_BYTES, "100000");
    }
    int failed = 0;
    db.close();
    db =
        Tsdb.over(
            new ForwardingStore(store) {
              @Override
              public RowCursor scan(Family family, Scan scan) {
                return ending.after(rowsLeft, super.scan(family, scan), db);
              }
            },
            options);
    for (int round = 0; round < 50; round++) {
      rowsLeft.set(random.nextInt(SERIES * HOURS));
      List<Query> queries =
          random
              .ints(1 + random.nextInt(2), 0, texts.size())
              .mapToObj(i -> query(texts.get(i)))
              .toList();
      int groups = ending == Ending.CLOSED ? random.nextInt(SERIES) : Integer.MAX_VALUE;
      List<SeriesCursor> cursors = db.queryAll(queries);
      for (SeriesCursor cursor : cursors) {
        try (cursor) {
          for (int read = 0; read < groups && cursor.next() != null; read++) {
            assertThat(cursor.use().heldBytes()).isPositive();
          }
        } catch (StoreException | QueryCancelledException | QueryLimitException e) {
          assertThat(e.getClass()).isEqualTo(ending.failure);
          failed++;
        }
      }
      assertNothingIsHeld();
    }
    assertThat(failed > 0).isEqualTo(ending.failure != null);
  }

  /** How a query ends after some rows. */
  private enum Ending {
    READ(null),
    CLOSED(null),
    LIMIT(QueryLimitException.class),
    CANCELLED(QueryCancelledException.class),
    FAILED(StoreException.class);

    private final @Nullable Class<? extends RuntimeException> failure;

    Ending(@Nullable Class<? extends RuntimeException> failure) {
      this.failure = failure;
    }

    RowCursor after(AtomicInteger rowsLeft, RowCursor rows, Tsdb db) {
      return new RowCursor() {
        @Override
        public @Nullable Row next() {
          if (rowsLeft.getAndDecrement() == 0) {
            if (Ending.this == CANCELLED) {
              db.runningQueries()
                  .list()
                  .forEach(query -> db.runningQueries().kill(query.id(), "enough"));
            } else if (Ending.this == FAILED) {
              throw new StoreException(Outcome.NOT_APPLIED, "the store fails");
            }
          }
          return rows.next();
        }

        @Override
        public void close() {
          rows.close();
        }
      };
    }
  }

  @Test
  void underAHundredHeavyQueriesOthersAreAnsweredAndErrorsAreClear() throws Exception {
    with(Settings.QUERY_TOTAL_HELD_BYTES, "2000000");
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
              .hasMessageContaining("hourstone.query.limits.total_held_bytes");
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
