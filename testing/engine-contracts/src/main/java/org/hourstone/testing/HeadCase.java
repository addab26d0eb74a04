package org.hourstone.testing;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.head.HeadStats;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.Trait;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.testkit.store.MortalStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A database with a head, over a store that can die. The clock does not move until a test moves it.
 */
@Timeout(300)
abstract class HeadCase {
  static final Instant HOUR = Instant.parse("2013-01-01T00:00:00Z");
  static final Tags WEB01 = Tags.of("host", "web01");

  @TempDir private Path directory;
  StoreFixture fixture;
  KeyValueStore store;
  MortalStore mortal;
  Tsdb db;

  /** Opens the store under test, empty. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  @BeforeEach
  final void openDatabase() {
    // A store may be unable to order its writes of one millisecond.
    fixture = StoreFixture.in(directory, 1).ticking();
    store = open(fixture);
    assumeThat(store.traits()).as("a head is for one process").doesNotContain(Trait.SHARED);
    mortal = new MortalStore(store);
    db = Tsdb.over(mortal, options());
  }

  @AfterEach
  final void close() {
    if (db != null) { // null on a store that this is not for
      db.close();
    }
    store.close();
  }

  final TsdbOptions options() {
    return TsdbOptions.defaults()
        .withClock(fixture.clock())
        .with(Settings.HEAD, "true")
        .with(Settings.CREATE_TABLES, "true")
        .with(Settings.COMPACTION_BACKGROUND, "false")
        .with(MemorySettings.WRITE_ATTEMPTS, "1")
        .with(MemorySettings.WRITE_THREADS, "2");
  }

  /** Opens the database again, over another store. */
  final void reopen(KeyValueStore over, TsdbOptions options) {
    db.close();
    db = Tsdb.over(over, options);
  }

  /**
   * As {@link #reopen}.
   *
   * @param beforeWriting is called with each batch before the store has it; what it throws is the
   *     outcome
   */
  final void reopen(BiConsumer<Family, List<RowMutation>> beforeWriting, TsdbOptions options) {
    reopen(
        new ForwardingStore(mortal) {
          @Override
          public void mutate(Family family, List<RowMutation> batch) {
            beforeWriting.accept(family, batch);
            super.mutate(family, batch);
          }
        },
        options);
  }

  static boolean isOfPoints(Family family) {
    return family.table().equals("tsdb");
  }

  /** The process dies, and another one opens the store. */
  final void die(TsdbOptions next) {
    die();
    mortal = new MortalStore(store);
    db = Tsdb.over(mortal, next);
  }

  final void die() {
    mortal.die();
    try {
      db.close();
    } catch (StoreException e) {
      assertThat(e).hasMessageContaining(MortalStore.DEAD);
    }
  }

  final HeadStats stats() {
    return requireNonNull(db.engine().headStats());
  }

  final List<Row> rows(Family family) {
    return rows(store, family, Scan.all());
  }

  static List<Row> rows(KeyValueReader reader, Family family, Scan scan) {
    List<Row> rows = new ArrayList<>();
    try (RowCursor cursor = reader.scan(family, scan)) {
      for (Row row = cursor.next(); row != null; row = cursor.next()) {
        rows.add(row);
      }
    }
    return rows;
  }

  /** Cells in hex. */
  static List<String> texts(List<Row> rows) {
    HexFormat hex = HexFormat.of();
    List<String> texts = new ArrayList<>();
    for (Row row : rows) {
      for (int i = 0; i < row.size(); i++) {
        texts.add(
            String.join(
                " ",
                hex.formatHex(row.key()),
                hex.formatHex(row.qualifier(i)),
                hex.formatHex(row.value(i))));
      }
    }
    return texts;
  }

  final List<Row> dataRows() {
    return rows(db.engine().tables().points());
  }

  final Map<Instant, Double> points(String metric, Tags tags) {
    return points(db, metric, tags);
  }

  static Map<Instant, Double> points(Tsdb db, String metric, Tags tags) {
    Map<Instant, Double> points = new TreeMap<>();
    Query query =
        Query.metric(metric)
            .betweenMillis(HOUR.toEpochMilli() - 86_400_000, HOUR.toEpochMilli() + 864_000_000)
            .groupBy("host", requireNonNull(tags.asMap().get("host")));
    try (SeriesCursor series = db.query(query)) {
      series.forEach(
          each -> {
            for (int i = 0; i < each.size(); i++) {
              points.put(Instant.ofEpochMilli(each.millis(i)), each.doubleValue(i));
            }
          });
    }
    return points;
  }
}
