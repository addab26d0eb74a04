package org.hourstone.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionScope;
import org.hourstone.testkit.LoggedBy;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SaltedReadsTest {
  private static final Instant START = Instant.ofEpochSecond(1_500_001_200);

  private final ManualClock clock = new ManualClock(Instant.parse("2018-01-01T00:00:00Z"));
  private final KeyValueStore store = new ModelStore(clock);
  private Tsdb db = open("7", "none");

  private Tsdb open(String buckets, String bySalt) {
    return Tsdb.over(
        store,
        options(buckets)
            .with(Settings.SALT_CHECK, "false") // so that the number may be changed
            .with(Settings.STRICT, bySalt));
  }

  private TsdbOptions options(String buckets) {
    return TsdbOptions.defaults()
        .with(Settings.HEAD, "false")
        .withClock(clock)
        .with(Settings.SALT_WIDTH, "1")
        .with(Settings.SALT_BUCKETS, buckets);
  }

  /** As a table that OpenTSDB has written. */
  private void reopenWithoutRecord(String buckets) {
    db.close();
    for (Family family : store.families()) {
      if (family.table().equals("tsdb-store")) {
        try (RowCursor rows = store.scan(family, Scan.all())) {
          for (Row row = rows.next(); row != null; row = rows.next()) {
            store.mutate(family, List.of(new RowMutation(row.key(), new Change.DeleteRow())));
          }
        }
      }
    }
    db = Tsdb.over(store, options(buckets));
  }

  @AfterEach
  void close() {
    db.close();
    store.close();
  }

  private void reopen(String buckets, String bySalt) {
    db.close();
    db = open(buckets, bySalt);
  }

  private void put(int hosts, int hour, int value) {
    for (int host = 0; host < hosts; host++) {
      db.put("m", START.plusSeconds(3600L * hour + 5), value, Tags.of("host", "h" + host)).join();
    }
  }

  /** Host, and its points as {@code seconds=value}. */
  private List<String> ask() {
    List<String> answer = new ArrayList<>();
    try (SeriesCursor cursor =
        db.query(Query.parse("none:m").between(START, START.plusSeconds(100_000)))) {
      cursor.forEach(
          series -> {
            StringBuilder text = new StringBuilder(String.valueOf(series.tags().get("host")));
            for (int i = 0; i < series.size(); i++) {
              text.append(' ').append(series.millis(i) / 1000 - START.getEpochSecond());
              text.append('=').append(series.text(i));
            }
            answer.add(text.toString());
          });
    }
    return answer;
  }

  @Test
  void seriesComeInTheirOrderWhateverTheirSalts() {
    put(20, 0, 1);
    put(20, 1, 2);
    List<String> expected = new ArrayList<>();
    for (int host = 0; host < 20; host++) {
      expected.add("h" + host + " 5=1 3605=2");
    }
    assertThat(ask()).containsExactlyElementsOf(expected);

    reopen("7", "salt");
    assertThat(ask()).containsExactlyInAnyOrderElementsOf(expected).isNotEqualTo(expected);
  }

  @Test
  void aSeriesIsOneThoughTheNumberOfBucketsWasChanged() {
    put(20, 0, 1);
    put(20, 2, 3);
    reopen("19", "none");
    clock.advance(Duration.ofSeconds(1));
    put(20, 1, 2);
    put(20, 2, 4); // the same instant as before, in another bucket
    List<String> expected = new ArrayList<>();
    for (int host = 0; host < 20; host++) {
      expected.add("h" + host + " 5=1 3605=2 7205=4");
    }
    assertThat(ask()).containsExactlyElementsOf(expected);
    try (SeriesCursor sum =
        db.query(
            Query.parse("sum:2h-count:m")
                .between(START.minusSeconds(7200), START.plusSeconds(100_000)))) {
      sum.forEach(
          series -> {
            double all = 0;
            for (int i = 0; i < series.size(); i++) {
              all += series.doubleValue(i);
            }
            assertThat(all).isEqualTo(60);
          });
    }
  }

  @Test
  void aSeriesInTwoBucketsCountsOnceAgainstTheLimits() {
    put(20, 0, 1);
    reopen("19", "none");
    clock.advance(Duration.ofSeconds(1));
    put(20, 20, 2); // hours that are read by another slice
    TsdbOptions limited =
        db.engine()
            .options()
            .with(Settings.INDEX_ENABLE, "false")
            .with(QuerySettings.QUERY_THREADS, "4")
            .with(QuerySettings.QUERY_MAX_SERIES, "20")
            .with(QuerySettings.QUERY_MAX_POINTS, "40");
    db.close();
    db = Tsdb.over(store, limited);
    assertThat(ask()).hasSize(20);
  }

  @Test
  void aSeriesIsOneThoughItsBucketChangesFarApart() {
    put(20, 0, 1);
    reopen("19", "none");
    clock.advance(Duration.ofSeconds(1));
    put(20, 20, 2); // hours that are read by another slice
    List<String> expected = new ArrayList<>();
    for (int host = 0; host < 20; host++) {
      expected.add("h" + host + " 5=1 72005=2");
    }
    assertThat(ask()).containsExactlyElementsOf(expected);
    assertThat(db.runningQueries().memoryBytes()).isZero();
    List<String> tsuids = new ArrayList<>();
    try (SeriesCursor all =
        db.query(Query.parse("none:m").between(START, START.plusSeconds(100_000)))) {
      all.forEach(series -> tsuids.addAll(series.tsuids()));
    }
    try (SeriesCursor byTsuid =
        db.query(Query.tsuids(tsuids.subList(0, 1)).between(START, START.plusSeconds(100_000)))) {
      byTsuid.forEach(series -> assertThat(series.size()).isEqualTo(2));
    }
  }

  @Test
  void theLatestPointIsFoundThoughTheNumberOfBucketsWasChanged() {
    put(20, 0, 1);
    reopen("19", "none");
    for (int host = 0; host < 20; host++) {
      assertThat(latest(host)).describedAs("h%d", host).isEqualTo("5=1");
    }
    clock.advance(Duration.ofSeconds(1));
    put(20, 0, 2); // the same instant, in another bucket
    for (int host = 0; host < 20; host++) {
      assertThat(latest(host)).describedAs("h%d", host).isEqualTo("5=2");
    }
    put(1, 1, 3);
    assertThat(latest(0)).isEqualTo("3605=3");
    reopen("7", "salt"); // a series is one per bucket, as in OpenTSDB
    assertThat(latest(0)).isEqualTo("5=1");
  }

  private String latest(int host) {
    return db.last()
        .find("m", Map.of("host", "h" + host), 5000)
        .map(last -> last.millis() / 1000 - START.getEpochSecond() + "=" + last.text())
        .orElse("none");
  }

  @Test
  void rowsInBucketsBeyondTheirNumberAreReported() {
    put(20, 0, 1);
    try (LoggedBy log = LoggedBy.thisThread("org.hourstone.salt")) {
      reopenWithoutRecord("7");
      reopenWithoutRecord("20");
      assertThat(log.messages()).isEmpty();
      reopenWithoutRecord("2");
      assertThat(log.messages())
          .singleElement()
          .asString()
          .startsWith("table tsdb has rows in salt buckets beyond tsd.storage.salt.buckets=2");
    }
  }

  @Test
  void everyBucketIsCompacted() {
    put(20, 0, 1);
    put(20, 0, 300);
    put(20, 30, 1);
    put(20, 30, 300);
    CompactionScope scope =
        CompactionScope.everything()
            .ofMetric("m")
            .between(START.toEpochMilli(), START.toEpochMilli() + 3_600_000);
    assertThat(db.compactor().run(scope, CompactionListener.NONE).rewritten()).isEqualTo(20);
    assertThat(
            db.compactor().run(CompactionScope.everything(), CompactionListener.NONE).rewritten())
        .isEqualTo(20);
  }
}
