package org.hourstone;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An index table that was restored from a backup of another time than the data, names without
 * points, and versions that entered less. The same on every store: {@code OlderIndexContract}.
 */
class OlderIndexTest extends OwnedStoreCase {
  private static final Family INDEX = TsdbOptions.defaults().indexFamily();

  private static void put(Tsdb db, String metric, Tags tags) {
    db.put(metric, Instant.ofEpochSecond(HOUR), 1L, tags).join();
  }

  private static Set<String> hosts(Tsdb db, String metric) {
    Set<String> hosts = new TreeSet<>();
    Query query =
        Query.parse("none:" + metric + "{host=wildcard(s*)}")
            .between(Instant.ofEpochSecond(HOUR), Instant.ofEpochSecond(HOUR + 3600));
    try (SeriesCursor cursor = db.query(query)) {
      for (ResultSeries series = cursor.next(); series != null; series = cursor.next()) {
        hosts.add(series.tags().get("host"));
      }
    }
    return hosts;
  }

  private List<RowMutation> backup() {
    List<RowMutation> rows = new ArrayList<>();
    try (RowCursor cursor = store.scan(INDEX, Scan.all())) {
      for (Row row = cursor.next(); row != null; row = cursor.next()) {
        rows.add(new RowMutation(row.key(), new Change.Put(row.qualifier(0), row.value(0))));
      }
    }
    return rows;
  }

  private void restore(List<RowMutation> backup) {
    backup()
        .forEach(
            row ->
                store.mutate(INDEX, List.of(new RowMutation(row.row(), new Change.DeleteRow()))));
    store.mutate(INDEX, backup);
  }

  private static byte[] metric(Tsdb db) {
    return db.uids().uid(UidKind.METRIC, "m");
  }

  @Test
  void anIndexOlderThanAMetricIsNotUsedByWhoOnlyReads() {
    List<RowMutation> backup;
    try (Tsdb db = Tsdb.over(store, options())) {
      put(db, "m", Tags.of("host", "s1"));
      backup = backup();
      put(db, "n", Tags.of("host", "s1"));
    }
    restore(backup);
    try (Tsdb db = Tsdb.over(readOnly(store), options())) {
      assertThat(hosts(db, "n")).containsExactly("s1");
    }
  }

  /** By whatever means they were given, with the index on or off. */
  @Test
  void namesWithoutPointsDoNotMakeAnIndexSeemOlder() {
    try (Tsdb db = Tsdb.over(store, options())) {
      put(db, "m", Tags.of("host", "s1"));
    }
    for (TsdbOptions options :
        List.of(
            options(),
            options().with(Settings.INDEX_ENABLE, "false"),
            TsdbOptions.openTsdbDefaults().withClock(clock))) {
      try (Tsdb db = Tsdb.over(store, options)) {
        for (UidKind kind : UidKind.values()) {
          db.uids().assign(kind, kind + "-" + options.hashCode());
        }
        db.uids().rename(UidKind.TAGV, "s1", "s1-" + options.hashCode());
        db.uids().rename(UidKind.TAGV, "s1-" + options.hashCode(), "s1");
      }
    }
    try (Tsdb db = Tsdb.over(store, options())) {
      assertThat(db.index().match(metric(db), List.of()).orElseThrow().size()).isEqualTo(1);
      assertThat(db.index().status().complete()).isTrue();
      assertThat(db.index().status().problem()).isEmpty();
    }
  }

  /** Removes what earlier versions, which enter series all the same, do not note. */
  private void forgetUids(List<RowMutation> before) {
    Set<String> noted = new TreeSet<>();
    before.forEach(row -> noted.add(HexFormat.of().formatHex(row.row())));
    for (RowMutation row : backup()) {
      boolean isUid = row.row()[0] == 4 && row.row().length > 2;
      if (isUid && !noted.contains(HexFormat.of().formatHex(row.row()))) {
        store.mutate(INDEX, List.of(new RowMutation(row.row(), new Change.DeleteRow())));
      }
    }
  }

  @Test
  void anIndexToWhichAnEarlierVersionHasEnteredSeriesIsUsed() {
    List<RowMutation> before;
    try (Tsdb db = Tsdb.over(store, options())) {
      put(db, "m", Tags.of("host", "s1"));
      before = backup();
    }
    try (Tsdb earlier = Tsdb.over(store, options())) {
      for (int i = 2; i < 70; i++) {
        clock.advance(Duration.ofMinutes(1));
        put(earlier, i % 2 == 0 ? "m" : "n" + i, Tags.of("host", "s" + i, "dc" + i, "x" + i));
      }
    }
    forgetUids(before);
    for (int again = 0; again < 2; again++) {
      clock.advance(Duration.ofMinutes(10));
      try (Tsdb db = Tsdb.over(store, options())) {
        assertThat(hosts(db, "m")).hasSize(35);
        assertThat(db.index().match(metric(db), List.of()).orElseThrow().size()).isEqualTo(35);
        assertThat(db.index().status().problem()).isEmpty();
        assertThat(db.index().status().complete()).isTrue();
      }
    }
    assertThat(backup().size()).as("UIDs are noted then").isGreaterThan(3 * 64);
  }

  /** A later series of a name does not show that the index has the earlier ones. */
  @ParameterizedTest
  @ValueSource(strings = {"n", "m"})
  void anOlderIndexToWhichAnEarlierVersionHasEnteredSeriesIsNotUsed(String metric) {
    try (Tsdb earlier = Tsdb.over(store, options())) {
      put(earlier, "m", Tags.of("host", "s1"));
      List<RowMutation> backup = backup();
      put(earlier, metric, Tags.of("host", "s2", "dc", "x"));
      clock.advance(Duration.ofMinutes(10));
      restore(backup);
      put(earlier, metric, Tags.of("host", "s3", "dc", "x"));
      put(earlier, metric, Tags.of("host", "s3", "dc", "y"));
      forgetUids(backup);
    }
    try (Tsdb db = Tsdb.over(store, options())) {
      assertThat(hosts(db, metric)).contains("s2", "s3");
      assertThat(db.index().status().complete()).isFalse();
    }
  }

  /** More series than there are rows do no harm. */
  @Test
  void anIndexNewerThanTheDataIsUsed() {
    try (Tsdb db = Tsdb.over(store, options())) {
      put(db, "m", Tags.of("host", "s1"));
    }
    KeyValueStore older = copyOf(store);
    try (Tsdb db = Tsdb.over(store, options())) {
      put(db, "m", Tags.of("host", "s2"));
      put(db, "m", Tags.of("host", "s3"));
    }
    List<RowMutation> newer = backup();
    older.mutate(INDEX, newer);
    try (Tsdb db = Tsdb.over(older, options())) {
      put(db, "m", Tags.of("host", "s4"));
      assertThat(hosts(db, "m")).isEqualTo(Set.of("s1", "s4"));
      assertThat(db.index().match(metric(db), List.of())).isPresent();
    }
  }
}
