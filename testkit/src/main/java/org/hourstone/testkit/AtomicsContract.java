package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.testkit.Binary.bytes;
import static org.hourstone.testkit.Binary.number;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Increment, compare-and-set and append, one caller at a time. */
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
  final void cellsOfSeveralRowsAreCreatedWhereTheyAreAbsent() {
    put(bytes("b"), Q, bytes("present"));
    put(bytes("c"), bytes("p"), bytes("another"));
    long time = get(bytes("b")).writeTime(0);
    passTime();
    List<byte[]> rows = List.of(bytes("d"), bytes("b"), bytes("c"), bytes("a"));
    List<byte[]> values = List.of(bytes("1"), bytes("2"), bytes("3"), bytes("4"));

    assertThat(createCells(rows, values)).containsExactly(true, false, true, true);
    assertThat(cells(get(bytes("a")))).isEqualTo(cells(Q, bytes("4")));
    assertThat(cells(get(bytes("b")))).isEqualTo(cells(Q, bytes("present")));
    assertThat(get(bytes("b")).writeTime(0)).isEqualTo(time);
    assertThat(cells(get(bytes("c"))))
        .isEqualTo(cells(bytes("p"), bytes("another"), Q, bytes("3")));
    assertThat(createCells(rows, values)).containsOnly(false);
    assertThat(createCells(List.of(), List.of())).isEmpty();
    assertIllegal("an empty value", () -> createCells(List.of(bytes("e")), List.of(new byte[0])));
    assertThat(get(bytes("e")).isEmpty()).isTrue();
  }

  /** Else a writer that compares times would take the cell for unchanged. */
  @Test
  final void aCompareAndSetToTheSameValueIsAWrite() {
    put(ROW, Q, bytes("value"));
    long time = get(ROW).writeTime(0);
    passTime();

    assertThat(compareAndSet(bytes("value"), bytes("value"))).isTrue();
    assertThat(get(ROW).writeTime(0)).isGreaterThan(time);
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

  private long increment(long delta) {
    return store().increment(family(), ROW, Q, delta);
  }

  private List<Boolean> createCells(List<byte[]> rows, List<byte[]> values) {
    return store().createCells(family(), rows, Q, values);
  }

  private boolean compareAndSet(byte @Nullable [] expected, byte @Nullable [] update) {
    return store().compareAndSet(family(), ROW, Q, expected, update);
  }
}
