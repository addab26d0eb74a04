package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hourstone.testkit.Binary.bytes;
import static org.hourstone.testkit.Binary.number;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.hourstone.kv.AsyncWrites;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Checkpoints;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FuzzyRow;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RangeDeletes;
import org.hourstone.kv.ReadView;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.ScanCounts;
import org.hourstone.kv.Snapshots;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.Trait;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What a store says of itself is so: a trait or extension that is there holds, and without it the
 * weaker promise does. DURABLE and SHARED are tested in {@link DurabilityContract}; FILTER_PUSHDOWN
 * where a store has {@link ScanCounts}; that filters are right in {@link FilterContract}.
 */
public abstract class TraitContract extends StoreContract {
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
  final void withOrderedDeletesAPutAfterADeletionIsVisible() {
    assumeTrue(has(Trait.ORDERED_DELETES), "ORDERED_DELETES is not promised");
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
      store().mutate(family(), List.of(new RowMutation(ROW, new Change.Put(Q, value, 1_000))));
      assertThat(get(ROW).find(Q)).as("dated put after delete %d", i).isEqualTo(value);
      delete(new Change.Delete(Q));
    }
  }

  /** The weaker promise. */
  @Test
  final void aPutDatedAfterADeletionIsVisible() {
    put(ROW, Q, bytes("old"));
    long later = get(ROW).writeTime(0) + 60_000;
    passTime();
    delete(new Change.Delete(Q));
    Change dated = new Change.Put(Q, bytes("new"), later);
    store().mutate(family(), List.of(new RowMutation(ROW, dated)));

    assertThat(get(ROW).find(Q)).isEqualTo(bytes("new"));
    assertThat(get(ROW).writeTime(0)).isEqualTo(later);
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
      Change dated = new Change.Put(bytes("dated"), bytes("v"), i % 3 * 1_000L);
      store().mutate(family(), List.of(new RowMutation(ROW, dated)));
      store().compareAndSet(family(), ROW, Q, bytes("w"), null);
      put(ROW, Q, bytes("v"));
      last = assertLater(last, "put after removal");
    }
  }

  private long assertLater(long last, String what) {
    Row row = get(ROW);
    long time = row.writeTime(row.indexOf(Q));
    assertThat(time).as(what).isGreaterThan(last);
    return time;
  }

  @Test
  final void withRowSnapshotScanACursorSeesOneMoment() {
    assumeTrue(has(Trait.ROW_SNAPSHOT_SCAN), "ROW_SNAPSHOT_SCAN is not promised");
    for (int i = 0; i < 100; i += 2) {
      put(number(i), Q, bytes("before"));
    }
    List<Bytes> keys = new ArrayList<>();
    try (RowCursor cursor = store().scan(family(), Scan.all().rowsPerFetch(1))) {
      for (Row row = cursor.next(); row != null; row = cursor.next()) {
        keys.add(new Bytes(row.key()));
        assertThat(cells(row)).isEqualTo(cells(Q, bytes("before")));
        if (keys.size() == 1) {
          changeEverything();
        }
      }
    }

    assertThat(keys).hasSize(50).isSorted();
  }

  private void changeEverything() {
    passTime();
    List<RowMutation> batch = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Change change =
          switch (i % 8) {
            case 0 -> new Change.DeleteRow();
            case 2 -> new Change.Append(Q, bytes("after"));
            case 4 -> new Change.Put(bytes("p"), bytes("after"));
            default -> new Change.Put(Q, bytes("after"));
          };
      batch.add(new RowMutation(number(i), change));
    }
    store().mutate(family(), batch);
  }

  @Test
  final void withAtomicBatchAndSnapshotScanABatchIsSeenWholeOrNotAtAll() throws Exception {
    assumeTrue(has(Trait.ATOMIC_BATCH), "ATOMIC_BATCH is not promised");
    assumeTrue(has(Trait.ROW_SNAPSHOT_SCAN), "ROW_SNAPSHOT_SCAN is not promised");
    writeGeneration(0);
    Together.overlap(
        200,
        List.of(
            this::writeGeneration,
            time -> {
              Stream<Bytes> values = rows(Scan.all()).stream().map(r -> new Bytes(r.value(0)));
              assertThat(values.distinct()).hasSize(1);
            }));
  }

  private void writeGeneration(int generation) {
    List<RowMutation> batch = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      batch.add(new RowMutation(number(i), new Change.Put(Q, number(generation))));
    }
    store().mutate(family(), batch);
  }

  @Test
  final void extensionsAreThereOrNotAndThatStays() {
    for (Class<?> type :
        List.of(
            Snapshots.class,
            RangeDeletes.class,
            Checkpoints.class,
            AsyncWrites.class,
            ScanCounts.class)) {
      boolean present = store().extension(type).isPresent();
      assertThat(store().extension(type).isPresent()).as(type.getSimpleName()).isEqualTo(present);
      store().extension(type).ifPresent(extension -> assertThat(extension).isInstanceOf(type));
    }
    assertThat(store().extension(Runnable.class)).isEmpty();
  }

  @Test
  final void aSnapshotIsTheStoreAsItWas() {
    Snapshots snapshots = extension(Snapshots.class);
    for (int i = 0; i < 100; i += 2) {
      put(number(i), Q, bytes("before"));
    }
    try (ReadView view = snapshots.open()) {
      changeEverything();
      List<Row> rows = rows(view, family(), Scan.all());
      assertThat(rows).hasSize(50);
      rows.forEach(row -> assertThat(cells(row)).isEqualTo(cells(Q, bytes("before"))));
      assertThat(view.get(family(), number(1), Columns.all()).isEmpty()).isTrue();
      List<Row> asked = view.get(family(), List.of(number(0), number(1), number(2)), Columns.all());
      assertThat(asked.stream().map(Row::size)).containsExactly(1, 0, 1);
      try (ReadView after = snapshots.open()) {
        assertThat(after.get(family(), number(0), Columns.all()).isEmpty()).isTrue();
      }
      assertThat(view.get(family(), number(0), Columns.all()).find(Q)).isEqualTo(bytes("before"));
      assertRejected(() -> view.get(missing(), ROW, Columns.all()), missing().table());
    }
    assertThat(get(number(2)).find(Q)).isEqualTo(bytes("beforeafter"));
  }

  @Test
  final void aClosedSnapshotIsNotUsed() {
    Snapshots snapshots = extension(Snapshots.class);
    put(ROW, Q, bytes("v"));
    ReadView view = snapshots.open();
    RowCursor cursor = view.scan(family(), Scan.all());
    view.close();
    view.close();

    assertThatThrownBy(cursor::next).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> view.get(family(), ROW, Columns.all()))
        .isInstanceOf(IllegalStateException.class);
    cursor.close();
    assertThat(get(ROW).size()).isEqualTo(1);
  }

  @Test
  final void aRangeDeletionRemovesTheRowsOfItsRange() {
    RangeDeletes deletes = extension(RangeDeletes.class);
    Family other = new Family(family().table(), "u");
    create(other);
    List<byte[]> rows = new ArrayList<>();
    for (String key : List.of("01", "0100", "7f", "7fff", "80", "80ff", "ff", "ffff")) {
      rows.add(Binary.hex(key));
    }
    for (byte[] row : rows) {
      put(row, Q, row);
      put(row, bytes("p"), row);
    }
    store().put(other, rows.get(4), Q, bytes("v"));
    passTime();

    deletes.delete(family(), rows.get(2), rows.get(2));
    assertThat(rows(Scan.all())).hasSize(8);

    deletes.delete(family(), rows.get(3), rows.get(5));
    assertThat(keys(rows(Scan.all())).toString()).isEqualTo("[01, 0100, 7f, 80ff, ff, ffff]");
    assertThat(get(rows.get(4)).isEmpty()).isTrue();

    passTime();
    put(rows.get(4), Q, bytes("again"));
    assertThat(cells(get(rows.get(4)))).isEqualTo(cells(Q, bytes("again")));

    deletes.delete(family(), new byte[0], rows.get(1));
    assertThat(keys(rows(Scan.all())).toString()).isEqualTo("[0100, 7f, 80, 80ff, ff, ffff]");
    deletes.delete(family(), rows.get(6), null);
    assertThat(keys(rows(Scan.all())).toString()).isEqualTo("[0100, 7f, 80, 80ff]");
    deletes.delete(family(), new byte[0], null);
    assertThat(rows(Scan.all())).isEmpty();
    assertThat(rows(store(), other, Scan.all())).hasSize(1);
    assertRejected(
        () -> deletes.delete(missing(), new byte[0], null), missing().table(), missing().name());
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
    assertRejected(() -> checkpoints.create(target), target.getFileName().toString());
  }

  @Test
  final void anAsynchronousWriteIsAppliedWhenItCompletes() throws Exception {
    AsyncWrites writes = extension(AsyncWrites.class);
    List<CompletableFuture<@Nullable Void>> running = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      RowMutation mutation = new RowMutation(number(i), new Change.Put(Q, number(i)));
      running.add(writes.mutate(family(), List.of(mutation)).toCompletableFuture());
    }
    for (int i = 0; i < 200; i++) {
      running.get(i).get();
      assertThat(get(number(i)).find(Q)).isEqualTo(number(i));
    }
    assertThatThrownBy(
            () ->
                writes
                    .mutate(missing(), List.of(new RowMutation(ROW, new Change.Put(Q, bytes("v")))))
                    .toCompletableFuture()
                    .get())
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            StoreException.class,
            failure -> assertThat(failure.outcome()).isEqualTo(StoreException.Outcome.REJECTED));
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

    assertThat(all).isEqualTo(new ScanCounts.Rows(50, 50, 50));
    assertThat(some.returned()).isEqualTo(10);
    assertThat(some.shipped()).isBetween(10L, 50L);
    assertThat(some.scanned()).isBetween(some.shipped(), 50L);
    if (has(Trait.FILTER_PUSHDOWN)) {
      assertThat(some.shipped()).as("rows that don't match are not shipped").isEqualTo(10);
    }
  }

  /** The extension, or the test is skipped. */
  private <T> T extension(Class<T> type) {
    assumeFalse(store().extension(type).isEmpty(), () -> "no extension " + type.getSimpleName());
    return store().extension(type).orElseThrow();
  }
}
