package org.hourstone.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.kv.StoreHealth;
import org.hourstone.kv.UnreadableRowsException;
import org.hourstone.testkit.LoggedBy;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class StoreWatchTest {
  private static final Family DATA = new Family("tsdb", "t");
  private static final Family NAMES = new Family("tsdb-uid", "id");
  private static final byte[] ROW = {1};

  /** Fails, or waits, while a test wants that. */
  private static final class UnsteadyStore extends ForwardingStore {
    private volatile @Nullable StoreException failure;
    private volatile @Nullable CountDownLatch waits;
    private final CountDownLatch entered = new CountDownLatch(1);
    private volatile StoreHealth.@Nullable Outage outage;
    private volatile boolean reports;

    UnsteadyStore() {
      super(new ModelStore(new ManualClock(Instant.EPOCH)));
      ensure(List.of(new FamilySpec(DATA, false), new FamilySpec(NAMES, false)), SchemaMode.CREATE);
    }

    private void act() {
      StoreException now = failure;
      if (now != null) {
        throw now;
      }
      CountDownLatch latch = waits;
      if (latch != null) {
        entered.countDown();
        try {
          latch.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }

    @Override
    public <T> Optional<T> extension(Class<T> type) {
      return reports && type == StoreHealth.class
          ? Optional.of(type.cast((StoreHealth) () -> outage))
          : super.extension(type);
    }

    @Override
    public Row get(Family family, byte[] row, Columns columns) {
      act();
      return super.get(family, row, columns);
    }

    @Override
    public RowCursor scan(Family family, Scan scan) {
      RowCursor rows = super.scan(family, scan);
      return new RowCursor() {
        @Override
        public @Nullable Row next() {
          act();
          scan.check().run();
          return rows.next();
        }

        @Override
        public void close() {
          rows.close();
        }
      };
    }

    @Override
    public void mutate(Family family, List<RowMutation> batch) {
      act();
      super.mutate(family, batch);
    }
  }

  private final UnsteadyStore store = new UnsteadyStore();
  private final AtomicLong nanos = new AtomicLong(-TimeUnit.SECONDS.toNanos(20)); // passes zero
  private final AtomicLong failedPoints = new AtomicLong();
  private StoreWatch watch = watch();
  private KeyValueStore watched = watch.watched();
  private final LoggedBy log = LoggedBy.anyThread("org.hourstone.store");

  private StoreWatch watch() {
    StoreWatch made = new StoreWatch(store, nanos::get);
    made.count(() -> 7, failedPoints::get);
    return made;
  }

  @AfterEach
  void releaseLog() {
    log.close();
    store.close();
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
      watch.look();
    }
  }

  private void put(Family family) {
    watched.put(family, ROW, ROW, ROW);
  }

  private void putFails(Family family) {
    assertThatThrownBy(() -> put(family)).isInstanceOf(StoreException.class);
  }

  private static StoreException failure(Outcome outcome, String message) {
    return new StoreException(outcome, message, new IllegalStateException("server\ndown"));
  }

  @Test
  void anOutageHasALineWhenItBeginsAndOneWhenItEnds() {
    put(DATA);
    pass(1);
    store.failure = failure(Outcome.NOT_APPLIED, "no region");
    for (int i = 0; i < 30; i++) {
      putFails(DATA);
      pass(1);
    }
    assertThat(log.lines())
        .containsExactly(
            "WARNING the store fails: writes to table tsdb: no region"
                + " (java.lang.IllegalStateException: server down);"
                + " 1 rows wait in calls of the store, 7 points in queues");
    assertThat(watch.state().answers()).isFalse();
    assertThat(watch.state().silentSeconds()).isEqualTo(30);
    assertThat(watch.state().reason()).startsWith("writes to table tsdb: no region");
    assertThat(watch.state().failedWrites()).isEqualTo(30);

    failedPoints.set(12);
    store.failure = null;
    put(DATA);
    assertThat(watch.state().answers()).isTrue();
    pass(CallKind.CALM_SECONDS);

    assertThat(log.lines())
        .hasSize(2)
        .last()
        .isEqualTo(
            "INFO the store answers again: writes to table tsdb, after 30 s; 30 calls failed,"
                + " 12 accepted points were not stored");
  }

  @Test
  void aCallWithoutAnAnswerIsAnOutage() throws InterruptedException {
    CountDownLatch answer = new CountDownLatch(1);
    store.waits = answer;
    Thread writer = new Thread(() -> put(DATA));
    writer.start();
    store.entered.await();
    pass(9);
    assertThat(log.lines()).isEmpty();
    assertThat(watch.state().answers()).isTrue();
    assertThat(watch.state().longestWaitSeconds()).isEqualTo(9);
    pass(40);

    assertThat(log.lines())
        .containsExactly(
            "WARNING the store fails: writes to table tsdb: no answer for 10 s;"
                + " 1 rows wait in calls of the store, 7 points in queues");
    assertThat(watch.state().silentSeconds()).isEqualTo(49);
    assertThat(watch.state().reason()).isEqualTo("writes to table tsdb: no answer for 49 s");

    answer.countDown();
    writer.join();
    assertThat(watch.state().answers()).isTrue();
    pass(10);
    assertThat(log.lines()).hasSize(2).last().asString().contains("answers again", "after 49 s");
  }

  /** As long as others are answered, the store is alive, but a batch that waits is a fault. */
  @Test
  void aWriteThatWaitsAmongOthersIsLoggedButTheStoreAnswers() throws InterruptedException {
    CountDownLatch answer = new CountDownLatch(1);
    store.waits = answer;
    Thread writer = new Thread(() -> put(DATA));
    writer.start();
    store.entered.await();
    store.waits = null;
    for (int i = 0; i < 20; i++) {
      pass(1);
      put(DATA);
    }
    assertThat(log.lines()).hasSize(1);
    assertThat(watch.state().answers()).isTrue();
    answer.countDown();
    writer.join();
    pass(10);
    assertThat(log.lines()).hasSize(2);
  }

  @Test
  void aLongScanIsNoOutageWhileItMakesProgressOrOthersAreAnswered() throws InterruptedException {
    put(DATA);
    CountDownLatch answer = new CountDownLatch(1);
    store.waits = answer;
    Thread reader =
        new Thread(
            () -> {
              try (RowCursor rows = watched.scan(DATA, Scan.all())) {
                rows.next();
              }
            });
    reader.start();
    store.entered.await();
    store.waits = null;
    for (int i = 0; i < 20; i++) {
      pass(1);
      watched.get(DATA, ROW, Columns.all());
    }
    assertThat(log.lines()).isEmpty();
    pass(12);
    assertThat(log.lines()).hasSize(1);
    assertThat(watch.state().reason()).startsWith("reads of table tsdb: no answer for ");
    answer.countDown();
    reader.join();
    assertThat(watch.state().answers()).isTrue();
  }

  @Test
  void theTablesAreWatchedSeparately() {
    store.failure = failure(Outcome.UNKNOWN, "down");
    putFails(NAMES);
    store.failure = null;
    put(DATA);
    pass(1);
    assertThat(watch.state().reason()).startsWith("writes to table tsdb-uid: down");
    assertThatThrownBy(
            () -> {
              store.failure = failure(Outcome.NOT_APPLIED, "down");
              watched.get(NAMES, ROW, Columns.all());
            })
        .isInstanceOf(StoreException.class);
    assertThat(watch.state().failedReads()).isEqualTo(1);
    assertThat(watch.state().failedWrites()).isEqualTo(1);
  }

  /** Else one bad request would take an idle server out of service. */
  @Test
  void aWriteThatIsRefusedForItselfIsNoOutage() {
    store.failure = failure(Outcome.REJECTED, "a counter of 3 bytes");
    putFails(DATA);
    putFails(DATA);
    store.failure = null;
    watched.put(DATA, ROW, ROW, ROW);
    store.failure = failure(Outcome.REJECTED, "permission denied");
    putFails(DATA);
    putFails(DATA);
    assertThat(log.lines()).isEmpty();
    assertThat(watch.state().answers()).isTrue();
    assertThat(watch.state().failedWrites()).isEqualTo(4);
    putFails(DATA);
    assertThat(watch.state().answers()).as("each write is refused").isFalse();
    assertThat(log.lines()).hasSize(1);
  }

  /** Such as those of a table that does not exist, which the engine asks for. */
  @Test
  void readsThatAreRefusedAreNoOutage() {
    store.failure = failure(Outcome.REJECTED, "no family tsdb-index");
    for (int i = 1; i <= 10; i++) {
      assertThatThrownBy(() -> watched.get(NAMES, ROW, Columns.all()))
          .hasMessage("no family tsdb-index");
      pass(1);
    }
    assertThat(log.lines()).isEmpty();
    assertThat(watch.state().answers()).isTrue();
    assertThat(watch.state().failedReads()).isEqualTo(10);
  }

  /** The rest is served, so it is no outage; but a backup must be restored. */
  @Test
  void rowsThatCannotBeReadAreLoggedOnceInAMinute() {
    store.failure = new UnreadableRowsException("bad block", DATA, ROW, new byte[] {2}, null);
    for (int second = 0; second < 61; second++) {
      try (RowCursor rows = watched.scan(DATA, Scan.all())) {
        assertThatThrownBy(rows::next).isInstanceOf(UnreadableRowsException.class);
      }
      pass(1);
    }
    assertThat(log.lines()).hasSize(2);
    assertThat(log.lines().get(0)).contains("rows of tsdb:t from 01 to before 02", "bad block");
    assertThat(log.lines().get(1)).contains("59 more such reads");
    assertThat(watch.state().answers()).isTrue();
    assertThat(watch.state().failedReads()).isEqualTo(61);
  }

  @Test
  void anIdleStoreIsNotKnownToFailForever() {
    store.failure = failure(Outcome.NOT_APPLIED, "down");
    putFails(DATA);
    pass(59);
    assertThat(watch.state().answers()).isFalse();
    pass(2);
    assertThat(watch.state().answers()).isTrue();
  }

  @Test
  void aTableThatIsNotUsedAnyMoreDoesNotMakeTheStoreFail() {
    store.failure = failure(Outcome.NOT_APPLIED, "down");
    putFails(NAMES);
    store.failure = null;
    pass(1);
    put(DATA);
    assertThat(watch.state().answers()).isFalse();
    pass(CallKind.CALM_SECONDS);
    put(DATA);
    assertThat(watch.state().answers()).isTrue();
  }

  @Test
  void manyShortFailuresHaveFewLines() {
    for (int i = 0; i < 20; i++) {
      store.failure = failure(Outcome.NOT_APPLIED, "for a moment");
      putFails(DATA);
      store.failure = null;
      put(DATA);
      pass(6);
    }
    assertThat(log.lines())
        .hasSizeLessThanOrEqualTo(4)
        .anyMatch(line -> line.contains("short failures"));
  }

  @Test
  void aBatchThatIsAppliedInPartIsAFailureOfAStoreThatAnswers() {
    store.failure =
        new BatchException("one region", Arrays.asList(null, Outcome.NOT_APPLIED), null);
    assertThatThrownBy(
            () -> watched.mutate(DATA, List.of(new RowMutation(ROW, new Change.Put(ROW, ROW)))))
        .isInstanceOf(BatchException.class);
    assertThat(watch.state().answers()).isTrue();
    assertThat(log.lines()).hasSize(1);
  }

  @Test
  void aCallThatEndsByAnInterruptIsNoFailure() {
    store.failure = failure(Outcome.NOT_APPLIED, "interrupted");
    Thread.currentThread().interrupt();
    putFails(DATA);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(log.lines()).isEmpty();
    assertThat(watch.state().failedWrites()).isZero();
  }

  @ParameterizedTest
  @EnumSource(Outcome.class)
  void anOutageThatTheStoreReportsIsOneOfAllTables(Outcome outcome) {
    store.reports = true;
    watch = watch();
    watched = watch.watched();
    store.outage = new StoreHealth.Outage(Instant.now().minusSeconds(5), "/data: disk full");
    store.failure = failure(outcome, "No space left");
    putFails(DATA);
    putFails(NAMES);
    pass(3);
    assertThat(log.lines())
        .hasSize(1)
        .first()
        .asString()
        .contains("fails: writes: /data: disk full;");
    assertThat(watch.state().reason()).isEqualTo("writes: /data: disk full");
    assertThat(watch.state().silentSeconds()).isGreaterThanOrEqualTo(5);
    pass(120);
    assertThat(watch.state().answers()).as("without further calls").isFalse();

    store.outage = null;
    pass(10);
    assertThat(watch.state().answers()).isTrue();
    assertThat(log.lines()).hasSize(2).last().asString().contains("answers again: writes, after");
  }

  @Test
  void callsAreCountedByTableAndDirection() {
    put(DATA);
    put(DATA);
    watched.get(NAMES, ROW, Columns.all());
    watched.scan(DATA, Scan.all()).close();
    store.failure = failure(Outcome.NOT_APPLIED, "down");
    putFails(DATA);

    assertThat(watch.calls())
        .extracting(StoreCalls::table, StoreCalls::writes, StoreCalls::calls, StoreCalls::failures)
        .containsExactly(
            tuple("tsdb", false, 1L, 0L),
            tuple("tsdb-uid", false, 1L, 0L),
            tuple("tsdb", true, 3L, 1L));
    assertThat(watch.calls()).allSatisfy(each -> assertThat(each.time()).isPositive());
  }
}
