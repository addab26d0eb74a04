package org.hourstone.kv.memory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.Limits;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.meta.SeriesMeta;
import org.hourstone.testkit.ManualClock;
import org.hourstone.write.FutureReceipt;
import org.hourstone.write.ImportListener;
import org.hourstone.write.ImportReport;
import org.hourstone.write.Importer;
import org.hourstone.write.PointBatch;
import org.hourstone.write.Receipt;
import org.hourstone.write.SeriesWriter;
import org.hourstone.write.TextPoints;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Writers fail visibly: whatever is thrown where, each receipt completes once, nothing waits for
 * ever, and a thread that ended is reported.
 */
@Timeout(60)
class FailingWriterTest {
  private static final long HOUR = 1_356_998_400L;
  private static final Map<String, String> A = Map.of("h", "a");

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(HOUR));
  private final HookedStore store = new HookedStore();
  private final Told told = new Told();
  private Thread.@Nullable UncaughtExceptionHandler handler;
  private final List<Throwable> reported = new ArrayList<>();

  @BeforeEach
  void catchWhatIsReported() {
    handler = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, thrown) -> {
          synchronized (reported) {
            reported.add(thrown);
          }
          throw new IllegalStateException("a handler that throws");
        });
  }

  @AfterEach
  void restore() {
    Thread.setDefaultUncaughtExceptionHandler(handler);
    store.before = family -> {};
  }

  /** A store on the heap, with something to be done before each batch. */
  private static final class HookedStore extends ForwardingStore {
    interface Hook {
      void call(Family family) throws InterruptedException;
    }

    volatile Hook before = family -> {};
    final AtomicInteger batches = new AtomicInteger();

    HookedStore() {
      super(MemoryStore.open());
    }

    private void hook(Family family) {
      try {
        before.call(family);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StoreException(Outcome.UNKNOWN, "interrupted", e);
      }
    }

    @Override
    public void mutate(Family family, List<RowMutation> batch) {
      if (family.table().equals("tsdb")) {
        batches.incrementAndGet();
      }
      hook(family);
      super.mutate(family, batch);
    }

    @Override
    public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
      hook(family);
      return super.increment(family, row, qualifier, delta);
    }

    @Override
    public boolean compareAndSet(
        Family family,
        byte[] row,
        byte[] qualifier,
        byte @Nullable [] expected,
        byte @Nullable [] update) {
      hook(family);
      return super.compareAndSet(family, row, qualifier, expected, update);
    }
  }

  /** Counts the notifications of each point. */
  private static final class Told implements Receipt {
    final Map<Long, Integer> stored = new ConcurrentHashMap<>();
    final Map<Long, Integer> failed = new ConcurrentHashMap<>();

    @Override
    public void stored(long token) {
      stored.merge(token, 1, Integer::sum);
    }

    @Override
    public void failed(long token, RuntimeException reason) {
      failed.merge(token, 1, Integer::sum);
    }
  }

  private Tsdb open(TsdbOptions options) {
    return Tsdb.over(
        store,
        options
            .withClock(clock)
            .with(Settings.WRITE_THREADS, "1")
            .with(Settings.WRITE_QUEUE, "16")
            .with(Settings.COMPACTION_BACKGROUND, "false"));
  }

  private static TsdbOptions unheld() {
    return TsdbOptions.defaults().with(Settings.FLUSH_INTERVAL, "0");
  }

  private static CompletableFuture<?> put(Tsdb db, int second) {
    return db.put("m", Instant.ofEpochSecond(HOUR + second), 1L, Tags.of("h", "a"));
  }

  private static boolean isPoints(Family family) {
    return family.table().equals("tsdb");
  }

  @Test
  void aThreadThatDiesFailsAllItHasAndTakesNoMore() throws Exception {
    Tsdb db = open(TsdbOptions.defaults());
    put(db, 0).join();
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch die = new CountDownLatch(1);
    store.before =
        family -> {
          if (isPoints(family)) {
            writing.countDown();
            die.await();
            throw new OutOfMemoryError("as if");
          }
        };
    db.writer().put("held", A, HOUR, 1L, told, 1);
    CompletableFuture<?> inTheBatch = put(db, 1);
    CompletableFuture<Void> waiting = CompletableFuture.runAsync(inTheBatch::join);
    writing.await();
    db.writer().put("queued", A, HOUR, 1L, told, 2);
    die.countDown();
    assertThatThrownBy(waiting::join).hasRootCauseInstanceOf(StoreException.class);
    @Nullable Throwable refused = null;
    for (int i = 0; refused == null; i++) {
      int second = i;
      refused = catchThrowable(() -> put(db, 2 + second % 1000));
    }
    assertThat(refused).isInstanceOf(StoreException.class).hasMessageContaining("as if");
    assertThat(((StoreException) refused).outcome()).isEqualTo(Outcome.NOT_APPLIED);
    assertThatThrownBy(db::flush).isInstanceOf(StoreException.class);
    assertThat(db.writer().stats().alive()).isZero();
    assertThat(db.writer().stats().threads()).isEqualTo(1);
    assertThat(db.writer().stats().lastFailure()).contains("as if");
    assertThatThrownBy(db::close).hasMessageContaining("points were not stored");
    assertThat(told.failed).isEqualTo(Map.of(1L, 1, 2L, 1));
    assertThat(told.stored).isEmpty();
    synchronized (reported) {
      assertThat(reported).anyMatch(thrown -> "as if".equals(thrown.getMessage()));
    }
  }

  @Test
  void aReceiptAndAHandlerThatThrowErrorsStopNothing() {
    try (Tsdb db = open(unheld())) {
      put(db, 0).join();
      store.before =
          family -> {
            if (isPoints(family)) {
              throw new IllegalStateException("not a StoreException");
            }
          };
      Receipt bad =
          new Receipt() {
            @Override
            public void stored(long token) {
              throw new OutOfMemoryError("as if");
            }

            @Override
            public void failed(long token, RuntimeException reason) {
              throw new OutOfMemoryError("as if");
            }

            @Override
            public boolean isAwaited() {
              throw new StackOverflowError("as if");
            }
          };
      db.writer().put("m", A, HOUR, 1L, bad, 0);
      db.writer().flush();
      store.before = family -> {};
      db.writer().put("m", A, HOUR, 1L, bad, 0);
      for (int i = 1; i < 200; i++) {
        var unused = put(db, i);
      }
      db.flush();
      assertThat(db.writer().stats().alive()).isEqualTo(1);
      assertThat(db.writer().stats().failed()).isEqualTo(1);
      assertThat(db.writer().stats().stored()).isEqualTo(201);
    }
  }

  @Test
  void batchesOfOneRowAreToldOnceWhateverTheStoreThrows() throws Exception {
    try (Tsdb db = open(unheld())) {
      PointBatch batch = db.writer().batch("m", A);
      CountDownLatch writing = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      store.before =
          family -> {
            if (isPoints(family)) {
              writing.countDown();
              go.await();
              throw new IllegalStateException("not a StoreException");
            }
          };
      for (int i = 1; i <= 4; i++) {
        batch.add(HOUR + i, 1L);
        batch.persist(told, i);
        writing.await();
      }
      go.countDown();
      db.writer().flush();
      assertThat(told.stored).isEmpty();
      assertThat(told.failed).isEqualTo(Map.of(1L, 1, 2L, 1, 3L, 1, 4L, 1));
    }
  }

  @Test
  void closingHasADeadline() {
    Tsdb db = open(unheld().with(Settings.WRITE_BATCH, "1").with(Settings.WRITE_CLOSE, "100"));
    SeriesWriter series = db.writer().series("m", A);
    CountDownLatch closing = new CountDownLatch(1);
    store.before =
        family -> {
          if (isPoints(family)) {
            closing.await();
            clock.advance(Duration.ofSeconds(30)); // as long as a dead store takes to say so
            throw new StoreException(Outcome.NOT_APPLIED, "unreachable");
          }
        };
    for (int i = 0; i < 10; i++) {
      series.put(HOUR + i, 1L, told, i);
    }
    CompletableFuture<Void> closed = CompletableFuture.runAsync(db::close);
    awaitClosing(series, 10);
    closing.countDown();
    closed.join();
    assertThat(store.batches.get()).isEqualTo(4);
    assertThat(told.failed.keySet()).contains(0L, 9L);
    assertThat(told.failed.values()).containsOnly(1);
  }

  @Test
  void whileClosingADeadStoreGetsItsAttemptsOnce() {
    Tsdb db = open(unheld().with(Settings.WRITE_BATCH, "1").with(Settings.WRITE_ATTEMPTS, "3"));
    SeriesWriter series = db.writer().series("m", A);
    CountDownLatch closing = new CountDownLatch(1);
    store.before =
        family -> {
          if (isPoints(family)) {
            closing.await();
            throw new StoreException(Outcome.NOT_APPLIED, "unreachable");
          }
        };
    for (int i = 0; i < 10; i++) {
      series.put(HOUR + i, 1L, told, i);
    }
    CompletableFuture<Void> closed = CompletableFuture.runAsync(db::close);
    awaitClosing(series, 10);
    closing.countDown();
    closed.join();
    assertThat(store.batches.get()).isEqualTo(3 + told.failed.size() - 1);
    assertThat(told.failed.values()).containsOnly(1);
  }

  /** Puts points until they are refused, because the writer closes, or the queue is full. */
  private void awaitClosing(SeriesWriter series, int first) {
    try {
      for (int i = first; true; i++) {
        series.put(HOUR + i, 1L, told, i);
      }
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageContaining("closed");
    }
  }

  @Test
  void aConstructorThatThrowsLeavesNoThread() {
    TsdbOptions withoutTables = TsdbOptions.defaults().with(Settings.CREATE_TABLES, "false");
    List<Thread> before = writers();
    assertThatThrownBy(() -> Tsdb.over(store, withoutTables)).isInstanceOf(StoreException.class);
    assertThat(writers()).isSubsetOf(before);
  }

  private static List<Thread> writers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("hourstone-"))
        .toList();
  }

  @Test
  void aPointIsToldOfBeforeItsMetadataIsNoted() throws Exception {
    try (Tsdb db = open(counting())) {
      CountDownLatch noted = new CountDownLatch(1);
      store.before =
          family -> {
            if (family.table().equals("tsdb-meta")) {
              noted.await();
            }
          };
      for (int i = 0; i < 50; i++) {
        put(db, i).join();
      }
      noted.countDown();
      db.flush();
      byte[] tsuid = db.writer().series("m", A).tsuid();
      SeriesMeta found = Objects.requireNonNull(db.metadata().series().find(tsuid));
      assertThat(found.points()).isEqualTo(50);
      assertThat(db.metadata().failures().count()).isZero();
    }
  }

  private static TsdbOptions counting() {
    return unheld()
        .with(Settings.META_TRACKING, "true")
        .with(Settings.META_REALTIME_TS, "true")
        .with(Settings.META_INCREMENTING, "true");
  }

  private static boolean isMetadata(Family family) {
    return family.table().equals("tsdb-meta");
  }

  @Test
  void closingHasADeadlineForMetadataToo() throws Exception {
    Tsdb db = open(counting());
    CountDownLatch recording = new CountDownLatch(1);
    store.before =
        family -> {
          if (isMetadata(family)) {
            recording.countDown();
            new CountDownLatch(1).await(); // until it is interrupted
          }
        };
    put(db, 0).join();
    recording.await();
    clock.advance(Duration.ofDays(1));
    CompletableFuture<Void> closed = CompletableFuture.runAsync(db::close);
    while (!closed.isDone()) {
      clock.advance(Duration.ofDays(1));
      Thread.onSpinWait();
    }
    closed.join();
    assertThat(db.metadata().failures().count()).isPositive();
    assertThat(told.failed).isEmpty();
  }

  /** The points are stored, and all waiting ends: of flush, of writers and of close. */
  @Test
  void aThreadThatDiesRecordingSeriesStopsNoPoints() throws Exception {
    Tsdb db = open(counting());
    assertThat(db.metadata().isTracking()).isTrue();
    CountDownLatch recording = new CountDownLatch(1);
    CountDownLatch die = new CountDownLatch(1);
    store.before =
        family -> {
          if (isMetadata(family)) {
            recording.countDown();
            die.await();
            throw new OutOfMemoryError("as if");
          }
        };
    put(db, 0).join();
    recording.await();
    db.put("other", Instant.ofEpochSecond(HOUR), 1L, Tags.of("h", "a")).join();
    assertThat(db.metadata().failures().count()).isZero();
    CompletableFuture<Void> flushed = CompletableFuture.runAsync(db::flush);

    die.countDown();

    flushed.join();
    assertThat(db.metadata().isTracking()).isFalse();
    assertThat(db.metadata().failures().count()).isEqualTo(1);
    assertThat(db.metadata().failures().last()).contains("of up to 2 series", "as if");
    store.before = family -> {};
    put(db, 1).join();
    db.flush();
    assertThat(db.metadata().failures().count()).isEqualTo(2);
    assertThat(db.writer().stats().alive()).isEqualTo(1);
    db.close();
    assertThat(db.writer().stats().stored()).isEqualTo(3);
    assertThat(db.writer().stats().failed()).isZero();
  }

  @Test
  void aStoreThatFailsToRecordSeriesIsNotWaitedForWithEachOfThem() {
    try (Tsdb db = open(counting())) {
      AtomicInteger calls = new AtomicInteger();
      store.before =
          family -> {
            if (isMetadata(family)) {
              calls.incrementAndGet();
              throw new StoreException(Outcome.NOT_APPLIED, "unreachable");
            }
          };
      int series = 300;
      for (int i = 0; i < series; i++) {
        db.put("m", Instant.ofEpochSecond(HOUR), 1L, Tags.of("h", "h" + i));
      }
      db.flush();
      assertThat(db.writer().stats().stored()).isEqualTo(series);
      assertThat(db.metadata().failures().count()).isEqualTo(series);
      assertThat(calls.get()).isLessThanOrEqualTo(3 * series);
      store.before = family -> {};
      db.put("m", Instant.ofEpochSecond(HOUR + 1), 1L, Tags.of("h", "h0"));
      db.flush();
      byte[] tsuid = db.writer().series("m", Map.of("h", "h0")).tsuid();
      assertThat(db.metadata().series().find(tsuid)).isNotNull();
    }
  }

  @Test
  void closingIsRefusedWhereItWouldWaitForItself() {
    Tsdb db = open(counting());
    CountDownLatch derived = new CountDownLatch(1);
    store.before =
        family -> {
          if (isPoints(family)) {
            derived.await();
          }
        };
    CompletableFuture<?> byReceipt =
        put(db, 0)
            .handle(
                (done, failure) -> {
                  db.close();
                  return true;
                });
    derived.countDown();
    assertThatThrownBy(byReceipt::join).hasRootCauseInstanceOf(IllegalStateException.class);
    CompletableFuture<Void> byListener = new CompletableFuture<>();
    db.metadata()
        .onNewSeries(
            meta -> {
              try {
                db.close();
                byListener.complete(null);
              } catch (IllegalStateException e) {
                byListener.completeExceptionally(e);
              }
            });
    db.put("other", Instant.ofEpochSecond(HOUR), 1L, Tags.of("h", "a"));
    db.flush();
    assertThatThrownBy(byListener::join).hasRootCauseInstanceOf(IllegalStateException.class);
    put(db, 1).join();
    db.close();
    assertThat(db.writer().stats().stored()).isEqualTo(3);
    assertThat(db.writer().stats().alive()).isZero();
  }

  @Test
  void aCellThatIsTooLargeFailsNoOther() throws Exception {
    try (Tsdb db = open(unheld())) {
      CountDownLatch writing = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      store.before =
          family -> {
            if (isPoints(family)) {
              writing.countDown();
              go.await();
            }
          };
      db.writer().put("first", A, HOUR, 1L, told, 1);
      writing.await();
      db.writer().put("m", A, HOUR, 1L, told, 2);
      byte[] tooLarge = new byte[Limits.VALUE + 1];
      db.writer()
          .putCell(db.engine().tables().points(), new byte[16], new byte[1], tooLarge, told, 3);
      db.writer().put("n", A, HOUR, 1L, told, 4);
      go.countDown();
      db.writer().flush();
      assertThat(told.stored).isEqualTo(Map.of(1L, 1, 2L, 1, 4L, 1));
      assertThat(told.failed).isEqualTo(Map.of(3L, 1));
    }
  }

  @Test
  void aBatchThatIsNotTakenKeepsItsPoints() {
    Tsdb db = open(unheld());
    PointBatch batch = db.writer().batch("m", A);
    batch.add(HOUR, 1L);
    db.close();
    assertThatThrownBy(() -> batch.persist(told, 1)).hasMessageContaining("closed");
    assertThat(batch.size()).isEqualTo(1);
    assertThat(told.stored).isEmpty();
    assertThat(told.failed).isEmpty();
  }

  private static TextPoints lines(Tsdb db, int from, int count) {
    TextPoints points = db.writer().telnetPoints();
    for (int i = from; i < from + count; i++) {
      byte[] line = ("put m " + (HOUR + i / 7) + " 1 h=" + i % 7).getBytes(UTF_8);
      assertThat(points.addTelnetLine(line, 0, line.length, i)).isTrue();
    }
    return points;
  }

  private void putSeven(Tsdb db) {
    for (int i = 0; i < 7; i++) {
      db.writer().putTelnetLine("put m " + HOUR + " 1 h=" + i, told, i);
    }
    db.writer().flush();
  }

  /** It is larger than the queue, and its points are those of two threads. */
  @Test
  void eachPointOfABatchOfBytesIsStored() {
    try (Tsdb db = open(unheld().with(Settings.WRITE_THREADS, "2"))) {
      putSeven(db);
      for (int i = 7; i < 707; i += 70) {
        lines(db, i, 70).send(told);
        db.writer().put("m", A, HOUR + i, 1L, told, 1000 + i);
      }
      db.writer().flush();
      assertThat(told.stored.keySet()).hasSize(717);
      assertThat(told.stored.values()).containsOnly(1);
      assertThat(told.failed).isEmpty();
      assertThat(db.writer().stats().stored()).isEqualTo(717);
      assertThat(db.writer().stats().waiting()).isZero();
    }
  }

  @Test
  void eachPointOfABatchOfBytesIsToldOfThoughTheThreadsDie() throws Exception {
    Tsdb db = open(unheld().with(Settings.WRITE_THREADS, "2"));
    putSeven(db);
    CountDownLatch die = new CountDownLatch(1);
    store.before =
        family -> {
          if (isPoints(family)) {
            die.await();
            throw new OutOfMemoryError("as if");
          }
        };
    lines(db, 7, 70).send(told);
    CompletableFuture<Void> waiting =
        CompletableFuture.runAsync(() -> lines(db, 77, 70).send(told));
    die.countDown();
    waiting.join();
    lines(db, 147, 70).send(told);
    assertThatThrownBy(db::flush).isInstanceOf(StoreException.class);
    db.close();
    assertThat(told.failed.keySet()).hasSize(210);
    assertThat(told.failed.values()).containsOnly(1);
    assertThat(told.stored).hasSize(7);
    assertThat(db.writer().stats().failed()).isBetween(70L, 210L);
  }

  @Test
  void aBatchOfBytesWaitsWhileTheQueueIsFull() throws Exception {
    try (Tsdb db = open(unheld())) {
      putSeven(db);
      CountDownLatch writing = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      store.before =
          family -> {
            if (isPoints(family)) {
              writing.countDown();
              go.await();
            }
          };
      lines(db, 7, 10).send(told);
      writing.await();
      lines(db, 17, 10).send(told);
      TextPoints third = lines(db, 27, 10);
      Thread batch = new Thread(() -> third.send(told));
      Thread single =
          new Thread(
              () -> {
                for (int i = 0; i < 16; i++) {
                  db.writer().put("m", A, HOUR, 1L, told, 1000 + i);
                }
              });
      batch.start();
      awaitWaiting(batch);
      assertThat(db.writer().stats().waiting()).isEqualTo(10);
      single.start();
      awaitWaiting(single);
      assertThat(db.writer().stats().waiting()).isEqualTo(16);
      go.countDown();
      batch.join();
      single.join();
      db.writer().flush();
      assertThat(told.stored).hasSize(53);
    }
  }

  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      assertThat(thread.isAlive()).isTrue();
      Thread.onSpinWait();
    }
  }

  @Test
  void everyLineIsAccountedForThoughAWriterDies() {
    Tsdb db = open(unheld().with(Settings.WRITE_THREADS, "2"));
    store.before =
        family -> {
          if (isPoints(family)) {
            throw new StackOverflowError("as if");
          }
        };
    List<String> rejected = new ArrayList<>();
    ImportListener listener =
        new ImportListener() {
          @Override
          public void rejected(String place, String reason) {
            rejected.add(place);
          }

          @Override
          public void read(long lines) {}

          @Override
          public void stored(String file, long lineNumber) {}
        };
    Importer importer = db.importer(db.engine().options().importOptions(true), listener);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      lines.append("m ").append(HOUR + i % 50).append(" 1 h=").append(i % 7).append('\n');
    }
    InputStream file = new ByteArrayInputStream(lines.toString().getBytes(UTF_8));
    assertThatThrownBy(() -> importer.run("f", file)).hasMessageContaining("the store failed");
    ImportReport report = importer.report();
    assertThat(report.stored() + report.rejected()).isEqualTo(report.lines());
    assertThat(rejected).hasSize((int) report.rejected()).doesNotHaveDuplicates();
    db.close();
  }

  @Test
  void aFutureIsWrittenSoonWhateverWaitsForIt() {
    try (Tsdb db = open(TsdbOptions.defaults())) {
      FutureReceipt one = new FutureReceipt(db.writer());
      FutureReceipt other = new FutureReceipt(db.writer());
      FutureReceipt dropped = new FutureReceipt(db.writer());
      db.writer().put("m", A, HOUR, 1L, one, 0);
      db.writer().put("n", A, HOUR, 1L, other, 0);
      db.writer().put("o", A, HOUR, 1L, dropped, 0);
      var unused = dropped.thenApply(done -> 1);
      CompletableFuture.allOf(one, other.thenApply(done -> 1)).join();
      assertThat(dropped).isNotDone();
    }
  }

  @Test
  void aSeriesKeepsItsTagsInTheOrderGiven() {
    try (Tsdb db = open(unheld())) {
      Map<String, String> tags = new LinkedHashMap<>();
      for (String tag : List.of("g", "c", "a", "e", "f", "b", "d")) {
        tags.put(tag, "v");
      }
      assertThat(db.writer().series("m", tags).tags().keySet())
          .containsExactly("g", "c", "a", "e", "f", "b", "d");
    }
  }
}
