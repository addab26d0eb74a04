package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.testkit.Binary.bytes;
import static org.hourstone.testkit.Binary.number;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.hourstone.kv.Backups;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Checkpoints;
import org.hourstone.kv.Columns;
import org.hourstone.kv.DiskUsage;
import org.hourstone.kv.Family;
import org.hourstone.kv.FuzzyRow;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Reclamation;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.ScanCounts;
import org.hourstone.kv.StoreClock;
import org.hourstone.kv.StoreIdentity;
import org.hourstone.kv.Trait;
import org.junit.jupiter.api.Test;

/** Extensions: those that a store has keep their promises, and disturb no reader or writer. */
public abstract class ExtensionContract extends StoreContract {
  private static final int CLOCK_ROUNDS = 200;
  private static final byte[] ROW = bytes("row");
  private static final byte[] Q = bytes("q");

  @Test
  final void extensionsAreThereOrNotAndThatStays() {
    for (Class<?> type :
        List.of(
            Backups.class,
            Checkpoints.class,
            DiskUsage.class,
            Reclamation.class,
            ScanCounts.class,
            StoreClock.class,
            StoreIdentity.class)) {
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
  final void theDiskHasNoMoreFreeSpaceThanItsSize() {
    DiskUsage.Space space = extension(DiskUsage.class).space();
    assertThat(space.total()).isPositive();
    assertThat(space.free()).isBetween(0L, space.total());
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

  /** Two families of many rows, each as it was at one moment, beside a writer. */
  @Test
  final void aCheckpointIsTheWholeStoreAtOneMoment() throws Exception {
    Checkpoints checkpoints = extension(Checkpoints.class);
    int count = 600;
    Family other = new Family(family().table(), "u");
    create(other);
    List<RowMutation> batch = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      batch.add(new RowMutation(number(i), new Change.PutIfNewer(bytes("dated"), Q, 1_000L + i)));
    }
    store().mutate(family(), batch);
    store().mutate(other, batch);
    passTime();
    put(number(0), Q, number(0));
    put(number(count - 1), Q, number(0));
    AtomicInteger copies = new AtomicInteger();

    ConcurrentRunner.overlap(
        4,
        List.of(
            time -> {
              put(number(0), Q, number(time + 1));
              put(number(count - 1), Q, number(time + 1));
            },
            time -> {
              if (time < 4) {
                checkpoints.create(fixture().directory().resolve("copy" + time));
                copies.incrementAndGet();
              }
            }));

    passTime();
    for (int i = 0; i < copies.get(); i++) {
      Path copied = fixture().directory().resolve("copy" + i);
      try (KeyValueStore copy = subject().openCheckpoint(copied, fixture())) {
        assertIsWhole(copy, family(), count);
        assertIsWhole(copy, other, count);
        Row first = copy.get(family(), number(0), Columns.exactly(Q));
        Row last = copy.get(family(), number(count - 1), Columns.exactly(Q));
        assertThat(number(first.value(0)) - number(last.value(0)))
            .as("how far the first row, written before the last, is ahead of it in copy %d", i)
            .isBetween(0L, 1L);
        copy.put(family(), number(0), Q, Q);
        assertThat(copy.get(family(), number(0), Columns.exactly(Q)).writeTime(0))
            .as("time of a put in copy %d", i)
            .isGreaterThan(first.writeTime(0));
      }
    }
  }

  private static void assertIsWhole(KeyValueStore copy, Family family, int count) {
    List<Row> rows = rows(copy, family, Scan.all());
    assertThat(rows.size()).as("rows of %s in a copy", family).isEqualTo(count);
    for (int i = 0; i < count; i++) {
      int at = rows.get(i).indexOf(bytes("dated"));
      assertThat(at).as("the cell of row %d of %s in a copy", i, family).isNotNegative();
      assertThat(rows.get(i).writeTime(at)).as("its write time").isEqualTo(1_000L + i);
    }
  }

  @Test
  final void aCheckpointIsNotWrittenIntoADirectoryThatExists() throws IOException {
    Checkpoints checkpoints = extension(Checkpoints.class);
    Path target = Files.createDirectory(fixture().directory().resolve("existing"));

    assertRejected(
        "a checkpoint in a directory that exists", () -> checkpoints.create(target), "existing");
    try (Stream<Path> files = Files.list(target)) {
      assertThat(files).isEmpty();
    }
  }

  /** Rows are written, changed, deleted and read while the space of others is reclaimed. */
  @Test
  final void reclaimingDisturbsNoReaderOrWriter() throws Exception {
    Reclamation reclamation = extension(Reclamation.class);
    List<RowMutation> batch = new ArrayList<>();
    for (int i = 0; i < LARGE; i++) {
      batch.add(
          new RowMutation(
              number(i),
              List.of(
                  new Change.Put(new byte[0], new byte[0]),
                  new Change.PutIfNewer(Q, new byte[0], 1_000L + i))));
    }
    store().mutate(family(), batch);
    batch.clear();
    for (int i = 0; i < LARGE; i += 2) {
      batch.add(new RowMutation(number(-1 - i), new Change.Put(Q, Q)));
    }
    store().mutate(family(), batch);
    passTime();
    batch.replaceAll(row -> new RowMutation(row.row(), new Change.DeleteRow()));
    store().mutate(family(), batch);
    AtomicInteger written = new AtomicInteger();

    ConcurrentRunner.overlap(
        5,
        List.of(
            time -> {
              if (time < 5) {
                reclamation.reclaim(family(), new byte[0], null);
              }
            },
            time -> {
              int next = written.get();
              put(number(1L << 40 | next), Q, number(next));
              store().append(family(), bytes("zlog"), Q, number(next));
              written.incrementAndGet();
            },
            time -> {
              int before = written.get();
              List<Row> rows = rows(Scan.range(number(0), number(1L << 41)));
              long stayed = rows.stream().filter(row -> number(row.key()) < LARGE).count();
              assertThat(stayed).as("rows that stay, in a scan while reclaiming").isEqualTo(LARGE);
              assertThat(rows.size() - stayed)
                  .as("rows written, in a scan while reclaiming")
                  .isGreaterThanOrEqualTo(before);
              assertThat(get(number(time % LARGE)).size()).as("cells of a row").isEqualTo(2);
            }));

    for (int i = 0; i < LARGE; i++) {
      Row row = get(number(i));
      assertThat(cells(row))
          .as("row %d", i)
          .isEqualTo(cells(new byte[0], new byte[0], Q, new byte[0]));
      assertThat(row.writeTime(1)).as("write time in row %d", i).isEqualTo(1_000L + i);
    }
    for (int i = 0; i < written.get(); i++) {
      assertThat(get(number(1L << 40 | i)).find(Q)).as("row %d written", i).isEqualTo(number(i));
    }
    assertThat(get(bytes("zlog")).find(Q)).as("appends").hasSize(8 * written.get());
  }
}
