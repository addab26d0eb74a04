package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.testkit.Binary.bytes;
import static org.hourstone.testkit.Binary.number;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.Limits;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.junit.jupiter.api.Test;

/** Batches, deletions, and the ownership of a write's arrays. */
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
