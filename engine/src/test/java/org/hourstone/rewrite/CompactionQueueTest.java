package org.hourstone.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.internal.Deadline;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.rewrite.CompactionOptions.Appends;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.FaultPlan;
import org.hourstone.testkit.store.FaultPlan.Fault;
import org.hourstone.testkit.store.FaultPlan.Operation;
import org.hourstone.testkit.store.FaultyStore;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.Test;

class CompactionQueueTest {
  private static final Instant HOUR = Instant.parse("2013-01-01T00:00:00Z");
  private static final Family FAMILY = new Family("tsdb", "t");
  private static final int SPREAD = 1000;
  private static final int QUIET = 60;

  private final ManualClock clock = new ManualClock(HOUR);
  private final FaultPlan faults = new FaultPlan(1);
  private final KeyValueStore store = new FaultyStore(new ModelStore(clock), faults, this::before);
  private final RowKey keys = new RowKey(Schema.DEFAULT);

  private Runnable beforeReplacing = () -> {};
  private int gets;

  /** Until when the journals of writers are sealed. */
  private OptionalLong journals = OptionalLong.empty();

  private int readings;

  private void before(Operation operation) {
    gets += operation == Operation.GET ? 1 : 0;
    if (operation == Operation.REPLACE_CELLS) {
      beforeReplacing.run();
    }
  }

  CompactionQueueTest() {
    store.ensure(List.of(new FamilySpec(FAMILY, false)), SchemaMode.CREATE);
  }

  private CompactionQueue queue(int capacity) {
    return queue(capacity, clock);
  }

  private CompactionQueue queue(int capacity, InstantSource clock) {
    return queue(capacity, clock, SealedUntil.always());
  }

  private CompactionQueue queueBesideJournals() {
    return queue(
        1000,
        clock,
        SealedUntil.of(
            () -> {
              readings++;
              if (journals.isEmpty()) {
                throw new StoreException(Outcome.NOT_APPLIED, "journals can't be read");
              }
              return journals;
            },
            clock));
  }

  private CompactionQueue queue(int capacity, InstantSource clock, SealedUntil sealed) {
    CompactionOptions options =
        new CompactionOptions(
            DuplicatePolicy.NEWEST_WINS, false, Appends.MERGED, 32_768, Duration.ofSeconds(QUIET));
    RowCompactor compactor = new RowCompactor(store, FAMILY, keys, options, clock, sealed);
    return new CompactionQueue(compactor, clock, capacity, Duration.ofSeconds(SPREAD));
  }

  /** The row of a series in the hour, with two points. */
  private byte[] row(int series) {
    byte[] tsuid = {0, 0, 1, 0, 0, 1, 0, (byte) (series >> 8), (byte) series};
    byte[] row = keys.rowKey(tsuid, HOUR.getEpochSecond());
    store.put(FAMILY, row, new byte[] {0, 0}, new byte[] {1});
    store.put(FAMILY, row, new byte[] {0, 0x10}, new byte[] {2});
    return row;
  }

  private int cells(byte[] row) {
    return store.get(FAMILY, row, Columns.all()).size();
  }

  @Test
  void theRowsOfAnHourAreSpread() {
    CompactionQueue queue = queue(1000);
    for (int series = 0; series < 500; series++) {
      queue.add(row(series));
    }
    clock.advance(Duration.ofHours(1));
    assertThat(queue.compactDue(1000)).isZero();

    List<Integer> perTenth = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      clock.advance(Duration.ofSeconds(SPREAD / 10));
      perTenth.add(queue.compactDue(1000));
    }
    clock.advance(Duration.ofSeconds(1));
    queue.compactDue(1000);

    assertThat(perTenth).allMatch(rows -> rows > 15 && rows < 110);
    assertThat(queue.stats()).isEqualTo(new CompactionStats(0, 0, 500, 0, 0, 0, 0, false));
  }

  @Test
  void anOldRowWaitsUntilItMayBeQuiet() {
    CompactionQueue queue = queue(10);
    clock.advance(Duration.ofDays(30));
    queue.add(row(1));

    clock.advance(Duration.ofSeconds(QUIET - 1));
    assertThat(queue.compactDue(10)).isZero();

    clock.advance(Duration.ofSeconds(1 + SPREAD));
    assertThat(queue.compactDue(10)).isEqualTo(1);
  }

  @Test
  void aRowThatIsWrittenAgainWaitsOnce() {
    CompactionQueue queue = queue(10);
    byte[] row = row(1);
    queue.add(row);
    clock.advance(Duration.ofMinutes(1));
    queue.add(row);
    assertThat(queue.stats().backlog()).isEqualTo(1);
  }

  @Test
  void noMoreRowsAreTakenAtATimeThanAllowedAndTheDelayIsSeen() {
    CompactionQueue queue = queue(1000);
    for (int series = 0; series < 100; series++) {
      queue.add(row(series));
    }
    clock.advance(Duration.ofHours(3));

    assertThat(queue.stats().behindSeconds()).isBetween(7200L - SPREAD, 7200L);
    assertThat(queue.compactDue(30)).isEqualTo(30);
    assertThat(queue.stats().backlog()).isEqualTo(70);
  }

  @Test
  void aRowThatFindsNoRoomIsCountedAndStaysAsItIs() {
    CompactionQueue queue = queue(2);
    byte[] forgotten = row(3);
    queue.add(row(1));
    queue.add(row(2));
    queue.add(forgotten);
    queue.add(row(1));
    assertThat(queue.stats().backlog()).isEqualTo(2);
    assertThat(queue.stats().forgotten()).isEqualTo(1);

    clock.advance(Duration.ofHours(2));
    queue.flush();

    assertThat(cells(forgotten)).isEqualTo(2);
    assertThat(queue.stats().compacted()).isEqualTo(2);
  }

  @Test
  void flushingCompactsWhatIsClosedAndKeepsTheRest() {
    CompactionQueue queue = queue(10);
    byte[] closed = row(1);
    queue.add(closed);
    clock.advance(Duration.ofSeconds(3601));
    byte[] open = closed.clone();
    keys.setBaseTime(open, HOUR.getEpochSecond() + 3600);
    queue.add(open);

    queue.flush();

    assertThat(cells(closed)).isEqualTo(1);
    assertThat(queue.stats().backlog()).isEqualTo(1);
  }

  /** A writer has died, and no other one takes its journal over. */
  @Test
  void rowsThatAJournalKeepsAreReadOnceUntilItIsSealed() {
    CompactionQueue queue = queueBesideJournals();
    journals = OptionalLong.of(clock.millis() - 1);
    for (int series = 0; series < 100; series++) {
      queue.add(row(series));
    }
    clock.advance(Duration.ofHours(2));
    assertThat(queue.compactDue(1000)).isEqualTo(100);
    gets = 0;
    readings = 0;

    for (int minute = 0; minute < 60; minute++) {
      clock.advance(Duration.ofMinutes(1));
      assertThat(queue.compactDue(1000)).isZero();
    }

    assertThat(gets).isZero();
    assertThat(readings).isEqualTo(60);
    assertThat(queue.stats().backlog()).isEqualTo(100);
    assertThat(queue.stats().unsealed()).isEqualTo(100);
    journals = OptionalLong.of(Long.MAX_VALUE);
    clock.advance(Duration.ofMinutes(1));
    assertThat(queue.compactDue(1000)).isEqualTo(100);
    assertThat(queue.stats().compacted()).isEqualTo(100);
    assertThat(queue.stats().backlog()).isZero();
  }

  @Test
  void rowsThatAJournalKeepsDoNotKeepOlderOnes() {
    CompactionQueue queue = queueBesideJournals();
    byte[] older = row(1);
    clock.advance(Duration.ofSeconds(10));
    journals = OptionalLong.of(clock.millis() - 1);
    byte[] newer = row(2);
    queue.add(newer);
    queue.add(older);
    clock.advance(Duration.ofHours(2));
    queue.compactDue(1000);

    assertThat(cells(older)).isEqualTo(1);
    assertThat(cells(newer)).isEqualTo(2);
    assertThat(queue.stats().backlog()).isEqualTo(1);
  }

  @Test
  void journalsThatCannotBeReadAreReadAgainLater() {
    CompactionQueue queue = queueBesideJournals();
    journals = OptionalLong.of(0);
    byte[] row = row(1);
    queue.add(row);
    clock.advance(Duration.ofHours(2));
    queue.compactDue(1000);
    journals = OptionalLong.empty();
    clock.advance(Duration.ofMinutes(1));
    assertThat(queue.compactDue(1000)).isZero();
    assertThat(queue.lastFailure()).isEqualTo("journals can't be read");
    assertThat(queue.stats().backlog()).isEqualTo(1);

    journals = OptionalLong.of(Long.MAX_VALUE);
    clock.advance(Duration.ofMinutes(1));
    queue.flush();
    assertThat(cells(row)).isEqualTo(1);
  }

  @Test
  void aFailingStoreIsTriedAgainAndARefusalIsNot() {
    CompactionQueue queue = queue(10);
    byte[] row = row(1);
    for (Fault fault : Fault.values()) {
      queue.add(row);
      faults.failCall(Operation.REPLACE_CELLS, 1, fault);
      clock.advance(Duration.ofHours(2));
      assertThat(queue.compactDue(10)).isEqualTo(1);
      assertThat(queue.stats().backlog()).describedAs("%s", fault).isEqualTo(1);
      assertThat(queue.lastFailure()).contains("injected");

      clock.advance(Duration.ofSeconds(60));
      assertThat(queue.compactDue(10)).isEqualTo(1);
      assertThat(cells(row)).describedAs("%s", fault).isEqualTo(1);
      store.put(FAMILY, row, new byte[] {0, 0x20}, new byte[] {3});
    }
  }

  @Test
  void aCorruptRowIsGivenUpAndTheOthersAreCompacted() {
    CompactionQueue queue = queue(10);
    byte[] corrupt = row(1);
    byte[] sound = row(2);
    store.put(FAMILY, corrupt, new byte[] {5, 0, 0}, new byte[] {0});
    queue.add(corrupt);
    queue.add(sound);
    clock.advance(Duration.ofHours(2));

    assertThat(queue.compactDue(10)).isEqualTo(2);

    assertThat(cells(corrupt)).isEqualTo(3);
    assertThat(cells(sound)).isEqualTo(1);
    assertThat(queue.stats()).isEqualTo(new CompactionStats(0, 0, 1, 0, 1, 0, 0, false));
    assertThat(queue.lastFailure()).startsWith("row 000001").contains("cut off");
  }

  @Test
  void aRowForWhichMemoryRunsOutIsCountedAndTheOthersAreCompacted() {
    CompactionQueue queue = queue(10);
    List<byte[]> rows = List.of(row(1), row(2), row(3));
    rows.forEach(queue::add);
    clock.advance(Duration.ofHours(2));
    beforeReplacing =
        () -> {
          beforeReplacing = () -> {};
          throw new OutOfMemoryError("a large row");
        };

    assertThat(queue.compactDue(10)).isEqualTo(3);

    assertThat(queue.stats()).isEqualTo(new CompactionStats(0, 0, 2, 0, 1, 0, 0, false));
    assertThat(queue.lastFailure()).contains("a large row");
    assertThat(rows.stream().mapToInt(this::cells)).containsExactlyInAnyOrder(1, 1, 2);
  }

  @Test
  void theStatsSayWhetherTheThreadIsAlive() {
    CompactionQueue queue = queue(10);
    queue.add(row(1));
    clock.advance(Duration.ofHours(2));
    boolean[] running = new boolean[1];
    beforeReplacing = () -> running[0] = queue.stats().running();
    CompactionThread thread = CompactionThread.start(queue, 1_000_000);
    try {
      while (queue.stats().compacted() == 0) {
        Thread.onSpinWait();
      }
    } finally {
      thread.close(Deadline.in(60_000, clock), clock);
    }
    assertThat(running[0]).isTrue();
    assertThat(queue.stats().running()).isFalse();
  }

  @Test
  void theThreadSurvivesThatMemoryRunsOut() {
    AtomicInteger looks = new AtomicInteger();
    CompactionQueue queue =
        queue(
            10,
            () -> {
              if (Thread.currentThread().getName().equals("hourstone-compaction")
                  && looks.getAndIncrement() == 0) {
                throw new OutOfMemoryError("taken by others");
              }
              return clock.instant();
            });
    queue.add(row(1));
    clock.advance(Duration.ofHours(2));
    CompactionThread thread = CompactionThread.start(queue, 1_000_000);
    try {
      while (queue.stats().compacted() == 0 && (looks.get() == 0 || queue.stats().running())) {
        Thread.onSpinWait();
      }
      assertThat(queue.stats().compacted()).isEqualTo(1);
    } finally {
      thread.close(Deadline.in(60_000, clock), clock);
    }
  }

  @Test
  void theThreadCompactsWhatIsDueAndEndsWhenClosed() {
    CompactionQueue queue = queue(1000);
    for (int series = 0; series < 200; series++) {
      queue.add(row(series));
    }
    clock.advance(Duration.ofHours(2));
    CompactionThread thread = CompactionThread.start(queue, 1_000_000);
    try {
      while (queue.stats().backlog() > 0) {
        Thread.onSpinWait();
      }
    } finally {
      thread.close(Deadline.in(60_000, clock), clock);
    }
    assertThat(queue.stats().compacted()).isEqualTo(200);
  }
}
