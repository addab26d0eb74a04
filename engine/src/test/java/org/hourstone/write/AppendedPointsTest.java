package org.hourstone.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.codec.AppendCell;
import org.hourstone.head.Acknowledgement;
import org.hourstone.head.HeadStats;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionScope;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.testkit.store.MortalStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On a store that one process owns, the newest of repeated points is read, however written. */
class AppendedPointsTest {
  private static final long HOUR = 1_356_998_400L;
  private static final Tags TAGS = Tags.of("h", "a");
  private static final Family POINTS = TsdbOptions.defaults().tables().points();

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(HOUR));
  private final KeyValueStore store = new ModelStore(clock);

  private TsdbOptions options(boolean appends) {
    return TsdbOptions.defaults()
        .withClock(clock)
        .with(Settings.COMPACTION_BACKGROUND, "false")
        .with(MemorySettings.WRITE_ATTEMPTS, "1")
        .with(MemorySettings.WRITE_THREADS, "1")
        .with(Settings.ENABLE_APPENDS, String.valueOf(appends));
  }

  private static void put(Tsdb db, long second, long value) {
    db.put("m", Instant.ofEpochSecond(HOUR + second), value, TAGS).join();
  }

  /** Points of one row that reach the writing thread together. */
  private static void batch(Tsdb db, long value, long... seconds) {
    SeriesWriter series = db.writer().series("m", TAGS.asMap());
    CountDownLatch stored = new CountDownLatch(seconds.length);
    SeriesPoints points =
        db.writer()
            .seriesPoints(
                new Receipt() {
                  @Override
                  public void stored(long token) {
                    stored.countDown();
                  }

                  @Override
                  public void failed(long token, RuntimeException reason) {
                    throw reason;
                  }

                  @Override
                  public boolean isAwaited() {
                    return true;
                  }
                });
    for (long second : seconds) {
      points.add(series, HOUR + second, value, second);
    }
    points.send();
    Uninterruptibles.awaitUninterruptibly(stored);
  }

  private static Query query(long from, long to) {
    return Query.parse("none:m{h=a}")
        .between(Instant.ofEpochSecond(HOUR + from), Instant.ofEpochSecond(HOUR + to));
  }

  private static Map<Long, String> points(Tsdb db) {
    Map<Long, String> points = new TreeMap<>();
    try (SeriesCursor cursor = db.query(query(0, 7200))) {
      for (ResultSeries series = cursor.next(); series != null; series = cursor.next()) {
        for (int i = 0; i < series.size(); i++) {
          points.put(series.millis(i) / 1000 - HOUR, series.text(i));
        }
      }
    }
    return points;
  }

  private boolean hasAppendCell() {
    try (RowCursor rows = store.scan(POINTS, Scan.all())) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        if (row.find(AppendCell.qualifier()) != null) {
          return true;
        }
      }
    }
    return false;
  }

  @Test
  void anAppendDoesNotRenewOlderPointsThanThoseOfARunWithoutAppends() {
    try (Tsdb db = Tsdb.over(store, options(true))) {
      put(db, 0, 1);
      put(db, 20, 1);
      put(db, 30, 1);
    }
    assertThat(hasAppendCell()).isTrue();
    try (Tsdb db = Tsdb.over(store, options(false))) {
      put(db, 0, 2);
      batch(db, 2, 20, 30);
    }
    try (Tsdb db = Tsdb.over(store, options(true))) {
      put(db, 10, 5);

      assertThat(points(db)).isEqualTo(Map.of(0L, "2", 10L, "5", 20L, "2", 30L, "2"));
      clock.advance(Duration.ofHours(2));
      var unused = db.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
      assertThat(points(db)).isEqualTo(Map.of(0L, "2", 10L, "5", 20L, "2", 30L, "2"));
    }
  }

  /** The cell that it becomes has the qualifier of one that exists. */
  @Test
  void anAppendCellGivesWayToANewerCellOfTheSameTimestamps() {
    try (Tsdb db = Tsdb.over(store, options(true))) {
      put(db, 0, 1);
      put(db, 20, 1);
    }
    try (Tsdb db = Tsdb.over(store, options(false))) {
      batch(db, 2, 0, 20);
    }
    try (Tsdb db = Tsdb.over(store, options(true))) {
      put(db, 10, 5);
      assertThat(points(db)).isEqualTo(Map.of(0L, "2", 10L, "5", 20L, "2"));
    }
  }

  /** Rows that only this database writes to are read once. */
  @Test
  void aRowIsReadBeforeItsFirstAppendOnly() {
    int[] reads = new int[1];
    KeyValueStore counting =
        new org.hourstone.kv.ForwardingStore(store) {
          @Override
          public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
            reads[0] += family.equals(POINTS) ? rows.size() : 0;
            return super.get(family, rows, columns);
          }
        };
    try (Tsdb db = Tsdb.over(counting, options(true).with(Settings.HEAD, "false"))) {
      for (int i = 0; i < 50; i++) {
        put(db, i, i);
      }
      assertThat(reads[0]).isEqualTo(1);
    }
  }

  static List<Long> seeds() {
    Long one = Long.getLong("appends.seed");
    if (one != null) {
      return List.of(one);
    }
    List<Long> seeds = new ArrayList<>();
    for (long i = 0; i < Integer.getInteger("appends.cases", 60); i++) {
      seeds.add(i);
    }
    return seeds;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theNewestIsReadWhateverTheRunsBeforeWere(long seed) {
    Random random = new Random(seed);
    TreeMap<Long, String> expected = new TreeMap<>();
    MortalStore process = new MortalStore(store);
    Tsdb db = Tsdb.over(process, randomly(random));
    put(db, 0, 0);
    expected.put(0L, "0");
    for (int i = 1; i <= 250; i++) {
      switch (random.nextInt(16)) {
        case 0 -> {
          db.close();
          db = Tsdb.over(process, randomly(random));
        }
        case 1 -> {
          process.die();
          closeDead(db);
          process = new MortalStore(store);
          db = Tsdb.over(process, randomly(random));
        }
        case 2 -> {
          db.flush();
          var unused = db.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
        }
        case 3 -> {
          long from = random.nextInt(12);
          db.delete(query(from, from + 2));
          expected.subMap(from, from + 3).clear();
        }
        case 4, 5, 6, 7 -> {
          long first = random.nextInt(10);
          long second = first + 1 + random.nextInt(3);
          batch(db, i, first, second);
          expected.put(first, String.valueOf(i));
          expected.put(second, String.valueOf(i));
        }
        case 8, 9 -> {
          long second = random.nextInt(13);
          FutureReceipt stored = new FutureReceipt(db.writer());
          db.writer().putTelnetLine("put m " + (HOUR + second) + " " + i + " h=a", stored, 0);
          stored.join();
          expected.put(second, String.valueOf(i));
        }
        case 10 -> clock.advance(Duration.ofMinutes(random.nextInt(40)));
        default -> {
          long second = random.nextInt(13);
          put(db, second, i);
          expected.put(second, String.valueOf(i));
        }
      }
      assertThat(points(db)).as("seed %s, step %s", seed, i).isEqualTo(expected);
    }
    db.close();
  }

  /** A row must be read before its first append, and those of a batch are read together. */
  @ParameterizedTest
  @ValueSource(strings = {"60", "auto"})
  void aRowThatCannotBeReadRefusesNoOther(String interval) {
    AtomicBoolean corrupt = new AtomicBoolean(true);
    KeyValueStore partly =
        new ForwardingStore(store) {
          @Override
          public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
            boolean hasBad = rows.stream().anyMatch(row -> row[row.length - 1] == 2);
            if (corrupt.get() && family.equals(POINTS) && hasBad) {
              throw new StoreException(Outcome.REJECTED, "as if a file were corrupt");
            }
            return super.get(family, rows, columns);
          }
        };
    TsdbOptions options =
        options(true)
            .with(Settings.FLUSH_INTERVAL, interval)
            .with(Settings.HEAD, interval.equals("auto") ? "true" : "false");
    try (Tsdb db = Tsdb.over(partly, options)) {
      Map<Long, String> told = new ConcurrentHashMap<>();
      Receipt receipt =
          new Receipt() {
            @Override
            public void stored(long token) {
              told.put(token, "stored");
            }

            @Override
            public void failed(long token, RuntimeException reason) {
              told.put(token, "failed");
            }
          };
      for (long i = 1; i <= 3; i++) {
        db.writer().put("m", Map.of("h", "h" + i), HOUR, i, receipt, i);
      }
      db.flush();
      boolean journaled = db.engine().acknowledgement() == Acknowledgement.JOURNAL;
      assertThat(told)
          .isEqualTo(Map.of(1L, "stored", 2L, journaled ? "stored" : "failed", 3L, "stored"));
      assertThat(db.headStats()).extracting(HeadStats::refused).isEqualTo(journaled ? 1L : 0L);
      corrupt.set(false);
    }
  }

  private TsdbOptions randomly(Random random) {
    boolean appends = random.nextBoolean();
    TsdbOptions options = options(appends);
    if (random.nextBoolean()) {
      options = options.with(Settings.FLUSH_INTERVAL, random.nextBoolean() ? "0" : "60");
    } else if (!appends) {
      options = options.with(Settings.HEAD, "true");
    }
    return random.nextInt(4) == 0 ? options.with(Settings.MAX_CELL_BYTES, "10") : options;
  }

  private static void closeDead(Tsdb db) {
    try {
      db.close();
    } catch (StoreException e) {
      assertThat(e).hasMessageContaining(MortalStore.DEAD);
    }
  }
}
