package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.testkit.Binary.bytes;
import static org.hourstone.testkit.Binary.number;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Increment, compare-and-set, append and replaceCells, one caller at a time. */
public abstract class AtomicsContract extends StoreContract {
  private static final byte[] ROW = bytes("row");
  private static final byte[] Q = bytes("q");

  @Test
  final void anIncrementCountsFromZero() {
    assertThat(increment(5)).isEqualTo(5);
    assertThat(increment(-7)).isEqualTo(-2);
    assertThat(increment(Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE - 2L);
    assertThat(get(ROW).find(Q)).isEqualTo(number(Integer.MAX_VALUE - 2L));
  }

  @Test
  final void anIncrementGoesOnFromAValueThatWasPut() {
    put(ROW, Q, number(1L << 40));

    assertThat(increment(1)).isEqualTo((1L << 40) + 1);
    assertThat(cells(get(ROW))).isEqualTo(cells(Q, number((1L << 40) + 1)));
  }

  @Test
  final void anIncrementWrapsAround() {
    put(ROW, Q, number(Long.MAX_VALUE));

    assertThat(increment(1)).isEqualTo(Long.MIN_VALUE);
    assertThat(increment(-1)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  final void anIncrementOfWhatIsNoCounterIsRejectedAndChangesNothing() {
    for (byte[] value :
        List.of(new byte[0], new byte[] {1}, bytes("seven77"), bytes("nine99999"))) {
      put(ROW, Q, value);
      long time = get(ROW).writeTime(0);

      assertRejected("increment of " + value.length + " bytes", () -> increment(1));

      assertThat(cells(get(ROW))).isEqualTo(cells(Q, value));
      assertThat(get(ROW).writeTime(0)).isEqualTo(time);
    }
  }

  @Test
  final void anIncrementLeavesOtherCellsAlone() {
    put(ROW, bytes("p"), bytes("v"));
    put(ROW, bytes("r"), bytes("w"));
    increment(1);

    assertThat(cells(get(ROW)))
        .isEqualTo(cells(bytes("p"), bytes("v"), Q, number(1), bytes("r"), bytes("w")));
  }

  @Test
  final void compareAndSetCreatesOnlyWhatIsAbsent() {
    assertThat(compareAndSet(bytes("v"), bytes("w"))).isFalse();
    assertThat(get(ROW).isEmpty()).isTrue();

    assertThat(compareAndSet(null, bytes("v"))).isTrue();
    assertThat(compareAndSet(null, bytes("w"))).isFalse();
    assertThat(cells(get(ROW))).isEqualTo(cells(Q, bytes("v")));
  }

  @Test
  final void compareAndSetChangesOnlyWhatIsAsExpected() {
    put(ROW, Q, bytes("value"));
    put(ROW, bytes("p"), bytes("other"));
    long time = get(ROW).writeTime(1);
    passTime();
    for (String wrong : List.of("valu", "value!", "Value", "other")) {
      assertThat(compareAndSet(bytes(wrong), bytes("w"))).as(wrong).isFalse();
    }
    assertThat(get(ROW).writeTime(1)).isEqualTo(time);
    assertThat(cells(get(ROW))).isEqualTo(cells(bytes("p"), bytes("other"), Q, bytes("value")));

    assertThat(compareAndSet(bytes("value"), bytes("w"))).isTrue();
    assertThat(cells(get(ROW))).isEqualTo(cells(bytes("p"), bytes("other"), Q, bytes("w")));
    assertThat(get(ROW).writeTime(1)).isGreaterThan(time);
  }

  @Test
  final void compareAndSetRemovesOnlyWhatIsAsExpected() {
    put(ROW, Q, bytes("value"));
    put(ROW, bytes("p"), bytes("other"));
    passTime();

    assertThat(compareAndSet(bytes("wrong"), null)).isFalse();
    assertThat(compareAndSet(null, null)).isFalse();
    assertThat(get(ROW).size()).isEqualTo(2);

    assertThat(compareAndSet(bytes("value"), null)).isTrue();
    assertThat(cells(get(ROW))).isEqualTo(cells(bytes("p"), bytes("other")));

    passTime();
    assertThat(compareAndSet(null, null)).as("absent, as expected").isTrue();
    assertThat(compareAndSet(bytes("value"), null)).isFalse();
    assertThat(compareAndSet(null, bytes("again"))).isTrue();
    assertThat(get(ROW).find(Q)).isEqualTo(bytes("again"));
  }

  @Test
  final void compareAndSetThatEmptiesARowRemovesIt() {
    put(ROW, Q, bytes("value"));
    passTime();

    assertThat(compareAndSet(bytes("value"), null)).isTrue();
    assertThat(rows(Scan.all())).isEmpty();
  }

  @Test
  final void compareAndSetRefusesEmptyValues() {
    put(ROW, Q, bytes("v"));

    assertIllegal("an empty value expected", () -> compareAndSet(new byte[0], bytes("w")));
    assertIllegal("an empty update", () -> compareAndSet(bytes("v"), new byte[0]));

    assertThat(cells(get(ROW))).isEqualTo(cells(Q, bytes("v")));
  }

  @Test
  final void compareAndSetSeesAppendsAndIncrements() {
    store().append(family(), ROW, Q, bytes("a"));
    store().append(family(), ROW, Q, bytes("b"));
    assertThat(compareAndSet(bytes("a"), bytes("x"))).isFalse();
    assertThat(compareAndSet(bytes("ab"), number(41))).isTrue();
    assertThat(increment(1)).isEqualTo(42);
    assertThat(compareAndSet(number(42), bytes("done"))).isTrue();
    store().append(family(), ROW, Q, bytes("!"));
    assertThat(get(ROW).find(Q)).isEqualTo(bytes("done!"));
  }

  @Test
  final void anEmptyRowKeyCannotBeChanged() {
    byte[] none = new byte[0];
    assertIllegal("increment in an empty row", () -> store().increment(family(), none, Q, 1));
    assertIllegal(
        "compare-and-set in an empty row",
        () -> store().compareAndSet(family(), none, Q, null, bytes("v")));
    assertIllegal(
        "replacement in an empty row",
        () -> store().replaceCells(family(), Row.empty(none), List.of(new Cell(Q, bytes("v")))));

    assertThat(rows(Scan.all())).isEmpty();
  }

  @Test
  final void appendsAddUpInOrder() {
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    for (int i = 0; i < 500; i++) {
      byte[] suffix = bytes(i + ",");
      store().append(family(), ROW, Q, suffix);
      expected.writeBytes(suffix);
      if (i % 100 == 0) {
        assertThat(get(ROW).find(Q)).isEqualTo(expected.toByteArray());
      }
    }

    assertThat(cells(get(ROW))).isEqualTo(cells(Q, expected.toByteArray()));
    assertThat(rows(Scan.all()).get(0).find(Q)).isEqualTo(expected.toByteArray());
  }

  @Test
  final void anAppendGoesOnFromAPut() {
    put(ROW, Q, bytes("old"));
    store().append(family(), ROW, Q, bytes("er"));
    passTime();
    put(ROW, Q, bytes("new"));
    store().append(family(), ROW, Q, bytes("er"));
    assertThat(get(ROW).find(Q)).isEqualTo(bytes("newer"));

    put(ROW, bytes("empty"), new byte[0]);
    store().append(family(), ROW, bytes("empty"), bytes("not"));
    assertThat(get(ROW).find(bytes("empty"))).isEqualTo(bytes("not"));
  }

  @Test
  final void anAppendAfterADeletionBeginsAgain() {
    store().append(family(), ROW, Q, bytes("old"));
    store().append(family(), ROW, bytes("p"), bytes("old"));
    passTime();
    store().mutate(family(), List.of(new RowMutation(ROW, new Change.Delete(Q))));
    passTime();
    store().append(family(), ROW, Q, bytes("new"));
    assertThat(cells(get(ROW))).isEqualTo(cells(bytes("p"), bytes("old"), Q, bytes("new")));

    passTime();
    store().mutate(family(), List.of(new RowMutation(ROW, new Change.DeleteRow())));
    passTime();
    store().append(family(), ROW, Q, bytes("newer"));
    assertThat(cells(get(ROW))).isEqualTo(cells(Q, bytes("newer")));
  }

  @Test
  final void aBatchAppendsToManyCellsOfManyRows() {
    for (int round = 0; round < 20; round++) {
      List<RowMutation> batch = new ArrayList<>();
      for (int row = 0; row < 10; row++) {
        batch.add(
            new RowMutation(
                number(row),
                List.of(
                    new Change.Append(bytes("a"), number(round)),
                    new Change.Append(bytes("b"), number(row)),
                    new Change.Put(bytes("c"), number(round)))));
      }
      store().mutate(family(), batch);
    }

    for (Row row : rows(Scan.all())) {
      byte[] a = row.value(0);
      byte[] b = row.value(1);
      assertThat(a).hasSize(160);
      assertThat(b).hasSize(160);
      for (int round = 0; round < 20; round++) {
        assertThat(number(java.util.Arrays.copyOfRange(a, 8 * round, 8 * round + 8)))
            .isEqualTo(round);
        assertThat(java.util.Arrays.copyOfRange(b, 8 * round, 8 * round + 8)).isEqualTo(row.key());
      }
      assertThat(row.value(2)).isEqualTo(number(19));
    }
  }

  @Test
  final void replaceCellsPutsTheReplacementForWhatWasObserved() {
    put(ROW, bytes("a"), bytes("1"));
    put(ROW, bytes("b"), bytes("2"));
    passTime();

    replace(get(ROW), new Cell(bytes("ab"), bytes("12"), 1_000), new Cell(bytes("c"), bytes("3")));

    Row row = get(ROW);
    assertThat(cells(row)).isEqualTo(cells(bytes("ab"), bytes("12"), bytes("c"), bytes("3")));
    assertThat(row.writeTime(0)).isEqualTo(1_000);
    assertThat(row.writeTime(1)).isGreaterThan(1_000);
  }

  @Test
  final void replaceCellsMayPutOverAnObservedCell() {
    put(ROW, bytes("a"), bytes("1"));
    put(ROW, bytes("b"), bytes("2"));
    passTime();

    replace(get(ROW), new Cell(bytes("a"), bytes("12")));

    assertThat(cells(get(ROW))).isEqualTo(cells(bytes("a"), bytes("12")));
  }

  @Test
  final void replaceCellsDoesNothingIfAnObservedCellHasChanged() {
    Row observed = observedCells();
    put(ROW, bytes("b"), bytes("intruder"));

    assertNotReplaced(observed);
  }

  @Test
  final void replaceCellsDoesNothingIfAnObservedCellWasWrittenAgainWithItsValue() {
    Row observed = observedCells();
    put(ROW, bytes("b"), bytes("2"));

    assertNotReplaced(observed);
  }

  @Test
  final void replaceCellsDoesNothingIfAnObservedCellHasAnotherValueOfTheSameTime() {
    put(ROW, bytes("a"), bytes("1"));
    putDated(bytes("b"), bytes("2"), 1_000);
    Row observed = get(ROW);
    passTime();
    putDated(bytes("b"), bytes("3"), 1_000);

    assertNotReplaced(observed);
  }

  @Test
  final void replaceCellsDoesNothingIfAnObservedCellWasAppendedTo() {
    Row observed = observedCells();
    store().append(family(), ROW, bytes("b"), bytes("2"));

    assertNotReplaced(observed);
  }

  @Test
  final void replaceCellsDoesNothingIfAnObservedCellIsGone() {
    Row observed = observedCells();
    store().mutate(family(), List.of(new RowMutation(ROW, new Change.Delete(bytes("b")))));
    passTime();
    assertNotReplaced(observed);

    store().mutate(family(), List.of(new RowMutation(ROW, new Change.DeleteRow())));
    passTime();
    assertNotReplaced(observed);
  }

  @Test
  final void replaceCellsDoesNothingIfAnUnobservedCellHasAReplacementsQualifier() {
    Row observed = observedCells();
    put(ROW, bytes("ab"), bytes("intruder"));

    assertNotReplaced(observed);
    assertNotReplaced(Row.empty(ROW));
  }

  @Test
  final void replaceCellsDoesNothingIfAnUnobservedCellOfItsTimeIsInTheWay() {
    Row observed = observedCells();
    putDated(bytes("ab"), bytes("intruder"), 1_000);

    assertNotReplaced(observed);
  }

  @Test
  final void replaceCellsIgnoresCellsItNeitherObservedNorPuts() {
    Row observed = observedCells();
    put(ROW, bytes("c"), bytes("intruder"));
    passTime();

    assertThat(replace(observed, new Cell(bytes("ab"), bytes("12")))).isTrue();
    assertThat(cells(get(ROW)))
        .isEqualTo(cells(bytes("ab"), bytes("12"), bytes("c"), bytes("intruder")));
  }

  @Test
  final void replaceCellsMayDateACellEarlierThanTheOneItReplaces() {
    Row observed = observedCells();

    assertThat(replace(observed, new Cell(bytes("a"), bytes("12"), 1_000))).isTrue();
    assertThat(cells(get(ROW))).isEqualTo(cells(bytes("a"), bytes("12")));
    assertThat(get(ROW).writeTime(0)).isEqualTo(1_000);
  }

  /** Two cells, a=1 and b=2, as they were read; whatever follows is dated later. */
  private Row observedCells() {
    put(ROW, bytes("a"), bytes("1"));
    put(ROW, bytes("b"), bytes("2"));
    Row observed = get(ROW);
    passTime();
    return observed;
  }

  private void putDated(byte[] qualifier, byte[] value, long time) {
    Change put = new Change.PutIfNewer(qualifier, value, time);
    store().mutate(family(), List.of(new RowMutation(ROW, put)));
  }

  /**
   * However the replacement is dated, and whether it puts a new cell, the observed ones or none.
   */
  private void assertNotReplaced(Row observed) {
    passTime();
    String before = get(ROW).toString();
    Cell merged = new Cell(bytes("ab"), bytes("12"));
    assertThat(replace(observed, merged)).as("replaced %s in %s", observed, before).isFalse();
    assertThat(replace(observed, new Cell(bytes("ab"), bytes("12"), 1_000)))
        .as("replaced %s in %s", observed, before)
        .isFalse();
    if (!observed.isEmpty()) {
      assertThat(replace(observed, new Cell(bytes("a"), bytes("12")), merged)).isFalse();
    }
    assertThat(get(ROW).toString()).as("the row after a refused replacement").isEqualTo(before);
  }

  @Test
  final void replaceCellsTouchesOnlyTheCellsThatWereObserved() {
    put(ROW, bytes("a"), bytes("1"));
    put(ROW, bytes("b"), bytes("2"));
    put(ROW, bytes("c"), bytes("3"));
    Row part = store().get(family(), ROW, Columns.exactly(bytes("a"), bytes("c")));
    passTime();

    replace(part, new Cell(bytes("ac"), bytes("13")));

    assertThat(cells(get(ROW))).isEqualTo(cells(bytes("ac"), bytes("13"), bytes("b"), bytes("2")));
  }

  @Test
  final void replaceCellsWithNothingRemovesWhatWasObserved() {
    Row observed = observedCells();

    assertThat(replace(observed)).isTrue();
    assertThat(rows(Scan.all())).isEmpty();
  }

  @Test
  final void replacingNothingByNothingIsDone() {
    assertThat(replace(Row.empty(ROW))).isTrue();
    assertThat(rows(Scan.all())).isEmpty();
  }

  @Test
  final void replaceCellsOfAnAbsentRowPutsTheReplacement() {
    assertThat(replace(Row.empty(ROW), new Cell(Q, bytes("v")))).isTrue();

    assertThat(cells(get(ROW))).isEqualTo(cells(Q, bytes("v")));
  }

  @Test
  final void replaceCellsMergesAWideRow() {
    int count = 3_600;
    List<Change> changes = new ArrayList<>();
    ByteArrayOutputStream merged = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      changes.add(new Change.Put(number(i), number(-i)));
      merged.writeBytes(number(-i));
    }
    store().mutate(family(), List.of(new RowMutation(ROW, changes)));
    passTime();

    replace(get(ROW), new Cell(bytes("merged"), merged.toByteArray()));

    assertThat(cells(get(ROW))).isEqualTo(cells(bytes("merged"), merged.toByteArray()));
  }

  @Test
  final void twoReplacementsOfOneCellAreRefusedBeforeAnyEffect() {
    put(ROW, bytes("a"), bytes("1"));
    Row observed = get(ROW);
    passTime();

    assertIllegal(
        "a replacement with cell q twice",
        () -> replace(observed, new Cell(Q, bytes("v")), new Cell(Q, bytes("w"))));

    assertThat(cells(get(ROW))).isEqualTo(cells(bytes("a"), bytes("1")));
  }

  private long increment(long delta) {
    return store().increment(family(), ROW, Q, delta);
  }

  private boolean compareAndSet(byte @Nullable [] expected, byte @Nullable [] update) {
    return store().compareAndSet(family(), ROW, Q, expected, update);
  }

  private boolean replace(Row observed, Cell... replacement) {
    return store().replaceCells(family(), observed, List.of(replacement));
  }
}
