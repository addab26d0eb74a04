package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.testkit.Binary.bytes;
import static org.hourstone.testkit.Binary.number;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.Limits;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.Trait;
import org.junit.jupiter.api.Test;

/** Batches, deletions, write times, and the ownership of a write's arrays. */
public abstract class WriteContract extends StoreContract {
  @Test
  final void aPutReplacesTheCell() {
    put(bytes("row"), bytes("q"), bytes("a longer value"));
    put(bytes("row"), bytes("p"), bytes("other"));
    passTime();
    put(bytes("row"), bytes("q"), bytes("short"));

    assertThat(cells(get(bytes("row"))))
        .isEqualTo(cells(bytes("p"), bytes("other"), bytes("q"), bytes("short")));
  }

  @Test
  final void aBatchChangesEachOfItsRows() {
    put(bytes("deleted"), bytes("q"), bytes("v"));
    put(bytes("changed"), bytes("gone"), bytes("v"));
    put(bytes("changed"), bytes("longer"), bytes("v"));
    put(bytes("changed"), bytes("stays"), bytes("v"));
    passTime();

    store()
        .mutate(
            family(),
            List.of(
                new RowMutation(bytes("deleted"), new Change.DeleteRow()),
                new RowMutation(bytes("new"), new Change.Put(bytes("q"), bytes("v"))),
                new RowMutation(
                    bytes("changed"),
                    List.of(
                        new Change.Append(bytes("longer"), bytes("w")),
                        new Change.Delete(bytes("gone")),
                        new Change.Put(bytes("added"), bytes("v")),
                        new Change.Append(bytes("begun"), bytes("w"))))));

    assertThat(keys(rows(Scan.all())))
        .containsExactly(new Bytes(bytes("changed")), new Bytes(bytes("new")));
    assertThat(cells(get(bytes("changed"))))
        .isEqualTo(
            cells(
                bytes("added"), bytes("v"),
                bytes("begun"), bytes("w"),
                bytes("longer"), bytes("vw"),
                bytes("stays"), bytes("v")));
  }

  @Test
  final void anEmptyBatchDoesNothing() {
    put(bytes("row"), bytes("q"), bytes("v"));
    store().mutate(family(), List.of());

    assertThat(rows(Scan.all())).hasSize(1);
  }

  @Test
  final void aBatchMayHaveThousandsOfRows() {
    List<RowMutation> batch = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      batch.add(new RowMutation(number(i), new Change.Put(bytes("q"), number(i))));
    }
    store().mutate(family(), batch);

    List<Row> rows = rows(Scan.all());

    assertThat(rows.size()).as("rows of a batch of 3,000").isEqualTo(3_000);
    for (int i = 0; i < 3_000; i++) {
      assertThat(rows.get(i).find(bytes("q"))).as("row %d", i).isEqualTo(number(i));
    }
  }

  @Test
  final void deletingWhatIsAbsentDoesNothing() {
    put(bytes("row"), bytes("q"), bytes("v"));

    store().mutate(family(), List.of(new RowMutation(bytes("row"), new Change.Delete(bytes("p")))));
    store()
        .mutate(family(), List.of(new RowMutation(bytes("none"), new Change.Delete(bytes("q")))));
    store().mutate(family(), List.of(new RowMutation(bytes("absent"), new Change.DeleteRow())));

    assertThat(rows(Scan.all())).hasSize(1);
    assertThat(cells(get(bytes("row")))).isEqualTo(cells(bytes("q"), bytes("v")));
  }

  @Test
  final void aRowWithoutCellsIsGone() {
    put(bytes("row"), bytes("q"), bytes("v"));
    passTime();
    store().mutate(family(), List.of(new RowMutation(bytes("row"), new Change.Delete(bytes("q")))));

    assertThat(get(bytes("row")).isEmpty()).isTrue();
    assertThat(rows(Scan.all())).isEmpty();
  }

  @Test
  final void aRowDeletionRemovesEveryCellOfThatRowOnly() {
    List<byte[]> neighbours = List.of(bytes("ro"), bytes("row\0"), bytes("rowe"), bytes("rox"));
    for (byte[] row : neighbours) {
      put(row, bytes("q"), bytes("v"));
    }
    for (int i = 0; i < 300; i++) {
      put(bytes("row"), number(i), bytes("v"));
    }
    passTime();
    store().mutate(family(), List.of(new RowMutation(bytes("row"), new Change.DeleteRow())));

    assertThat(get(bytes("row")).isEmpty()).isTrue();
    assertThat(rows(Scan.all())).hasSize(neighbours.size());
  }

  @Test
  final void whatWasDeletedLongAgoCanBeWrittenAgain() {
    put(bytes("row"), bytes("q"), bytes("old"));
    put(bytes("row"), bytes("p"), bytes("old"));
    passTime();
    store().mutate(family(), List.of(new RowMutation(bytes("row"), new Change.Delete(bytes("q")))));
    passTime();
    put(bytes("row"), bytes("q"), bytes("new"));
    assertThat(cells(get(bytes("row"))))
        .isEqualTo(cells(bytes("p"), bytes("old"), bytes("q"), bytes("new")));

    passTime();
    store().mutate(family(), List.of(new RowMutation(bytes("row"), new Change.DeleteRow())));
    passTime();
    put(bytes("row"), bytes("q"), bytes("newer"));
    assertThat(cells(get(bytes("row")))).isEqualTo(cells(bytes("q"), bytes("newer")));
  }

  @Test
  final void twoElementsForOneRowAreRefusedBeforeAnyEffect() {
    Change change = new Change.Put(bytes("q"), bytes("v"));
    List<RowMutation> batch =
        List.of(
            new RowMutation(bytes("a"), change),
            new RowMutation(bytes("b"), change),
            new RowMutation(bytes("a"), new Change.Put(bytes("p"), bytes("v"))));

    assertIllegal("a batch with row a twice", () -> store().mutate(family(), batch));

    assertThat(rows(Scan.all())).isEmpty();
  }

  @Test
  final void twoChangesOfOneCellAreRefusedBeforeAnyEffect() {
    List<RowMutation> batch =
        List.of(
            new RowMutation(bytes("a"), new Change.Put(bytes("q"), bytes("v"))),
            new RowMutation(
                bytes("b"),
                List.of(new Change.Put(bytes("q"), bytes("v")), new Change.Delete(bytes("q")))));

    assertIllegal("a row with cell q twice", () -> store().mutate(family(), batch));

    assertThat(rows(Scan.all())).isEmpty();
  }

  @Test
  final void aRowDeletionBesideAnotherChangeIsRefusedBeforeAnyEffect() {
    put(bytes("b"), bytes("q"), bytes("v"));
    List<RowMutation> batch =
        List.of(
            new RowMutation(bytes("a"), new Change.Put(bytes("q"), bytes("v"))),
            new RowMutation(
                bytes("b"),
                List.of(new Change.DeleteRow(), new Change.Put(bytes("q"), bytes("v")))));

    assertIllegal("a row deletion beside a put", () -> store().mutate(family(), batch));

    assertThat(rows(Scan.all())).hasSize(1);
  }

  /** Also by a store that applies it in parts. */
  @Test
  final void aLongBatchIsRefusedBeforeAnyEffect() {
    Change change = new Change.Put(bytes("q"), bytes("v"));
    List<RowMutation> batch = new ArrayList<>();
    for (int i = 0; i < LARGE; i++) {
      batch.add(new RowMutation(number(i), change));
    }
    for (RowMutation wrong :
        List.of(
            new RowMutation(number(0), new Change.Put(bytes("p"), bytes("v"))),
            new RowMutation(number(LARGE), List.of(change, new Change.Delete(bytes("q")))),
            new RowMutation(number(LARGE), List.of(change, new Change.DeleteRow())),
            new RowMutation(new byte[Limits.ROW_KEY + 1], change))) {
      batch.add(wrong);
      String what = "a batch of " + LARGE + " rows and one more, whose last element is wrong";
      assertIllegal(what, () -> store().mutate(family(), batch));
      assertThat(rows(Scan.all())).as("rows of %s", what).isEmpty();
      batch.remove(LARGE);
    }
  }

  @Test
  final void writesToAMissingFamilyAreRejectedNamingIt() {
    Family sameTable = new Family(family().table(), "absent");
    for (Family absent : List.of(missing(), sameTable)) {
      String[] names = {absent.table(), absent.name()};
      assertRejected("put", () -> store().put(absent, bytes("row"), bytes("q"), bytes("v")), names);
      assertRejected(
          "append", () -> store().append(absent, bytes("row"), bytes("q"), bytes("v")), names);
      assertRejected(
          "increment", () -> store().increment(absent, bytes("row"), bytes("q"), 1), names);
      assertRejected(
          "compareAndSet",
          () -> store().compareAndSet(absent, bytes("row"), bytes("q"), null, bytes("v")),
          names);
      assertRejected(
          "replaceCells",
          () ->
              store()
                  .replaceCells(
                      absent, Row.empty(bytes("row")), List.of(new Cell(bytes("q"), bytes("v")))),
          names);
    }
  }

  @Test
  final void givenWriteTimesAreKeptExactly() {
    List<Long> times =
        List.of(
            0L,
            1L,
            255L,
            256L,
            (1L << 31) - 1,
            1L << 31,
            1L << 32,
            1_356_998_399_999L,
            1_356_998_400_000L);
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < times.size(); i++) {
      changes.add(new Change.PutIfNewer(number(i), bytes("v"), times.get(i)));
      put(number(i), bytes("other"), bytes("v"));
      store()
          .mutate(
              family(),
              List.of(
                  new RowMutation(
                      number(i), new Change.PutIfNewer(bytes("alone"), bytes("v"), times.get(i)))));
    }
    store().mutate(family(), List.of(new RowMutation(bytes("row"), changes)));

    Row row = get(bytes("row"));
    for (int i = 0; i < times.size(); i++) {
      assertThat(row.writeTime(i)).isEqualTo(times.get(i));
      Row alone = store().get(family(), number(i), Columns.exactly(bytes("alone")));
      assertThat(alone.writeTime(0)).isEqualTo(times.get(i));
    }
  }

  @Test
  final void manyWriteTimesOfOneRowAreKeptThroughLaterChanges() {
    RandomGenerator random = random(0);
    long[] times = new long[500];
    for (int i = 0; i < times.length; i++) {
      times[i] = random.nextLong(1L << (1 + random.nextInt(40)));
      store()
          .mutate(
              family(),
              List.of(
                  new RowMutation(
                      bytes("row"), new Change.PutIfNewer(number(i), bytes("v"), times[i]))));
    }
    store()
        .mutate(family(), List.of(new RowMutation(bytes("row"), new Change.Delete(number(250)))));
    put(bytes("row"), bytes("later"), bytes("v"));

    Row row = get(bytes("row"));
    for (int i = 0; i < times.length; i++) {
      int at = row.indexOf(number(i));
      if (i == 250) {
        assertThat(at).isNegative();
      } else {
        assertThat(row.writeTime(at)).isEqualTo(times[i]);
      }
    }
  }

  /** OpenTSDB's tables may hold such cells. */
  @Test
  final void aCellMayHaveTheEmptyQualifier() {
    byte[] none = new byte[0];
    byte[] row = bytes("row");
    put(row, none, bytes("v"));
    put(row, bytes("q"), bytes("w"));
    assertThat(cells(get(row))).isEqualTo(cells(none, bytes("v"), bytes("q"), bytes("w")));
    assertThat(cells(store().get(family(), row, Columns.exactly(none))))
        .as("read by its qualifier")
        .isEqualTo(cells(none, bytes("v")));
    assertThat(cells(rows(Scan.all()).get(0))).hasSize(2);
    assertThat(store().get(family(), row, new Columns.Range(none, bytes("q"))).size()).isEqualTo(1);

    store().append(family(), row, none, bytes("x"));
    assertThat(store().compareAndSet(family(), row, none, bytes("vx"), number(1))).isTrue();
    assertThat(store().increment(family(), row, none, 1)).isEqualTo(2);
    Row observed = get(row);
    passTime();
    assertThat(store().replaceCells(family(), observed, List.of(new Cell(none, bytes("z")))))
        .isTrue();
    assertThat(cells(get(row))).isEqualTo(cells(none, bytes("z")));

    passTime();
    store().mutate(family(), List.of(new RowMutation(row, new Change.Delete(none))));
    assertThat(rows(Scan.all())).as("rows after the deletion of the cell").isEmpty();
    put(row, none, bytes("v"));
    passTime();
    store().mutate(family(), List.of(new RowMutation(row, new Change.DeleteRow())));
    assertThat(rows(Scan.all())).as("rows after the deletion of the row").isEmpty();
  }

  @Test
  final void anIncrementGivesTheCellItsOwnTime() {
    store().increment(family(), bytes("row"), bytes("q"), 1);
    long first = get(bytes("row")).writeTime(0);
    passTime();
    store().increment(family(), bytes("row"), bytes("q"), 1);

    assertThat(get(bytes("row")).writeTime(0)).as("time of the second").isGreaterThan(first);
  }

  @Test
  final void assignedTimesAreMilliseconds() {
    assumeTrue(subject().takesFixtureClock(), "the store has a clock of its own");
    fixture().clock().advance(Duration.ofMillis(1_789));
    put(bytes("row"), bytes("q"), bytes("v"));
    long now = fixture().clock().millis();

    assertThat(get(bytes("row")).writeTime(0)).isBetween(now, now + 20);
  }

  /** A clock that was set back must not protect cells from their deletion. */
  @Test
  final void aCellDatedAfterNowIsDeleted() {
    assumeTrue(subject().takesFixtureClock(), "the store has a clock of its own");
    fixture().clock().advance(Duration.ofHours(1));
    put(bytes("row"), bytes("deleted"), bytes("v"));
    put(bytes("row"), bytes("kept"), bytes("v"));
    put(bytes("gone"), bytes("q"), bytes("v"));
    fixture().clock().advance(Duration.ofHours(-1));
    Change cell = new Change.Delete(bytes("deleted"));
    store().mutate(family(), List.of(new RowMutation(bytes("row"), cell)));
    store().mutate(family(), List.of(new RowMutation(bytes("gone"), new Change.DeleteRow())));

    assertThat(cells(get(bytes("row")))).isEqualTo(cells(bytes("kept"), bytes("v")));
    assertThat(get(bytes("gone")).isEmpty()).as("the deleted row is gone").isTrue();
  }

  @Test
  final void aMissingFamilyIsRejectedEvenIfThereIsNothingToDo() {
    Family absent = missing();
    assertRejected("empty batch", () -> store().mutate(absent, List.of()), absent.table());
    assertRejected(
        "read of no rows", () -> store().get(absent, List.of(), Columns.all()), absent.table());
    assertRejected(
        "replacement of nothing",
        () -> store().replaceCells(absent, Row.empty(bytes("row")), List.of()),
        absent.table());

    store().mutate(family(), List.of());
    assertThat(rows(Scan.all())).isEmpty();
  }

  @Test
  final void aGivenTimeInTheFutureIsLoweredToTheStoresClock() {
    List<Long> times = List.of(Change.MAX_WRITE_TIME, Change.MAX_WRITE_TIME - 1, 1L << 43);
    for (long time : times) {
      byte[] row = number(time);
      put(row, bytes("before"), bytes("v"));
      passTime();
      Change dated = new Change.PutIfNewer(bytes("dated"), bytes("v"), time);
      store().mutate(family(), List.of(new RowMutation(row, dated)));
      passTime();
      Cell replacement = new Cell(bytes("replaced"), bytes("v"), time);
      assertThat(store().replaceCells(family(), Row.empty(row), List.of(replacement))).isTrue();
      passTime();
      put(row, bytes("then"), bytes("v"));

      Row written = get(row);
      long[] order =
          Stream.of("before", "dated", "replaced", "then")
              .mapToLong(name -> written.writeTime(written.indexOf(bytes(name))))
              .toArray();
      assertThat(order).as("times of cells written one after the other").isSorted();
      assertThat(order[3]).as("the last one's is later").isGreaterThan(order[2]);
    }
  }

  @Test
  final void aPutIfNewerStaysBehindALaterCell() {
    putDated("newer", 2_000);
    putDated("older", 1_000);
    assertThat(get(bytes("row")).find(bytes("q"))).isEqualTo(bytes("newer"));
    assertThat(get(bytes("row")).writeTime(0)).isEqualTo(2_000);

    putDated("equal", 2_000);
    assertThat(get(bytes("row")).find(bytes("q"))).as("put last").isEqualTo(bytes("equal"));
    assertThat(get(bytes("row")).writeTime(0)).isEqualTo(2_000);

    putDated("newest", 2_001);
    assertThat(get(bytes("row")).find(bytes("q"))).isEqualTo(bytes("newest"));

    put(bytes("row"), bytes("q"), bytes("put"));
    putDated("older", 2_002);
    assertThat(get(bytes("row")).find(bytes("q"))).isEqualTo(bytes("put"));
  }

  private void putDated(String value, long time) {
    Change put = new Change.PutIfNewer(bytes("q"), bytes(value), time);
    store().mutate(family(), List.of(new RowMutation(bytes("row"), put)));
  }

  @Test
  final void writeTimesTheStoreAssignsComeFromTheClockItWasGiven() {
    assumeTrue(subject().takesFixtureClock(), "the store has a clock of its own");
    for (int round = 0; round < 3; round++) {
      fixture().clock().advance(Duration.ofHours(1));
      long now = fixture().clock().millis();
      byte[] row = number(round);
      put(row, bytes("put"), bytes("v"));
      store().append(family(), row, bytes("append"), bytes("v"));
      store().increment(family(), row, bytes("increment"), 1);
      store().compareAndSet(family(), row, bytes("cas"), null, bytes("v"));
      store()
          .replaceCells(family(), Row.empty(row), List.of(new Cell(bytes("replace"), bytes("v"))));

      Row written = get(row);
      assertThat(written.size()).isEqualTo(5);
      for (int i = 0; i < written.size(); i++) {
        // A store with monotonic write times may be a little ahead of a clock that does not
        // advance.
        assertThat(written.writeTime(i))
            .as(Binary.text(written.qualifier(i)))
            .isBetween(now, now + (has(Trait.MONOTONIC_WRITE_TIMES) ? 1_000 : 0));
      }
    }
  }

  @Test
  final void aLaterWriteIsNotDatedEarlier() {
    put(bytes("row"), bytes("first"), bytes("v"));
    passTime();
    put(bytes("row"), bytes("then"), bytes("v"));

    Row row = get(bytes("row"));
    assertThat(row.writeTime(row.indexOf(bytes("then"))))
        .isGreaterThan(row.writeTime(row.indexOf(bytes("first"))));
  }

  @Test
  final void anAppendGivesTheCellItsOwnTime() {
    store()
        .mutate(
            family(),
            List.of(
                new RowMutation(
                    bytes("row"), new Change.PutIfNewer(bytes("q"), bytes("v"), 1_000))));
    store().append(family(), bytes("row"), bytes("q"), bytes("w"));
    long first = get(bytes("row")).writeTime(0);
    passTime();
    store().append(family(), bytes("row"), bytes("q"), bytes("x"));
    long second = get(bytes("row")).writeTime(0);

    assertThat(first).isGreaterThan(1_000);
    assertThat(second).isGreaterThan(first);
  }

  @Test
  final void theChangesOfOneMutationShareTheTimeTheStoreAssigns() {
    List<Change> changes =
        List.of(
            new Change.Put(bytes("a"), bytes("v")),
            new Change.Append(bytes("b"), bytes("v")),
            new Change.Put(bytes("c"), bytes("v")));
    store().mutate(family(), List.of(new RowMutation(bytes("row"), changes)));

    Row row = get(bytes("row"));
    assertThat(row.writeTime(1)).isEqualTo(row.writeTime(0));
    assertThat(row.writeTime(2)).isEqualTo(row.writeTime(0));
  }

  @Test
  final void theArraysOfAWriteBelongToTheCallerAgain() {
    byte[] row = bytes("row");
    byte[] put = bytes("put");
    byte[] appended = bytes("append");
    byte[] counter = bytes("count");
    byte[] guarded = bytes("cas");
    byte[] replaced = bytes("replace");
    byte[] value = bytes("value");
    List<Change> changes =
        new ArrayList<>(List.of(new Change.Put(put, value), new Change.Append(appended, value)));
    List<RowMutation> batch = new ArrayList<>(List.of(new RowMutation(row, changes)));
    store().mutate(family(), batch);
    store().increment(family(), row, counter, 5);
    store().compareAndSet(family(), row, guarded, null, value);
    List<Cell> cells = new ArrayList<>(List.of(new Cell(replaced, value)));
    store().replaceCells(family(), Row.empty(row), cells);

    changes.clear();
    batch.clear();
    cells.clear();
    for (byte[] array : List.of(row, put, appended, counter, guarded, replaced, value)) {
      Arrays.fill(array, (byte) '!');
    }

    assertThat(cells(get(bytes("row"))))
        .isEqualTo(
            cells(
                bytes("append"), bytes("value"),
                bytes("cas"), bytes("value"),
                bytes("count"), number(5),
                bytes("put"), bytes("value"),
                bytes("replace"), bytes("value")));
    assertThat(rows(Scan.all())).hasSize(1);
  }

  @Test
  final void whatIsWrittenIsReadByEveryLaterCall() {
    for (int i = 0; i < 200; i++) {
      put(bytes("row"), bytes("q"), number(i));
      assertThat(get(bytes("row")).find(bytes("q"))).isEqualTo(number(i));
      List<Row> rows = rows(Scan.prefix(bytes("row")));
      assertThat(rows).hasSize(1);
      assertThat(rows.get(0).find(bytes("q"))).isEqualTo(number(i));
    }
  }
}
