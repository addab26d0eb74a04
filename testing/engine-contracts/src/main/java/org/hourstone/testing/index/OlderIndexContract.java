package org.hourstone.testing.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An index table that was restored from a backup of another time than the data does not hide a
 * series.
 */
public abstract class OlderIndexContract extends IndexCase {
  private static Set<String> hosts(Tsdb db, String metric) {
    Set<String> hosts = new TreeSet<>();
    Query query =
        Query.parse("none:" + metric + "{host=wildcard(s*)}")
            .between(START, START.plusSeconds(3600));
    try (SeriesCursor cursor = db.query(query)) {
      for (ResultSeries series = cursor.next(); series != null; series = cursor.next()) {
        hosts.add(series.tags().get("host"));
      }
    }
    return hosts;
  }

  private List<RowMutation> backup(Family index) {
    List<RowMutation> rows = new ArrayList<>();
    try (RowCursor cursor = store.scan(index, Scan.all())) {
      for (Row row = cursor.next(); row != null; row = cursor.next()) {
        List<Change> cells = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
          cells.add(new Change.Put(row.qualifier(i), row.value(i)));
        }
        rows.add(new RowMutation(row.key(), cells));
      }
    }
    return rows;
  }

  /** The database is closed while its index is replaced. */
  private void restore(List<RowMutation> backup) {
    Family index = options().indexFamily();
    db.close();
    List<RowMutation> removed =
        backup(index).stream()
            .map(row -> new RowMutation(row.row(), new Change.DeleteRow()))
            .toList();
    store.mutate(index, removed);
    store.mutate(index, backup);
    db = Tsdb.over(store, options());
  }

  @ParameterizedTest
  @ValueSource(strings = {"host=s3", "dc=x,host=s1", "dc=x,host=s3"})
  final void anIndexOlderThanANameIsNotUsed(String tags) {
    put(db, "m", Tags.of("host", "s1"));
    put(db, "m", Tags.of("host", "s2"));
    List<RowMutation> backup = backup(options().indexFamily());
    String[] pairs = tags.split("[,=]");
    put(
        db,
        "m",
        pairs.length == 2
            ? Tags.of(pairs[0], pairs[1])
            : Tags.of(pairs[0], pairs[1], pairs[2], pairs[3]));
    assertThat(db.index().status().complete()).isTrue();
    restore(backup);

    Set<String> expected = tags.contains("s3") ? Set.of("s1", "s2", "s3") : Set.of("s1", "s2");
    assertThat(hosts(db, "m")).isEqualTo(expected);
    assertThat(indexed(db, "m")).isEmpty();
    assertThat(db.index().status().complete()).isFalse();
    assertThat(db.index().status().problem()).contains("older");

    assertThat(rebuild(db).complete()).isTrue();
    useInstead(options());
    assertThat(indexed(db, "m").orElseThrow()).hasSize(3);
    assertThat(db.index().status().complete()).isTrue();
  }

  @Test
  final void anIndexOlderThanAMetricIsNotUsed() {
    put(db, "m", Tags.of("host", "s1"));
    List<RowMutation> backup = backup(options().indexFamily());
    put(db, "n", Tags.of("host", "s1"));
    restore(backup);
    assertThat(hosts(db, "n")).containsExactly("s1");
    assertThat(db.index().status().complete()).isFalse();
  }

  @Test
  final void anIndexOfTheSameTimeIsUsed() {
    put(db, "m", Tags.of("host", "s1"));
    put(db, "m", Tags.of("host", "s2"));
    restore(backup(options().indexFamily()));
    assertThat(hosts(db, "m")).containsExactly("s1", "s2");
    assertThat(indexed(db, "m").orElseThrow()).hasSize(2);
    assertThat(db.index().status().complete()).isTrue();
  }
}
