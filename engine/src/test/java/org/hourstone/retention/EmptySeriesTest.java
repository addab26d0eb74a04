package org.hourstone.retention;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.hourstone.RetentionSettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.annotation.Annotation;
import org.hourstone.index.IndexRebuild;
import org.hourstone.kv.Change;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.Trait;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.table.TableListener;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ActingStore;
import org.hourstone.testkit.store.ModelStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Series of which all rows were deleted leave the index, and no others, whoever writes. */
class EmptySeriesTest {
  private static final long DAY = 86_400;
  private static final long NOW = 20_000 * DAY;

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(NOW));
  private final List<KeyValueStore> stores = new ArrayList<>();

  @AfterEach
  void close() {
    stores.forEach(KeyValueStore::close);
  }

  private KeyValueStore store(Trait... traits) {
    KeyValueStore store = new ModelStore(clock, Set.of(traits));
    stores.add(store);
    return store;
  }

  private TsdbOptions options() {
    return TsdbOptions.defaults()
        .withClock(clock)
        .with(Settings.COMPACTION_BACKGROUND, "false")
        .with(Settings.INDEX_ENABLE, "true")
        .with(RetentionSettings.RULES, "m raw 2d");
  }

  private void put(Tsdb db, String metric, String dc) {
    db.put(metric, clock.instant(), 1, Tags.of("dc", dc)).join();
  }

  private static RetentionReport run(Tsdb db) {
    return db.retention().run(false, false, 1, TableListener.NONE);
  }

  private static boolean isIndexed(Tsdb db, String metric, String dc) {
    byte[] tsuid = db.engine().seriesNames().tsuid(metric, Tags.of("dc", dc).asMap());
    return db.index().contains(tsuid).orElseThrow();
  }

  private int found(Tsdb db, String query) {
    AtomicInteger found = new AtomicInteger();
    try (SeriesCursor series =
        db.query(
            Query.parse("none:" + query)
                .between(Instant.EPOCH, clock.instant().plusSeconds(DAY)))) {
      series.forEach(each -> found.incrementAndGet());
    }
    return found.get();
  }

  @Test
  void aSeriesWithoutARowLeavesTheIndex() {
    try (Tsdb db = Tsdb.over(store(), options().with(Settings.MAX_SERIES, "5"))) {
      put(db, "m", "old");
      put(db, "m", "annotated");
      put(db, "kept", "old");
      clock.advance(Duration.ofDays(3));
      put(db, "m", "new");
      put(db, "m", "young");
      String tsuid = "000001000001000002"; // of "annotated"
      var unused =
          db.annotations()
              .save(new Annotation(tsuid, NOW + 2 * DAY, 0, "a row, too", "", null), false);
      db.flush();
      db.engine().sealedStore();
      clock.advance(Duration.ofHours(2));
      put(db, "m", "new");

      RetentionReport report = run(db);

      assertThat(report.rows()).isEqualTo(2);
      assertThat(report.series()).isEqualTo(1);
      assertThat(db.retention().stats().removedSeries()).isEqualTo(1);
      assertThat(isIndexed(db, "m", "old")).isFalse();
      for (String dc : List.of("annotated", "new", "young")) {
        assertThat(isIndexed(db, "m", dc)).as(dc).isTrue();
      }
      assertThat(isIndexed(db, "kept", "old")).isTrue();
      assertThat(db.index().status().complete()).isTrue();
      put(db, "m", "another"); // there is room for it again
      put(db, "m", "annotated");
      assertThat(run(db).series()).isZero();
    }
  }

  @Test
  void aSeriesThatWasRemovedIsEnteredAgain() {
    try (Tsdb db = Tsdb.over(store(), options())) {
      put(db, "m", "a");
      clock.advance(Duration.ofDays(3));
      put(db, "m", "b");
      db.flush();
      assertThat(run(db).series()).isEqualTo(1);
      assertThat(found(db, "m")).isEqualTo(1);
      put(db, "m", "a");
      assertThat(isIndexed(db, "m", "a")).isTrue();
      assertThat(found(db, "m")).isEqualTo(2);
      assertThat(db.index().rebuild(IndexRebuild.Listener.NONE).run().entered()).isZero();
    }
  }

  @Test
  void itsMetadataGoesToo() {
    TsdbOptions tracking =
        options()
            .with(Settings.META_TRACKING, "true")
            .with(Settings.META_REALTIME_TS, "true")
            .with(Settings.META_INCREMENTING, "true");
    try (Tsdb db = Tsdb.over(store(), tracking)) {
      put(db, "m", "a");
      db.flush();
      byte[] tsuid = db.engine().seriesNames().tsuid("m", Tags.of("dc", "a").asMap());
      assertThat(db.metadata().series().hasCounter(tsuid)).isTrue();
      clock.advance(Duration.ofDays(3));
      put(db, "m", "b");
      db.flush();
      run(db);
      assertThat(db.metadata().series().hasCounter(tsuid)).isFalse();
      assertThat(db.metadata().series().find(tsuid)).isNull();
      put(db, "m", "a");
      db.flush();
      assertThat(db.metadata().series().find(tsuid)).isNotNull();
    }
  }

  @Test
  void nothingIsRemovedIfOthersMayWrite() {
    KeyValueStore store = store();
    try (Tsdb db = Tsdb.over(store, options())) {
      put(db, "m", "a");
      clock.advance(Duration.ofDays(3));
      put(db, "m", "b");
      db.flush();
      try (Tsdb other = Tsdb.over(store, options())) {
        assertThat(run(db).series()).isZero();
        assertThat(run(other).series()).isZero();
        assertThat(isIndexed(db, "m", "a")).isTrue();
      }
    }
    try (Tsdb shared = Tsdb.over(store(Trait.SHARED), options())) {
      put(shared, "m", "a");
      clock.advance(Duration.ofDays(3));
      put(shared, "m", "b");
      shared.flush();
      RetentionReport report = run(shared);
      assertThat(report.rows()).isEqualTo(1);
      assertThat(report.series()).isZero();
      assertThat(isIndexed(shared, "m", "a")).isTrue();
    }
  }

  /** Stops two kinds of threads before a call of each. */
  private static final class Gates extends ActingStore {
    private final Gate writer;
    private final Gate remover;

    Gates(KeyValueStore store, Gate writer, Gate remover) {
      super(store);
      this.writer = writer;
      this.remover = remover;
    }

    @Override
    protected void before() {
      writer.pass();
      remover.pass();
    }

    @Override
    public void close() {
      // The test closes the store.
    }
  }

  /** Stops the threads that it is for before one of their calls. */
  private static final class Gate {
    private final Predicate<Thread> isFor;
    private final int stopsBefore;
    private final AtomicInteger calls = new AtomicInteger();
    private final CountDownLatch open = new CountDownLatch(1);
    private volatile boolean isActive;
    private volatile @Nullable Thread stopped;

    Gate(Predicate<Thread> isFor, int stopsBefore) {
      this.isFor = isFor;
      this.stopsBefore = stopsBefore;
    }

    void pass() {
      Thread caller = Thread.currentThread();
      if (isActive && isFor.test(caller) && calls.getAndIncrement() == stopsBefore) {
        stopped = caller;
        try {
          open.await();
        } catch (InterruptedException e) {
          caller.interrupt();
        }
      }
    }

    boolean isClosed() {
      return stopped != null && open.getCount() > 0;
    }
  }

  /** The threads that write of the database that is open. */
  private static List<Thread> flushers() {
    Thread[] all = new Thread[500];
    int count = Thread.enumerate(all);
    return Arrays.stream(all, 0, count)
        .filter(thread -> thread.getName().startsWith("hourstone-flusher"))
        .toList();
  }

  /** Waits until a thread has ended, or stopped before a call, or waits for another thread. */
  private static void settle(Thread thread, Gate gate, BooleanSupplier waits) {
    while (thread.isAlive() && !gate.isClosed() && !waits.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  /**
   * A point of a series is written while the series is removed, with every pair of calls at which
   * one of the two is stopped until the other has ended, or waits for it.
   */
  @Test
  @Timeout(300)
  void aPointThatIsWrittenDuringTheRemovalIsNeverHidden() throws InterruptedException {
    Set<String> results = new HashSet<>();
    for (boolean known : List.of(true, false)) {
      for (int i = 0; i < 18; i++) {
        for (int j = 0; j < 9; j++) {
          results.add(race(known, i, j, true));
          results.add(race(known, i, j, false));
        }
      }
    }
    assertThat(results).contains("removed", "kept");
  }

  private String race(boolean known, int writerStops, int removerStops, boolean writerFirst)
      throws InterruptedException {
    clock.advance(Duration.ofDays(1));
    KeyValueStore inner = new ModelStore(clock);
    AtomicInteger removed = new AtomicInteger();
    Gate writes = new Gate(t -> t.getName().startsWith("hourstone-flusher"), writerStops);
    Thread[] threads = new Thread[2];
    Gate removes = new Gate(thread -> thread == threads[1], removerStops);
    try (Tsdb first = Tsdb.over(inner, options())) {
      put(first, "m", "a");
      first.flush();
      first.engine().sealedStore();
      put(first, "m", "b");
    }
    inner.mutate(
        TsdbOptions.defaults().tables().points(),
        List.of(new RowMutation(rowOfA(inner), List.of(new Change.DeleteRow()))));
    String when = known + " " + writerStops + " " + removerStops + " " + writerFirst;
    try (Tsdb db = Tsdb.over(new Gates(inner, writes, removes), options())) {
      if (known) {
        assertThat(db.index().observed(List.of(tsuid(db, "a")))).isTrue();
      }
      threads[0] = new Thread(() -> put(db, "m", "a"));
      EmptySeries empty =
          new EmptySeries(db.index(), db.engine().reader(), db.engine().keys(), tsuids -> {});
      threads[1] =
          new Thread(() -> removed.set((int) empty.remove(m -> true, clock.millis() / 1000)));
      writes.isActive = true;
      removes.isActive = true;
      List<Thread> flushers = flushers();
      BooleanSupplier writerWaits =
          () ->
              removes.isClosed()
                  && flushers.stream().anyMatch(each -> each.getState() == Thread.State.BLOCKED);
      BooleanSupplier removerWaits =
          () -> writes.isClosed() && threads[1].getState() == Thread.State.TIMED_WAITING;
      Thread one = threads[writerFirst ? 0 : 1];
      Thread two = threads[writerFirst ? 1 : 0];
      Gate ofOne = writerFirst ? writes : removes;
      Gate ofTwo = writerFirst ? removes : writes;
      one.start();
      settle(one, ofOne, () -> false);
      two.start();
      settle(two, ofTwo, writerFirst ? removerWaits : writerWaits);
      ofOne.open.countDown();
      settle(one, ofOne, writerFirst ? writerWaits : removerWaits);
      ofTwo.open.countDown();
      one.join();
      two.join();
      writes.isActive = false;
      removes.isActive = false;
      db.flush();
      assertThat(isIndexed(db, "m", "a")).as(when).isTrue();
      assertThat(found(db, "m")).as(when).isEqualTo(2);
      assertThat(db.index().status().complete()).as(when).isTrue();
    }
    inner.close();
    return removed.get() == 1 ? "removed" : "kept";
  }

  /** The first series' only row. */
  private static byte[] rowOfA(KeyValueStore store) {
    try (RowCursor rows = store.scan(TsdbOptions.defaults().tables().points(), Scan.all())) {
      Row row = rows.next();
      if (row == null) {
        throw new AssertionError("there is no row");
      }
      return row.key();
    }
  }

  private static byte[] tsuid(Tsdb db, String dc) {
    return db.engine().seriesNames().tsuid("m", Tags.of("dc", dc).asMap());
  }
}
