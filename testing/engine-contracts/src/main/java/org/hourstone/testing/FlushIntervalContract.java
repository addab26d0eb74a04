package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Columns;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.testkit.store.FaultPlan;
import org.hourstone.testkit.store.FaultyStore;
import org.hourstone.uid.UidKind;
import org.hourstone.write.Receipt;
import org.hourstone.write.SeriesWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Points that are buffered for the flush interval. Its clock does not move until a test moves it,
 * so nothing is written by the interval alone unless a test means it.
 */
@Timeout(120)
public abstract class FlushIntervalContract {
  private static final long HOUR = 1_500_001_200;
  private static final int INTERVAL = 60;
  private static final int HELD = 1000;
  private static final Map<String, String> WEB01 = Map.of("host", "web01");

  @TempDir private Path directory;
  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(HOUR));
  private final Told told = new Told();
  private KeyValueStore store;
  private Tsdb db;
  private int marks;

  /** Opens the store under test, empty. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  @BeforeEach
  final void openDatabase() {
    store = open(StoreFixture.in(directory, 1));
    db =
        Tsdb.over(
            store,
            TsdbOptions.defaults()
                .withClock(clock)
                .with(Settings.CREATE_TABLES, "true")
                .with(Settings.COMPACTION_BACKGROUND, "false")
                .with(MemorySettings.WRITE_THREADS, "1")
                .with(Settings.FLUSH_INTERVAL, "" + INTERVAL)
                .with(MemorySettings.BUFFERED_POINTS, "" + HELD));
  }

  @AfterEach
  final void closeDatabase() {
    db.close();
    store.close();
  }

  /** Counts the notifications of each point. */
  private static final class Told implements Receipt {
    final Set<Long> stored = new ConcurrentSkipListSet<>();
    final Map<Long, Integer> times = new ConcurrentHashMap<>();
    final Map<Long, CountDownLatch> latches = new ConcurrentHashMap<>();
    volatile boolean awaited;

    @Override
    public void stored(long token) {
      stored.add(token);
      tell(token);
    }

    @Override
    public void failed(long token, RuntimeException reason) {
      tell(token);
    }

    private void tell(long token) {
      times.merge(token, 1, Integer::sum);
      latch(token).countDown();
    }

    private CountDownLatch latch(long token) {
      return latches.computeIfAbsent(token, t -> new CountDownLatch(1));
    }

    @Override
    public boolean isAwaited() {
      return awaited;
    }

    void await(long token) {
      try {
        assertThat(latch(token).await(60, TimeUnit.SECONDS)).describedAs("%d", token).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** Puts a point whose receipt is notified with the second of its hour. */
  private void put(int second, long value) {
    db.writer().put("m", WEB01, HOUR + second, value, told, second);
  }

  /** Returns when all that was handed in has been taken up by the one thread that writes. */
  private void letTheWriterCatchUp() {
    db.put("marker", Instant.ofEpochSecond(HOUR + marks++), 1, Tags.of("host", "a")).join();
  }

  /** Qualifier lengths of the cells of the metric's rows, row by row. */
  private List<String> cells(String metric) {
    List<String> cells = new ArrayList<>();
    byte[] start = db.uids().uid(UidKind.METRIC, metric);
    byte[] stop = start.clone();
    stop[stop.length - 1]++;
    try (RowCursor rows = store.scan(db.engine().tables().points(), Scan.range(start, stop))) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        StringBuilder lengths = new StringBuilder();
        for (int i = 0; i < row.size(); i++) {
          lengths.append(i == 0 ? "" : " ").append(row.qualifier(i).length);
        }
        cells.add(lengths.toString());
      }
    }
    return cells;
  }

  private List<String> read(Tsdb from, String metric) {
    List<String> points = new ArrayList<>();
    Query query = Query.parse("none:" + metric).betweenMillis(HOUR * 1000, (HOUR + 864_000) * 1000);
    try (SeriesCursor all = from.query(query)) {
      all.forEach(
          series -> {
            for (int i = 0; i < series.size(); i++) {
              points.add((series.millis(i) / 1000 - HOUR) + "=" + series.text(i));
            }
          });
    }
    return points;
  }

  @Test
  final void pointsOfARowThatComeWithinTheIntervalAreOneCell() {
    put(0, 1);
    letTheWriterCatchUp();
    clock.advance(Duration.ofSeconds(INTERVAL - 1));
    put(10, 2);
    letTheWriterCatchUp();
    assertThat(told.times).isEmpty();
    clock.advance(Duration.ofSeconds(1));
    letTheWriterCatchUp();
    told.await(0);
    told.await(10);
    assertThat(cells("m")).containsExactly("4");
    assertThat(read(db, "m")).containsExactly("0=1", "10=2");
    put(20, 3);
    letTheWriterCatchUp();
    assertThat(told.times).containsOnlyKeys(0L, 10L);
    db.flush();
    assertThat(told.stored).containsExactly(0L, 10L, 20L);
    assertThat(cells("m")).containsExactly("4 2");
  }

  @Test
  final void theIntervalPassesWithoutAnotherPointComing() {
    put(0, 1);
    letTheWriterCatchUp();
    clock.advance(Duration.ofSeconds(INTERVAL));
    told.await(0);
    assertThat(read(db, "m")).containsExactly("0=1");
  }

  @Test
  final void aClockThatIsPutBackHoldsNothingForLonger() {
    put(0, 1);
    letTheWriterCatchUp();
    clock.advance(Duration.ofHours(-5));
    told.await(0);
  }

  /** Names that were looked up again give another object for the same series. */
  @Test
  final void twoHandlesOfOneSeriesLoseNothing() {
    SeriesWriter one = db.writer().series("m", WEB01);
    db.dropCaches();
    SeriesWriter other = db.writer().series("m", WEB01);
    one.put(HOUR, 1, told, 1);
    other.put(HOUR, 2, told, 2);
    db.flush();
    one.put(HOUR + 1, 3, told, 3);
    other.put(HOUR + 2, 4, told, 4);
    db.flush();
    assertThat(told.times).isEqualTo(Map.of(1L, 1, 2L, 1, 3L, 1, 4L, 1));
    assertThat(told.stored).containsExactly(1L, 2L, 3L, 4L);
    assertThat(read(db, "m")).containsExactly("0=2", "1=3", "2=4");
  }

  @Test
  final void ofOneTimestampTheNewestIsWrittenAndEachIsReported() {
    db.writer().put("m", WEB01, HOUR, 300, told, 1);
    letTheWriterCatchUp();
    db.writer().put("m", WEB01, HOUR, 0.5, told, 2);
    db.writer().put("m", WEB01, HOUR + 1, 7, told, 3);
    letTheWriterCatchUp();
    db.flush();
    assertThat(told.stored).containsExactly(1L, 2L, 3L);
    assertThat(cells("m")).containsExactly("4");
    assertThat(read(db, "m")).containsExactly("0=0.5", "1=7");
  }

  @Test
  final void whoWaitsForAPointHasItsRowWrittenAndNoOther() {
    put(0, 1);
    CompletableFuture<?> waited = db.putLine("put n " + HOUR + " 5 host=web01");
    db.putLine("put n " + (HOUR + 1) + " 6 host=web01");
    letTheWriterCatchUp(); // else the row might be written between its points
    waited.join();
    db.put("o", Instant.ofEpochSecond(HOUR), 1, Tags.of("host", "a")).thenApply(v -> 1).join();
    assertThat(cells("n")).containsExactly("4");
    assertThat(told.times).isEmpty();
  }

  @Test
  final void aStageThatDependsOnAPointIsNotKeptWaiting() {
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      all.add(db.putLine("put n " + (HOUR + i) + " 5 host=web01"));
    }
    CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0])).join();
    put(0, 1);
    assertThat(told.times).isEmpty();
    assertThat(read(db, "n")).hasSize(10);
  }

  @Test
  final void aReceiptMayReportThatACallerWaits() {
    put(0, 1);
    letTheWriterCatchUp();
    assertThat(told.times).isEmpty();
    told.awaited = true;
    told.await(0);
    put(1, 2);
    told.await(1);
    assertThat(read(db, "m")).containsExactly("0=1", "1=2");
  }

  @Test
  final void tooManyPointsAreWrittenEarlyTheOldestRowsFirst() {
    for (int i = 0; i < 2 * HELD; i++) {
      db.writer().put("m", WEB01, HOUR + i * 10L, i, told, i);
    }
    letTheWriterCatchUp();
    letTheWriterCatchUp(); // what was written with the first marker has been notified by now
    assertThat(told.stored.size()).isGreaterThanOrEqualTo(HELD);
    assertThat(told.stored.size()).isLessThan(2 * HELD);
    assertThat(told.stored).containsExactlyElementsOf(firsts(told.stored.size()));
    db.flush();
    assertThat(told.stored).hasSize(2 * HELD);
    assertThat(read(db, "m")).hasSize(2 * HELD);
  }

  private static Set<Long> firsts(int count) {
    Set<Long> numbers = new TreeSet<>();
    for (long i = 0; i < count; i++) {
      numbers.add(i);
    }
    return numbers;
  }

  @Test
  final void closingWritesWhatIsHeld() {
    put(0, 1);
    put(4000, 2);
    db.close();
    assertThat(told.stored).containsExactly(0L, 4000L);
    db = Tsdb.over(store, db.engine().options());
    assertThat(read(db, "m")).containsExactly("0=1", "4000=2");
  }

  @Test
  final void appendsOfTheIntervalAreOneAppend() {
    db.close();
    db = Tsdb.over(store, db.engine().options().with(Settings.ENABLE_APPENDS, "true"));
    put(10, 1);
    letTheWriterCatchUp();
    put(0, 2);
    letTheWriterCatchUp();
    assertThat(told.times).isEmpty();
    db.flush();
    byte[] key = db.writer().series("m", WEB01).tsuid();
    Row row = onlyRow(key);
    assertThat(row.size()).isEqualTo(1);
    assertThat(row.value(0)).hasSize(6);
    assertThat(read(db, "m")).containsExactly("0=2", "10=1");
  }

  private Row onlyRow(byte[] tsuid) {
    byte[] key = new byte[tsuid.length + 4];
    System.arraycopy(tsuid, 0, key, 0, 3);
    System.arraycopy(java.nio.ByteBuffer.allocate(4).putInt((int) HOUR).array(), 0, key, 3, 4);
    System.arraycopy(tsuid, 3, key, 7, tsuid.length - 3);
    return store.get(db.engine().tables().points(), key, Columns.all());
  }

  @Test
  final void whereEachPointIsACellNothingIsBuffered() {
    db.close();
    db = Tsdb.over(store, db.engine().options().with(Settings.WRITE_PACKS, "false"));
    put(0, 1);
    told.await(0);
  }

  @Test
  final void whateverFailsEveryPointIsReportedOnceAndNoneThatWasAcknowledgedIsMissing() {
    for (long seed = 1; seed <= 6; seed++) {
      Random random = new Random(seed);
      FaultPlan plan = new FaultPlan(seed);
      Told all = new Told();
      String metric = "faulty" + seed;
      TsdbOptions options = db.engine().options().with(MemorySettings.WRITE_ATTEMPTS, "2");
      Set<Long> sent = new HashSet<>();
      try (Tsdb faulty = Tsdb.over(new FaultyStore(store, plan), options)) {
        faulty.uids().assign(UidKind.METRIC, metric);
        plan.failAll(0.1);
        for (long i = 0; i < 400; i++) {
          try {
            Map<String, String> tags = Map.of("host", "h" + i % 5);
            faulty.writer().put(metric, tags, HOUR + i * 20, i, all, i);
            sent.add(i);
          } catch (StoreException refused) {
            assertThat(refused.outcome()).isNotNull(); // told at once: nothing was taken
          }
          if (random.nextInt(10) == 0) {
            clock.advance(Duration.ofSeconds(random.nextInt(INTERVAL)));
          }
          if (random.nextInt(50) == 0) {
            faulty.writer().flush();
          }
        }
        plan.calm();
      }
      assertThat(plan.injected()).describedAs("seed %d", seed).isPositive();
      assertThat(all.times.keySet()).describedAs("seed %d", seed).isEqualTo(sent);
      assertThat(all.times.values()).describedAs("seed %d", seed).containsOnly(1);
      db.dropCaches();
      Set<String> acknowledged = new HashSet<>();
      all.stored.forEach(i -> acknowledged.add(i * 20 + "=" + i));
      assertThat(read(db, metric)).describedAs("seed %d", seed).containsAll(acknowledged);
    }
  }
}
