package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.testkit.Binary.bytes;
import static org.hourstone.testkit.Binary.number;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Checkpoints;
import org.hourstone.kv.DiskUsage;
import org.hourstone.kv.FuzzyRow;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Reclamation;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.ScanCounts;
import org.hourstone.kv.StoreClock;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.Trait;
import org.junit.jupiter.api.Test;

/**
 * A store's description of itself is correct: a present trait or extension holds, and without it
 * the weaker guarantee does. DURABLE and SHARED are also tested in {@link DurabilityContract}.
 * MANAGED_TABLES promises nothing that could be tested.
 */
public abstract class TraitContract extends StoreContract {
  private static final int CLOCK_ROUNDS = 200;
  private static final byte[] ROW = bytes("row");
  private static final byte[] Q = bytes("q");

  @Test
  final void traitsStayAsTheyAre() {
    Set<Trait> before = Set.copyOf(store().traits());
    put(ROW, Q, bytes("v"));
    passTime();

    assertThat(store().traits()).isEqualTo(before);
    reopen();
    assertThat(store().traits()).isEqualTo(before);
  }

  @Test
  final void aPutAfterADeletionIsVisible() {
    for (int i = 0; i < 100; i++) {
      byte[] value = number(i);
      put(ROW, Q, value);
      assertThat(get(ROW).find(Q)).as("put %d", i).isEqualTo(value);
      delete(new Change.Delete(Q));
      put(ROW, Q, value);
      assertThat(get(ROW).find(Q)).as("put after delete %d", i).isEqualTo(value);
      delete(new Change.DeleteRow());
      put(ROW, Q, value);
      assertThat(get(ROW).find(Q)).as("put after row deletion %d", i).isEqualTo(value);
      store().compareAndSet(family(), ROW, Q, value, null);
      store().append(family(), ROW, Q, value);
      assertThat(get(ROW).find(Q)).as("append after removal %d", i).isEqualTo(value);
      store().replaceCells(family(), get(ROW), List.of());
      assertThat(store().compareAndSet(family(), ROW, Q, null, value)).isTrue();
      assertThat(get(ROW).find(Q)).as("compare-and-set after removal %d", i).isEqualTo(value);
      delete(new Change.Delete(Q));
      assertThat(store().increment(family(), ROW, Q, i)).isEqualTo(i);
      assertThat(get(ROW).find(Q)).as("increment after delete %d", i).isEqualTo(value);
      delete(new Change.Delete(Q));
      if (isAcknowledged(new Change.PutIfNewer(Q, value, 1_000))) {
        assertThat(get(ROW).find(Q)).as("dated put after delete %d", i).isEqualTo(value);
      }
      delete(new Change.Delete(Q));
    }
  }

  /** A cell that is dated before its deletion may be REJECTED, but not acknowledged and hidden. */
  private boolean isAcknowledged(Change change) {
    try {
      store().mutate(family(), List.of(new RowMutation(ROW, change)));
      return true;
    } catch (StoreException e) {
      assertThat(e.outcome()).isEqualTo(StoreException.Outcome.REJECTED);
      return false;
    }
  }

  @Test
  final void withMonotonicWriteTimesEveryChangeOfARowIsLaterThanTheLast() {
    assumeTrue(has(Trait.MONOTONIC_WRITE_TIMES), "MONOTONIC_WRITE_TIMES is not promised");
    long last = -1;
    for (int i = 0; i < 60; i++) {
      if (i == 30) {
        fixture().clock().advance(Duration.ofSeconds(-5));
      }
      put(ROW, Q, bytes("v"));
      last = assertLater(last, "put");
      put(ROW, Q, bytes("v"));
      last = assertLater(last, "the same put");
      store().append(family(), ROW, Q, bytes("w"));
      last = assertLater(last, "append");
      delete(new Change.Delete(Q));
      store().increment(family(), ROW, Q, 1);
      last = assertLater(last, "increment after delete");
      store().compareAndSet(family(), ROW, Q, number(1), bytes("v"));
      last = assertLater(last, "compare-and-set");
      store().replaceCells(family(), get(ROW), List.of(new Cell(Q, bytes("w"))));
      last = assertLater(last, "replacement");
      delete(new Change.DeleteRow());
      store().replaceCells(family(), Row.empty(ROW), List.of(new Cell(Q, bytes("w"))));
      last = assertLater(last, "replacement after row deletion");
      Change dated = new Change.PutIfNewer(bytes("dated"), bytes("v"), i % 3 * 1_000L);
      store().mutate(family(), List.of(new RowMutation(ROW, dated)));
      store().compareAndSet(family(), ROW, Q, bytes("w"), null);
      put(ROW, Q, bytes("v"));
      last = assertLater(last, "put after removal");
      delete(new Change.DeleteRow());
      store().mutate(family(), List.of(new RowMutation(ROW, dated)));
      put(ROW, Q, bytes("v"));
      last = assertLater(last, "put after a dated put after row deletion");
    }
  }

  @Test
  final void monotonicWriteTimesOutliveTheHandle() {
    assumeTrue(has(Trait.MONOTONIC_WRITE_TIMES), "MONOTONIC_WRITE_TIMES is not promised");
    assumeTrue(has(Trait.DURABLE), "DURABLE is not promised");
    for (int i = 0; i < 30; i++) {
      put(ROW, Q, bytes("v"));
    }
    long last = assertLater(-1, "put");
    fixture().clock().advance(Duration.ofHours(-1));
    reopen();
    put(ROW, Q, bytes("v"));
    last = assertLater(last, "put after reopening with the clock set back");

    Change dated = new Change.PutIfNewer(bytes("dated"), bytes("v"), Change.MAX_WRITE_TIME);
    store().mutate(family(), List.of(new RowMutation(ROW, dated)));
    long given = get(ROW).writeTime(get(ROW).indexOf(bytes("dated")));
    delete(new Change.Delete(bytes("dated")));
    reopen();
    put(ROW, Q, bytes("v"));
    assertLater(Math.max(last, given), "put after a given time and reopening");
  }

  @Test
  final void monotonicWriteTimesHoldAcrossHandles() {
    assumeTrue(has(Trait.MONOTONIC_WRITE_TIMES), "MONOTONIC_WRITE_TIMES is not promised");
    assumeTrue(has(Trait.SHARED), "SHARED is not promised");
    try (KeyValueStore other = subject().open(fixture())) {
      long last = -1;
      for (int i = 0; i < 20; i++) {
        (i % 2 == 0 ? store() : other).put(family(), ROW, Q, bytes("v"));
        last = assertLater(last, "put by one of two handles in turn");
      }
    }
  }

  private long assertLater(long last, String what) {
    Row row = get(ROW);
    long time = row.writeTime(row.indexOf(Q));
    assertThat(time).as(what).isGreaterThan(last);
    return time;
  }

  @Test
  final void extensionsAreThereOrNotAndThatStays() {
    for (Class<?> type :
        List.of(
            Checkpoints.class,
            DiskUsage.class,
            Reclamation.class,
            ScanCounts.class,
            StoreClock.class)) {
      boolean present = store().extension(type).isPresent();
      assertThat(store().extension(type).isPresent()).as(type.getSimpleName()).isEqualTo(present);
      store().extension(type).ifPresent(extension -> assertThat(extension).isInstanceOf(type));
    }
    assertThat(store().extension(Runnable.class)).isEmpty();
  }

  @Test
  final void aCheckpointIsACopyOfItsOwn() {
    Checkpoints checkpoints = extension(Checkpoints.class);
    put(ROW, Q, bytes("before"));
    Path target = fixture().directory().resolve("checkpoint");
    checkpoints.create(target);
    passTime();
    put(ROW, Q, bytes("after"));
    put(bytes("new"), Q, bytes("after"));

    try (KeyValueStore copy = subject().openCheckpoint(target, fixture())) {
      List<Row> rows = rows(copy, family(), Scan.all());
      assertThat(rows).hasSize(1);
      assertThat(cells(rows.get(0))).isEqualTo(cells(Q, bytes("before")));
      copy.put(family(), bytes("only in the copy"), Q, bytes("v"));
    }
    assertThat(rows(Scan.all())).hasSize(2);
    assertRejected(
        "a checkpoint where there is one",
        () -> checkpoints.create(target),
        target.getFileName().toString());
  }

  @Test
  final void diskUsageGrowsWithWhatIsStored() {
    DiskUsage disk = extension(DiskUsage.class);
    byte[] incompressible = new byte[1 << 18];
    new Random(1).nextBytes(incompressible);
    long before = disk.bytes();

    put(ROW, Q, incompressible);

    assertThat(disk.bytes()).isBetween(before + (1 << 18), before + (1 << 20));
  }

  @Test
  final void whatIsWrittenWhenATimeIsPastIsDatedLater() {
    StoreClock clock = extension(StoreClock.class);
    put(ROW, Q, bytes("v"));
    for (int i = 0; i < CLOCK_ROUNDS; i++) {
      long before = get(ROW).writeTime(0);
      assertThat(clock.isPast(family(), ROW, before + 3_600_000)).as("an hour later").isFalse();
      while (!clock.isPast(family(), ROW, before)) {
        Thread.onSpinWait();
      }
      put(ROW, Q, number(i));
      assertThat(get(ROW).writeTime(0)).isGreaterThan(before);
    }
    assertThat(clock.isPast(family(), bytes("absent"), 0)).isTrue();
  }

  @Test
  final void reclaimingSpaceChangesNothingThatIsRead() {
    Reclamation reclamation = extension(Reclamation.class);
    for (int i = 0; i < LARGE; i++) {
      put(number(i), Q, bytes("v"));
      store().append(family(), number(i), bytes("appended"), bytes("v"));
    }
    passTime();
    for (int i = 0; i < LARGE; i += 2) {
      Row row = get(number(i));
      store().replaceCells(family(), row, List.of(new Cell(bytes("replacement"), bytes("w"))));
      store().append(family(), number(i + 1), bytes("appended"), bytes("w"));
    }
    passTime();
    store().mutate(family(), List.of(new RowMutation(number(7), new Change.DeleteRow())));
    List<Row> before = rows(Scan.all());
    String expected = before.toString();

    reclamation.reclaim(family(), number(10), number(20));
    assertThat(rows(Scan.all()).toString()).as("after a part").isEqualTo(expected);
    reclamation.reclaim(family(), number(LARGE / 2), null);
    reclamation.reclaim(family(), new byte[0], null);
    assertThat(rows(Scan.all()).toString()).as("after all").isEqualTo(expected);
    assertThat(get(number(7)).isEmpty()).as("the deleted row is gone").isTrue();

    passTime();
    put(number(0), bytes("later"), bytes("v"));
    assertThat(get(number(0)).size()).isEqualTo(2);
    if (has(Trait.DURABLE)) {
      reopen();
      assertThat(rows(Scan.all())).hasSameSizeAs(before);
    }
    assertRejected(
        "a family that does not exist",
        () -> extension(Reclamation.class).reclaim(missing(), new byte[0], null),
        missing().table());
  }

  private void delete(Change deletion) {
    store().mutate(family(), List.of(new RowMutation(ROW, deletion)));
  }

  @Test
  final void scanCountsTellWhatWasLookedAtAndWhatCame() {
    ScanCounts counts = extension(ScanCounts.class);
    for (int i = 0; i < 50; i++) {
      put(new byte[] {(byte) (i % 5), (byte) i}, Q, bytes("v"));
    }
    FuzzyRow third = new FuzzyRow(new byte[] {3, 0}, new boolean[] {true, false});

    ScanCounts.Rows before = counts.total();
    assertThat(rows(Scan.all())).hasSize(50);
    ScanCounts.Rows all = counts.total().minus(before);
    assertThat(rows(Scan.all().filter(third))).hasSize(10);
    ScanCounts.Rows some = counts.total().minus(before).minus(all);

    assertThat(all).as("rows of a scan of all").isEqualTo(new ScanCounts.Rows(50, 50, 50));
    assertThat(some.returned()).as("rows returned with a filter").isEqualTo(10);
    assertThat(some.shipped()).as("rows shipped with a filter").isBetween(10L, 50L);
    assertThat(some.scanned()).as("rows scanned with a filter").isBetween(some.shipped(), 50L);
  }

  /** The extension, or the test is skipped. */
  private <T> T extension(Class<T> type) {
    assumeFalse(store().extension(type).isEmpty(), () -> "no extension " + type.getSimpleName());
    return store().extension(type).orElseThrow();
  }
}
