package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** HBase dates deletions and hides behind them; the store's callers see nothing of it. */
@NeedsHBase
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class HBaseOrderTest extends TableCase {
  private static final int ROUNDS = 300;

  @BeforeEach
  void createTable() {
    store.ensure(List.of(new FamilySpec(family, true)), SchemaMode.CREATE);
  }

  private byte[] familyName() {
    return Names.bytes(family);
  }

  private void putDated(byte[] qualifier, byte[] value, long time) {
    mutate(new Change.PutIfNewer(qualifier, value, time));
  }

  private void mutate(Change... changes) {
    store.mutate(family, List.of(new RowMutation(ROW, List.of(changes))));
  }

  private boolean replace(Row observed, Cell... cells) {
    return store.replaceCells(family, observed, List.of(cells));
  }

  /** The time of the server, which is this machine's. */
  private static long now() {
    return System.currentTimeMillis();
  }

  @Nested
  class AfterADeletion {
    private void assertVisible(int round, byte[] value) {
      assertThat(row().find(Q)).as("round %d", round).isEqualTo(value);
    }

    @Test
    void putsAndAppendsAreVisible() {
      for (int i = 0; i < ROUNDS; i++) {
        store.put(family, ROW, Q, number(i));
        mutate(i % 2 == 0 ? new Change.Delete(Q) : new Change.DeleteRow());
        if (i % 3 == 0) {
          store.put(family, ROW, Q, number(-i));
        } else {
          store.append(family, ROW, Q, number(-i));
        }
        assertVisible(i, number(-i));
        mutate(new Change.Delete(Q));
      }
    }

    @Test
    void countersBeginAgain() {
      for (int i = 0; i < ROUNDS; i++) {
        assertThat(store.increment(family, ROW, Q, 5)).isEqualTo(5);
        mutate(new Change.Delete(Q));
        assertThat(store.increment(family, ROW, Q, 7)).isEqualTo(7);
        assertVisible(i, number(7));
        assertThat(store.compareAndSet(family, ROW, Q, number(7), null)).isTrue();
      }
    }

    @Test
    void whatIsSetWhereNothingWasIsVisible() {
      for (int i = 0; i < ROUNDS; i++) {
        assertThat(store.compareAndSet(family, ROW, Q, null, number(i + 1))).isTrue();
        assertVisible(i, number(i + 1));
        assertThat(store.compareAndSet(family, ROW, Q, number(i + 1), null)).isTrue();
      }
    }

    @Test
    void replacedCellsCanBeWrittenAgain() {
      for (int i = 0; i < ROUNDS; i++) {
        store.put(family, ROW, Q, number(i));
        assertThat(replace(row())).isTrue();
        store.put(family, ROW, Q, number(-i));
        assertVisible(i, number(-i));
      }
    }

    @Test
    void aReplacementOfNothingIsVisible() {
      for (int i = 0; i < ROUNDS; i++) {
        Cell[] two = {new Cell(Q, number(i)), new Cell(bytes("r"), number(i))};
        assertThat(replace(Row.empty(ROW), two)).isTrue();
        assertThat(row().size()).isEqualTo(2);
        assertVisible(i, number(i));
        mutate(new Change.DeleteRow());
      }
    }

    @Test
    void aPutDatedBeforeItIsRejectedInItsBatch() {
      store.put(family, ROW, Q, Q);
      mutate(new Change.Delete(Q));
      List<RowMutation> batch =
          List.of(
              new RowMutation(number(1), new Change.PutIfNewer(Q, Q, 1_000)),
              new RowMutation(ROW, new Change.PutIfNewer(Q, Q, 1_000)));

      BatchException failure =
          catchThrowableOfType(BatchException.class, () -> store.mutate(family, batch));

      assertThat(failure.outcomes()).containsExactly(null, Outcome.REJECTED);
      assertThat(failure).hasMessageContaining("dated 1000, is hidden by a later deletion");
      assertThat(store.get(family, number(1), Columns.all()).find(Q)).isEqualTo(Q);
    }

    @Test
    void aReplacementDatedBeforeItIsDatedRightAfterIt() {
      for (Change deletion : List.of(new Change.Delete(Q), new Change.DeleteRow())) {
        store.put(family, ROW, Q, Q);
        mutate(deletion);
        store.put(family, ROW, bytes("r"), Q);
        Row before = row();

        assertThat(replace(before, new Cell(Q, Q, 1_000))).isTrue();

        assertThat(row().find(Q)).isEqualTo(Q);
        assertThat(row().writeTime(0)).isBetween(1_001L, before.writeTime(0));
      }
    }
  }

  private static void assertRejected(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.REJECTED))
        .hasMessageContaining(message);
  }

  /** As counters are that are increased more than a thousand times a second. */
  @Nested
  class ACellDatedAhead {
    private void putAhead(long millis) {
      table().put(new Put(ROW).addColumn(familyName(), Q, now() + millis, number(1))).join();
    }

    private void assertGoneAndWritable() {
      assertThat(row().isEmpty()).isTrue();
      store.put(family, ROW, Q, Q);
      assertThat(row().find(Q)).isEqualTo(Q);
    }

    @Test
    void isDeleted() {
      putAhead(200);
      mutate(new Change.Delete(Q));
      assertGoneAndWritable();
    }

    @Test
    void isDeletedWithItsRow() {
      putAhead(200);
      mutate(new Change.DeleteRow());
      assertGoneAndWritable();
    }

    @Test
    void isDeletedIfItIsAsExpected() {
      putAhead(200);
      assertThat(store.compareAndSet(family, ROW, Q, number(1), null)).isTrue();
      assertGoneAndWritable();
    }

    @Test
    void isReplaced() {
      putAhead(200);
      assertThat(replace(row())).isTrue();
      assertGoneAndWritable();
    }

    @Test
    void isNotDeletedIfItHadToBeWaitedFor() {
      putAhead(3_600_000);
      Row before = row();
      for (ThrowingCallable each :
          List.<ThrowingCallable>of(
              () -> mutate(new Change.Delete(Q)),
              () -> mutate(new Change.DeleteRow()),
              () -> store.compareAndSet(family, ROW, Q, number(1), null),
              () -> replace(before))) {
        assertRejected(each, "ahead of the server's clock");
        assertThat(row().find(Q)).isEqualTo(number(1));
      }
    }
  }

  @Test
  void aTimeInTheFutureIsLowered() {
    long before = now();
    putDated(Q, Q, before + 3_600_000);
    assertThat(replace(Row.empty(ROW), new Cell(bytes("r"), Q, before + 3_600_000))).isTrue();
    assertThat(row().writeTime(0)).isLessThanOrEqualTo(now());
    assertThat(row().writeTime(1)).isLessThanOrEqualTo(now());
  }

  /** Another client does not wait: its deletion may be of the millisecond in which we write. */
  @Test
  void whatAnotherClientsDeletionHidesIsSetAgain() {
    table().delete(new Delete(ROW).addColumns(familyName(), Q, now() + 300)).join();

    assertThat(store.compareAndSet(family, ROW, Q, null, Q)).isTrue();

    assertThat(row().find(Q)).isEqualTo(Q);
  }

  @Test
  void whatItHidesOfCellsThatAreCreatedTogetherIsUnknown() {
    List<byte[]> rows = new ArrayList<>(List.of(ROW));
    for (int i = 0; i < 200; i++) {
      rows.add(number(i));
    }
    store.put(family, number(7), Q, bytes("other"));
    table().delete(new Delete(ROW).addColumns(familyName(), Q, now() + 5000)).join();

    assertThatThrownBy(() -> store.createCells(family, rows, Q, rows))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.UNKNOWN));

    List<Row> present = store.get(family, rows, Columns.exactly(Q));
    assertThat(present.get(0).isEmpty()).as("another client may have removed it").isTrue();
    for (int i = 1; i < rows.size(); i++) {
      assertThat(present.get(i).find(Q)).isEqualTo(i == 8 ? bytes("other") : rows.get(i));
    }
  }

  @Test
  void whatADeletionOfTheFutureHidesIsNotTriedUntilThen() {
    table().delete(new Delete(ROW).addColumns(familyName(), Q, now() + 3_600_000)).join();

    assertRejected(
        () -> store.compareAndSet(family, ROW, Q, null, Q), "is hidden by a later deletion");
  }

  @Nested
  class AReplacement {
    @Test
    void ofManyCellsIsAllOrNothing() {
      for (int cells : List.of(1, 2, 17, 257, 5_000)) {
        byte[] row = number(cells);
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < cells; i++) {
          changes.add(new Change.PutIfNewer(number(3L * i), number(i), 1_000 + i));
        }
        store.mutate(family, List.of(new RowMutation(row, changes)));
        Row observed = store.get(family, row, Columns.all());
        Cell merged = new Cell(bytes("merged"), Q, 1_500);
        int some = cells / 2;
        for (Change change :
            List.of(
                new Change.PutIfNewer(number(3L * some), bytes("other value"), 1_000 + some),
                new Change.PutIfNewer(number(3L * some), number(some), 900_000),
                new Change.Delete(number(3L * some)))) {
          store.mutate(family, List.of(new RowMutation(row, change)));
          Row before = store.get(family, row, Columns.all());

          assertThat(store.replaceCells(family, observed, List.of(merged))).isFalse();

          assertSame(store.get(family, row, Columns.all()), before);
          if (!(change instanceof Change.Delete)) {
            observed = before;
          }
        }
        store.put(family, row, number(1), bytes("between"));
        Row present = store.get(family, row, Columns.exactly(qualifiers(cells)));
        assertThat(store.replaceCells(family, present, List.of(merged))).isTrue();
        Row after = store.get(family, row, Columns.all());
        assertThat(after.size()).isEqualTo(2);
        assertThat(after.find(number(1))).isEqualTo(bytes("between"));
        assertThat(after.writeTime(after.indexOf(bytes("merged")))).isEqualTo(1_500);
      }
    }

    private static byte[][] qualifiers(int cells) {
      byte[][] qualifiers = new byte[cells][];
      Arrays.setAll(qualifiers, i -> number(3L * i));
      return qualifiers;
    }

    private static void assertSame(Row row, Row other) {
      assertThat(row.size()).isEqualTo(other.size());
      for (int i = 0; i < row.size(); i++) {
        assertThat(row.qualifier(i)).isEqualTo(other.qualifier(i));
        assertThat(row.value(i)).isEqualTo(other.value(i));
        assertThat(row.writeTime(i)).isEqualTo(other.writeTime(i));
      }
    }

    /** Wherever it is among the others, the empty qualifier included. */
    @Test
    void doesNotReplaceACellThatWasNotObserved() {
      for (String unseen : List.of("", "a", "c", "e", "z")) {
        mutate(new Change.DeleteRow());
        mutate(new Change.Put(bytes("b"), Q), new Change.Put(bytes("d"), Q));
        Row observed = row();
        Cell[] cells = new Cell[6];
        List<String> names = List.of("", "a", "b", "c", "e", "z");
        Arrays.setAll(cells, i -> new Cell(bytes(names.get(i)), bytes("new")));
        store.put(family, ROW, bytes(unseen), bytes("unseen"));

        assertThat(replace(observed, cells)).as("'%s'", unseen).isFalse();
        assertThat(replace(Row.empty(ROW), cells)).as("'%s'", unseen).isFalse();

        assertThat(row().size()).isEqualTo(3);
        assertThat(row().find(bytes(unseen))).isEqualTo(bytes("unseen"));
        mutate(new Change.Delete(bytes(unseen)));
        assertThat(replace(observed, cells)).isTrue();
        assertThat(row().size()).isEqualTo(6);
        assertThat(row().find(bytes("d"))).isNull();
      }
    }

    /** Versions that compactions of HBase have not removed yet must not come back. */
    @Test
    void removesOverwrittenVersionsToo() {
      putDated(Q, bytes("first"), 1_000);
      putDated(Q, bytes("second"), 2_000);

      assertThat(replace(row())).isTrue();

      assertThat(row().isEmpty()).isTrue();
    }

    @Test
    void mayBeOlderThanWhatItReplacesAndWhatThatHadReplaced() {
      putDated(Q, bytes("first"), 1_000);
      putDated(Q, bytes("second"), 2_000);

      assertThat(replace(row(), new Cell(Q, bytes("older"), 500))).isTrue();

      assertThat(row().find(Q)).isEqualTo(bytes("older"));
      assertThat(row().writeTime(0)).isEqualTo(500);
    }

    @Test
    void ofMoreCellsThanAServerShouldCompareIsRejected() {
      int cells = ReplaceCondition.MOST_CELLS + 1;
      byte[][] qualifiers = new byte[cells][];
      Arrays.setAll(qualifiers, HBaseOrderTest::number);
      byte[][] values = new byte[cells][];
      Arrays.fill(values, Q);
      Row observed = Row.of(ROW, qualifiers, values, new long[cells]);

      assertRejected(() -> replace(observed), "cannot replace 100001 cells of a row at once");
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] number(long number) {
    return ByteBuffer.allocate(8).putLong(number).array();
  }
}
