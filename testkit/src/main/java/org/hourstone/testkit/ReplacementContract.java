package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.testkit.Binary.bytes;
import static org.hourstone.testkit.Binary.number;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.junit.jupiter.api.Test;

/** The truth table of {@code replaceCells}, one caller at a time. */
public abstract class ReplacementContract extends StoreContract {
  private static final byte[] ROW = bytes("row");
  private static final byte[] Q = bytes("q");

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

  private boolean replace(Row observed, Cell... replacement) {
    return store().replaceCells(family(), observed, List.of(replacement));
  }

  /**
   * An hour of points may have thousands of cells, and the last one counts as much as the first.
   */
  @Test
  final void aWideReplacementComparesEveryCell() {
    int count = 65_000;
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      changes.add(new Change.Put(number(i), Q));
    }
    store().mutate(family(), List.of(new RowMutation(ROW, changes)));
    Row observed = get(ROW);
    passTime();
    put(ROW, number(count - 1), bytes("later"));

    assertThat(replace(observed, new Cell(bytes("merged"), Q)))
        .as("a replacement of %d cells, of which the last has changed", count)
        .isFalse();
    assertThat(get(ROW).size()).as("cells after it").isEqualTo(count);
  }

  @Test
  final void aReplacementThatIsThereAlreadyIsStillMade() {
    put(ROW, bytes("a"), bytes("12"));
    put(ROW, bytes("b"), bytes("2"));
    Row observed = get(ROW);
    passTime();

    assertThat(replace(observed, new Cell(bytes("a"), bytes("12")))).isTrue();

    assertThat(cells(get(ROW))).isEqualTo(cells(bytes("a"), bytes("12")));
    assertThat(get(ROW).writeTime(0)).as("its time").isGreaterThan(observed.writeTime(0));
  }

  @Test
  final void aReplacementComparesWholeValues() {
    byte[] value = new byte[600];
    putDated(Q, value, 1_000);
    Row observed = get(ROW);
    for (int length : new int[] {600, 601, 599}) {
      byte[] other = Arrays.copyOf(value, length);
      other[500] = length == 600 ? (byte) 1 : 0;
      passTime();
      putDated(Q, other, 1_000);

      assertThat(replace(observed, new Cell(bytes("merged"), Q)))
          .as("a value of %d bytes observed, and of %d present", value.length, length)
          .isFalse();
      assertThat(get(ROW).find(Q)).isEqualTo(other);
    }
  }

  @Test
  final void aReplacementComparesExactTimes() {
    byte[] value = bytes("v");
    for (long later : new long[] {1, 1_000, 1L << 31, 1L << 32, 1L << 40}) {
      byte[] row = number(later);
      dated(row, value, 1_000);
      Row observed = store().get(family(), row, Columns.all());
      passTime();
      dated(row, value, 1_000 + later);
      long present = store().get(family(), row, Columns.all()).writeTime(0);

      assertThat(store().replaceCells(family(), observed, List.of()))
          .as("a cell of time 1000 observed, and of time %d present", present)
          .isFalse();
      assertThat(store().get(family(), row, Columns.all()).size()).isEqualTo(1);
    }
  }

  @Test
  final void aReplacementComparesTimesThatAreEarlierNow() {
    dated(ROW, Q, 5_000);
    Row observed = get(ROW);
    passTime();
    store().mutate(family(), List.of(new RowMutation(ROW, new Change.DeleteRow())));
    try {
      dated(ROW, Q, 1_000);
    } catch (StoreException e) {
      assertThat(e.outcome()).isEqualTo(StoreException.Outcome.REJECTED);
      assumeTrue(false, "the store rejects a cell dated before its deletion");
    }

    assertThat(replace(observed)).as("a cell of time 5000 observed, of 1000 present").isFalse();
    assertThat(get(ROW).size()).isEqualTo(1);
  }

  private void dated(byte[] row, byte[] value, long time) {
    Change put = new Change.PutIfNewer(Q, value, time);
    store().mutate(family(), List.of(new RowMutation(row, put)));
  }

  @Test
  final void aReplacementMayBeDatedZero() {
    assertThat(replace(Row.empty(ROW), new Cell(Q, bytes("v"), 0))).isTrue();

    assertThat(cells(get(ROW))).isEqualTo(cells(Q, bytes("v")));
    assertThat(get(ROW).writeTime(0)).as("its write time").isZero();
  }
}
