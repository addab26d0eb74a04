package org.hourstone.query.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.query.Query;
import org.hourstone.query.QueryLimitException;
import org.hourstone.query.RequestBudget;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.testkit.store.RecordingStore;
import org.hourstone.testkit.store.RecordingStore.Counted;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that several queries of a request need are read once. */
class SharedReadingTest {
  private static final Instant START = Instant.ofEpochSecond(1_500_001_200);
  private static final int SERIES = 30;
  private static final int HOURS = 5;
  private static final int ROWS = SERIES * HOURS;

  private final KeyValueStore memory =
      new ModelStore(new ManualClock(Instant.parse("2018-01-01T00:00:00Z")));
  private final RecordingStore store = new RecordingStore(memory);
  private Tsdb db = Tsdb.over(store, TsdbOptions.defaults());

  private void write(TsdbOptions options) {
    open(options);
    for (int series = 0; series < SERIES; series++) {
      Tags tags = Tags.of("host", "h" + series, "dc", "d" + series % 3);
      for (int point = 0; point < 6 * HOURS; point++) {
        db.put("m", START.plusSeconds(600L * point), (long) series * point, tags);
      }
    }
    db.flush();
  }

  private void open(TsdbOptions options) {
    db.close();
    db = Tsdb.over(store, options);
  }

  @AfterEach
  void close() {
    db.close();
    memory.close();
  }

  private static TsdbOptions options() {
    return TsdbOptions.defaults().with(QuerySettings.QUERY_THREADS, "3");
  }

  private static List<Query> queries(String... texts) {
    List<Query> queries = new ArrayList<>();
    for (String text : texts) {
      queries.add(Query.parse(text).between(START, START.plusSeconds(3600L * HOURS - 1)));
    }
    return queries;
  }

  private static List<String> answer(SeriesCursor cursor) {
    List<String> all = new ArrayList<>();
    try (cursor) {
      for (ResultSeries series = cursor.next(); series != null; series = cursor.next()) {
        StringBuilder text = new StringBuilder(series.tags().toString());
        for (int i = 0; i < series.size(); i++) {
          text.append(' ').append(series.millis(i)).append('=').append(series.text(i));
        }
        all.add(text.toString());
      }
    }
    return all;
  }

  /** Whether the answers are those of each query alone; returns how many rows were read. */
  private long rows(List<Query> queries) {
    List<List<String>> alone = queries.stream().map(query -> answer(db.query(query))).toList();
    Family points = db.engine().tables().points();
    store.reset();
    List<List<String>> together =
        db.queryAll(queries).stream().map(SharedReadingTest::answer).toList();
    assertThat(together).isEqualTo(alone).doesNotContain(List.of());
    assertThat(db.runningQueries().memoryBytes()).isZero();
    return store.count(Counted.ROWS_READ, points);
  }

  @ParameterizedTest
  @CsvSource({"true,0", "false,0", "true,1", "false,1"})
  void theRowsAreReadOnce(boolean index, int saltWidth) {
    write(
        options()
            .with(Settings.INDEX_ENABLE, "" + index)
            .with(Settings.SALT_CHECK, "false")
            .with(Settings.SALT_WIDTH, "" + saltWidth)
            .with(Settings.SALT_BUCKETS, "4"));
    assertThat(rows(queries("sum:m", "max:m", "none:rate:m", "avg:1h-p99:m"))).isEqualTo(ROWS);
    assertThat(rows(queries("sum:7m-avg:m", "max:20m-avg-zero:m{host=*}"))).isEqualTo(ROWS);
    assertThat(rows(queries("sum:0all-sum:m", "sum:1hc-sum:m"))).isEqualTo(ROWS);
    assertThat(rows(queries("sum:m{host=*}", "min:1h-min:m{host=*}"))).isEqualTo(ROWS);
    assertThat(rows(queries("max:m{dc=d1}", "avg:m{}{dc=d1}", "none:5m-sum:m{dc=d1}")))
        .isEqualTo(ROWS / 3);
    assertThat(rows(queries("max:m{dc=d1}", "avg:m{dc=d0}", "sum:m{dc=d2}"))).isEqualTo(ROWS);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aQueryTakesItsPartOfTheRowsOfAnother(boolean index) {
    write(options().with(Settings.INDEX_ENABLE, "" + index).with(Settings.SALT_CHECK, "false"));
    db.put("m", START, 1, Tags.of("dc", "d1"));
    db.put("m", START, 1, Tags.of("rack", "r1"));
    db.flush();
    assertThat(rows(queries("sum:m{host=h3}", "sum:m", "max:m{dc=d1}", "sum:m{}{host=h1}")))
        .isEqualTo(ROWS + 2);
    assertThat(rows(queries("sum:m{host=h1}", "sum:m{host=*}", "sum:m{host=wildcard(h1*)}")))
        .isEqualTo(ROWS);
    assertThat(rows(queries("sum:m{dc=d1|d2}", "sum:m{dc=d2,host=*}", "sum:m{dc=d1}")))
        .isEqualTo(ROWS * 2 / 3 + 1);
    assertThat(rows(queries("sum:m{host=h1}", "sum:m{dc=d1}"))).isEqualTo(ROWS / 3 + 1 + HOURS);
  }

  @Test
  void bucketsThatReachBeyondTheRangeAreWhole() {
    write(options());
    Instant from = START.plusSeconds(3L * 3600);
    List<Query> queries =
        List.of(
            Query.parse("sum:m").between(from, from.plusSeconds(1000)),
            Query.parse("sum:1d-sum:m").between(from, from.plusSeconds(1000)),
            Query.parse("sum:4h-sum:m{dc=d1}").between(from, from.plusSeconds(1000)));
    assertThat(rows(queries)).isEqualTo(ROWS);
  }

  @Test
  void hoursThatOnlyAQueryOfOneSeriesNeedsAreReadForItAlone() {
    write(options());
    Instant from = START.plusSeconds(3L * 3600);
    List<Query> queries =
        List.of(
            Query.parse("zimsum:m").between(from, from.plusSeconds(1000)),
            Query.parse("zimsum:1d-sum:m{host=h1}").between(from, from.plusSeconds(1000)));
    assertThat(rows(queries)).isEqualTo(SERIES + HOURS);
  }

  @Test
  void longBucketsOfOneQueryDoNotMakeTheSlicesOfOthersLonger() {
    write(options().with(QuerySettings.QUERY_SLICE_ROWS, "40"));
    Family points = db.engine().tables().points();
    store.reset();
    answer(db.query(queries("sum:m").get(0)));
    long alone = store.count(Counted.SCANS, points);
    assertThat(alone).isGreaterThan(1);
    store.reset();
    db.queryAll(queries("max:1d-max:m", "sum:m")).forEach(SharedReadingTest::answer);
    assertThat(store.count(Counted.SCANS, points)).isGreaterThanOrEqualTo(alone);
  }

  @Test
  void manyQueriesAreReadAFewAtATime() {
    write(options());
    assertThat(rows(Collections.nCopies(25, queries("none:m").get(0)))).isEqualTo(3L * ROWS);
  }

  @Test
  void otherMetricsAndRangesAreReadApart() {
    write(options());
    db.put("other", START, 1, Tags.of("host", "h0"));
    db.flush();
    List<Query> queries = new ArrayList<>(queries("sum:m", "sum:other", "max:m"));
    queries.add(Query.parse("sum:m").between(START, START.plusSeconds(3600L * HOURS - 2)));
    assertThat(rows(queries)).isEqualTo(2L * ROWS + 1);
  }

  @Test
  void rowsCountForEachQueryAndOnceForTheRequest() {
    write(options());
    RequestBudget budget = db.begin(() -> "a request");
    List<SeriesCursor> cursors = db.queryAll(queries("sum:m", "max:m{dc=d1}"), budget);
    assertThat(cursors.get(0).next()).isNotNull();
    assertThat(cursors.get(1).next()).isNotNull();
    assertThat(cursors.get(0).use().rows()).isEqualTo(ROWS);
    assertThat(cursors.get(1).use().rows()).isEqualTo(ROWS / 3);
    assertThat(cursors.get(1).use().points()).isEqualTo(ROWS / 3 * 6);
    assertThat(budget.use().rows()).isEqualTo(ROWS);
    assertThat(budget.use().points()).isEqualTo(ROWS * 6);
    cursors.forEach(SeriesCursor::close);
    budget.close();
  }

  @Test
  void aLimitOfOneQueryIsNotThatOfOthers() {
    write(options().with(QuerySettings.QUERY_MAX_SERIES, "" + SERIES / 2));
    List<SeriesCursor> cursors = db.queryAll(queries("none:m{dc=d1}", "sum:m", "max:m{dc=d0}"));
    assertThat(answer(cursors.get(0))).hasSize(SERIES / 3);
    assertThatThrownBy(() -> answer(cursors.get(1))).isInstanceOf(QueryLimitException.class);
    assertThat(answer(cursors.get(2))).hasSize(1);
    assertThat(db.runningQueries().memoryBytes()).isZero();
  }

  @Test
  void aCorruptRowConcernsTheQueriesThatTakeIt() {
    write(options());
    Family points = db.engine().tables().points();
    byte[] row;
    try (RowCursor rows = memory.scan(points, Scan.all())) {
      row = Objects.requireNonNull(rows.next()).key();
    }
    memory.put(points, row, new byte[] {0, 7}, new byte[] {1, 2, 3});
    String[] texts = {"none:m{host=h1}", "sum:m", "max:m{dc=d1}"};
    List<SeriesCursor> cursors = db.queryAll(queries(texts));
    assertThat(answer(cursors.get(0))).hasSize(1);
    assertThatThrownBy(() -> answer(cursors.get(1))).isInstanceOf(CorruptDataException.class);
    assertThat(answer(cursors.get(2))).hasSize(1);
    open(options().with(QuerySettings.CORRUPT_ROWS, "skip"));
    List<SeriesCursor> skipping = db.queryAll(queries(texts));
    for (SeriesCursor each : skipping) {
      assertThat(answer(each)).hasSize(1);
    }
    assertThat(skipping).extracting(each -> each.corruption().count()).containsExactly(0L, 1L, 0L);
  }

  @Test
  void aQueryThatCannotBeComputedDoesNotFailOthers() {
    write(options().with(Settings.STRICT, "aggregation"));
    List<SeriesCursor> cursors = db.queryAll(fromEpoch("sum:m", "sum:1h-avg:rate:m", "max:m"));
    assertThat(answer(cursors.get(0))).hasSize(1);
    assertThatThrownBy(() -> answer(cursors.get(1))).isInstanceOf(IllegalStateException.class);
    assertThat(answer(cursors.get(2))).hasSize(1);
    assertThat(db.runningQueries().memoryBytes()).isZero();
  }

  private List<Query> fromEpoch(String... texts) {
    db.put("m", Instant.EPOCH, 1, Tags.of("host", "h0"));
    db.flush();
    return Stream.of(texts).map(text -> Query.parse(text).between(Instant.EPOCH, START)).toList();
  }

  @Test
  void resultsThatWereReadForLaterQueriesAreGivenUpForMemory() {
    write(options().with(QuerySettings.QUERY_THREADS, "1"));
    for (int second = 0; second < 3600; second++) {
      db.put("large", START.plusSeconds(second), second, Tags.of("host", "h0"));
    }
    db.flush();
    long most = 0;
    for (Query query : queries("max:large", "none:m")) {
      try (SeriesCursor cursor = db.query(query)) {
        assertThat(cursor.next()).isNotNull();
        most = Math.max(most, cursor.use().memoryBytes());
      }
    }
    open(options().with(QuerySettings.QUERY_MEMORY_BYTES, "" + 5 * most / 2));
    List<SeriesCursor> cursors = db.queryAll(queries("max:large", "none:m", "min:large"));
    assertThat(answer(cursors.get(0))).hasSize(1);
    assertThat(answer(cursors.get(1))).hasSize(SERIES);
    assertThat(answer(cursors.get(2))).hasSize(1);
  }

  @Test
  void theNextRowsAreReadAheadWhileResultsForLaterQueriesAreHeld() throws Exception {
    write(options());
    for (int metric = 0; metric < 4; metric++) {
      db.put("m" + metric, START, 1, Tags.of("host", "h" + metric));
    }
    db.flush();
    CountDownLatch third = new CountDownLatch(1);
    byte[] uid = db.uids().uid(UidKind.METRIC, "m2");
    KeyValueStore watched =
        new ForwardingStore(memory) {
          @Override
          public RowCursor scan(Family family, Scan scan) {
            byte[] start = Arrays.copyOf(scan.start(), uid.length);
            if (family.table().equals("tsdb") && Arrays.equals(start, uid)) {
              third.countDown();
            }
            return super.scan(family, scan);
          }
        };
    TsdbOptions twoThreads =
        options().with(QuerySettings.QUERY_THREADS, "2").with(Settings.INDEX_ENABLE, "false");
    try (Tsdb ahead = Tsdb.over(watched, twoThreads)) {
      List<SeriesCursor> cursors =
          ahead.queryAll(
              queries(
                  "min:m0", "min:m1", "min:m2", "min:m3", "max:m0", "max:m1", "max:m2", "max:m3"));
      assertThat(answer(cursors.get(0))).hasSize(1);
      assertThat(third.await(1, TimeUnit.MINUTES)).isTrue();
      cursors.subList(1, 8).forEach(cursor -> assertThat(answer(cursor)).hasSize(1));
    }
  }

  @Test
  void aQueryThatIsClosedEarlyDoesNotEndTheOthers() {
    write(options());
    List<SeriesCursor> cursors = db.queryAll(queries("none:m", "sum:m", "none:1h-avg:m"));
    cursors.get(0).close();
    assertThat(answer(cursors.get(2))).hasSize(SERIES);
    assertThat(answer(cursors.get(1))).hasSize(1);
    assertThat(db.runningQueries().memoryBytes()).isZero();
  }
}
