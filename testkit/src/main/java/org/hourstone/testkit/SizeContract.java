package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.testkit.Binary.bytes;
import static org.hourstone.testkit.Binary.number;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.Limits;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.junit.jupiter.api.Test;

/**
 * Everything within {@link Limits} is stored completely, everything beyond is refused before any
 * change; and nothing is cut at the end of a store's pages, buffers or statements.
 */
public abstract class SizeContract extends StoreContract {
  private static final byte[] ROW = bytes("row");
  private static final byte[] Q = bytes("q");
  private static final byte[] V = bytes("v");

  /** Cells of a row, more than any page has. */
  private static final int WIDE = 12_000;

  @Test
  final void aRowKeyMayBeAsLongAsTheLimit() {
    byte[] longest = new byte[Limits.ROW_KEY];
    put(longest, Q, V);
    assertThat(get(longest).find(Q)).isEqualTo(V);

    byte[] longer = new byte[Limits.ROW_KEY + 1];
    assertRefused(longer, Q, 1);
    assertIllegal("get of a longer key", () -> get(longer));
    assertIllegal(
        "get of a longer key among others",
        () -> store().get(family(), List.of(ROW, longer), Columns.all()));
    assertThat(rows(Scan.all())).hasSize(1);
  }

  @Test
  final void aQualifierMayBeAsLongAsTheLimit() {
    byte[] longest = new byte[Limits.QUALIFIER];
    put(ROW, longest, V);
    assertLength(get(ROW).qualifier(0), Limits.QUALIFIER);
    assertThat(store().get(family(), ROW, Columns.exactly(longest)).size()).isEqualTo(1);

    assertRefused(bytes("other"), new byte[Limits.QUALIFIER + 1], 1);
    assertThat(rows(Scan.all())).hasSize(1);
  }

  @Test
  final void aValueMayBeAsLongAsTheLimit() {
    byte[] longest = new byte[Limits.VALUE];
    longest[Limits.VALUE - 1] = 1;
    put(ROW, Q, longest);
    assertSame(get(ROW).value(0), longest);

    assertRefused(bytes("other"), Q, Limits.VALUE + 1);
    assertThat(keys(rows(Scan.all().columns(Columns.exactly(Q))))).hasSize(1);
  }

  @Test
  final void aCellMayBeAsLargeAsTheLimit() {
    byte[] qualifier = new byte[Limits.CELL - Limits.VALUE - ROW.length];
    put(ROW, qualifier, new byte[Limits.VALUE]);
    Row row = get(ROW);
    assertLength(row.qualifier(0), qualifier.length);
    assertLength(row.value(0), Limits.VALUE);

    assertRefused(bytes("rows"), qualifier, Limits.VALUE);
    assertThat(get(bytes("rows")).isEmpty()).isTrue();
  }

  /** Every kind of write refuses a cell that is too large, and changes nothing. */
  private void assertRefused(byte[] row, byte[] qualifier, int length) {
    byte[] value = new byte[length];
    List<ThrowingCallable> writes =
        new ArrayList<>(
            List.of(
                () -> put(row, qualifier, value),
                () -> store().append(family(), row, qualifier, value),
                () ->
                    store()
                        .mutate(
                            family(),
                            List.of(
                                new RowMutation(bytes("beside"), new Change.Put(Q, V)),
                                new RowMutation(row, new Change.PutIfNewer(qualifier, value, 1)))),
                () -> store().compareAndSet(family(), row, qualifier, null, value),
                () ->
                    store()
                        .replaceCells(
                            family(), Row.empty(row), List.of(new Cell(qualifier, value)))));
    if (length == 1) {
      writes.add(() -> store().increment(family(), row, qualifier, 1));
    }
    for (int i = 0; i < writes.size(); i++) {
      assertIllegal("write " + i + " of what is beyond a limit", writes.get(i));
    }
    assertThat(get(bytes("beside")).isEmpty()).as("nothing of the refused batch").isTrue();
  }

  @Test
  final void aBatchMayHaveAsManyRowsAsTheLimit() {
    List<RowMutation> batch = new ArrayList<>();
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < Limits.ROWS_PER_BATCH; i++) {
      keys.add(number(i));
      batch.add(new RowMutation(number(i), new Change.Put(Q, V)));
    }
    store().mutate(family(), batch);

    List<Row> read = store().get(family(), keys, Columns.all());
    assertThat(read.stream().filter(row -> !row.isEmpty()).count())
        .as("rows of a batch of %d", Limits.ROWS_PER_BATCH)
        .isEqualTo(Limits.ROWS_PER_BATCH);
    int scanned = 0;
    try (RowCursor cursor = store().scan(family(), Scan.all())) {
      for (Row row = cursor.next(); row != null; row = cursor.next()) {
        assertThat(number(row.key())).as("the next row of a long scan").isEqualTo(scanned++);
      }
    }
    assertThat(scanned).as("rows of a long scan").isEqualTo(Limits.ROWS_PER_BATCH);

    keys.add(ROW);
    batch.add(new RowMutation(ROW, new Change.Put(Q, V)));
    assertIllegal("a batch of one row more", () -> store().mutate(family(), batch));
    assertIllegal("a read of one row more", () -> store().get(family(), keys, Columns.all()));
    assertThat(get(ROW).isEmpty()).isTrue();
  }

  @Test
  final void aMutationMayHaveAsManyCellsAsTheLimit() {
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < Limits.CELLS_PER_ROW; i++) {
      changes.add(new Change.Put(Arrays.copyOfRange(number(i), 4, 8), V));
    }
    store().mutate(family(), List.of(new RowMutation(ROW, changes)));
    assertThat(get(ROW).size()).as("cells of the row").isEqualTo(Limits.CELLS_PER_ROW);
    assertThat(rows(Scan.all()).stream().map(Row::size))
        .as("cells of each row of a scan")
        .containsExactly(Limits.CELLS_PER_ROW);

    changes.add(new Change.Put(Q, V));
    assertIllegal(
        "a mutation of one cell more",
        () -> store().mutate(family(), List.of(new RowMutation(bytes("other"), changes))));
    List<Cell> cells = changes.stream().map(change -> new Cell(change.qualifier(), V)).toList();
    assertIllegal(
        "a replacement by one cell more",
        () -> store().replaceCells(family(), Row.empty(bytes("other")), cells));
    assertThat(get(bytes("other")).isEmpty()).isTrue();
  }

  /** Beyond the limit a store may reject a replacement, but not make a part of it. */
  @Test
  final void aReplacementMayHaveAsManyCellsAsTheLimit() {
    List<Change> changes = new ArrayList<>();
    List<Cell> replacement = new ArrayList<>();
    for (int i = 0; i <= Limits.CELLS_PER_REPLACEMENT; i++) {
      byte[] qualifier = Arrays.copyOfRange(number(i), 4, 8);
      changes.add(new Change.Put(qualifier, V));
      replacement.add(new Cell(qualifier, Q));
    }
    store().mutate(family(), List.of(new RowMutation(ROW, changes)));
    passTime();
    Row row = get(ROW);
    List<Integer> most = IntStream.range(0, Limits.CELLS_PER_REPLACEMENT).boxed().toList();

    assertThat(store().replaceCells(family(), row.only(most), replacement.subList(0, most.size())))
        .as("a replacement of %d cells", most.size())
        .isTrue();
    Row replaced = get(ROW);
    assertThat(IntStream.range(0, replaced.size()).filter(i -> isQ(replaced.value(i))).count())
        .as("cells replaced")
        .isEqualTo(most.size());

    passTime();
    boolean taken;
    try {
      taken = store().replaceCells(family(), replaced, List.of());
    } catch (StoreException e) {
      assertThat(e.outcome()).isEqualTo(StoreException.Outcome.REJECTED);
      taken = false;
    }
    assertThat(get(ROW).size()).isEqualTo(taken ? 0 : replaced.size());
  }

  private static boolean isQ(byte[] value) {
    return Arrays.equals(value, Q);
  }

  @Test
  final void appendsAddUpToALongValue() {
    byte[] expected = new byte[0];
    for (int length : new int[] {4_000, 4_000, 300, 57_000, 300, 200_000, 800_000, 300}) {
      byte[] suffix = new byte[length];
      random(length).nextBytes(suffix);
      store().append(family(), ROW, Q, suffix);
      int before = expected.length;
      expected = Arrays.copyOf(expected, before + length);
      System.arraycopy(suffix, 0, expected, before, length);
      passTime();

      assertSame(get(ROW).value(0), expected);
      assertSame(rows(Scan.all()).get(0).value(0), expected);
    }
  }

  @Test
  final void aWideRowIsReadWhole() {
    writeWideRow();
    byte[] start = number(WIDE / 4);
    byte[] stop = number(WIDE / 4 * 3);
    byte[][] some = new byte[3_000][];
    Arrays.setAll(some, i -> number(4L * i));

    assertCells("get", get(ROW), WIDE);
    assertCells("range", read(new Columns.Range(start, stop)), WIDE / 2);
    assertCells("open range", read(new Columns.Range(start, null)), WIDE / 4 * 3);
    assertCells("exactly", read(Columns.exactly(some)), some.length);
    assertCells(
        "multi-get", store().get(family(), List.of(Q, ROW), Columns.exactly(some)).get(1), 3_000);
    assertCells("scan", rows(Scan.all()).get(0), WIDE);
    assertCells(
        "scan of a range",
        rows(Scan.all().columns(new Columns.Range(start, stop))).get(0),
        WIDE / 2);
    assertCells(
        "scan of exactly", rows(Scan.all().columns(Columns.exactly(some))).get(0), some.length);
  }

  @Test
  final void deletingAWideRowLeavesNothing() {
    writeWideRow();
    put(ROW, new byte[0], V);
    passTime();
    store().mutate(family(), List.of(new RowMutation(ROW, new Change.DeleteRow())));

    assertCells("get after the deletion", get(ROW), 0);
    assertThat(rows(Scan.all())).as("rows after the deletion").isEmpty();
  }

  private void writeWideRow() {
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < WIDE; i++) {
      changes.add(new Change.Put(number(i), number(i)));
    }
    store().mutate(family(), List.of(new RowMutation(ROW, changes)));
  }

  private Row read(Columns columns) {
    return store().get(family(), ROW, columns);
  }

  private static void assertCells(String what, Row row, int count) {
    assertThat(row.size()).as("cells of %s", what).isEqualTo(count);
    for (int i = 0; i < count; i++) {
      assertThat(row.value(i)).isEqualTo(row.qualifier(i));
    }
  }

  @Test
  final void aLongScanDeliversEveryRowOnce() {
    int count = 10 * LARGE;
    inBatches(count, i -> new RowMutation(number(i), new Change.Put(Q, number(i))));

    for (Scan scan : List.of(Scan.all(), Scan.all().rowsPerFetch(10_000).limit(count))) {
      int next = 0;
      try (RowCursor cursor = store().scan(family(), scan)) {
        for (Row row = cursor.next(); row != null; row = cursor.next()) {
          assertThat(number(row.key())).as("the next row of the scan").isEqualTo(next++);
        }
      }
      assertThat(next).as("rows of the scan").isEqualTo(count);
    }
    assertThat(rows(Scan.all().limit(count - LARGE))).hasSize(count - LARGE);
  }

  @Test
  final void aRowOfManyLargeCellsIsDeliveredInOnePiece() {
    byte[] value = new byte[100_000];
    for (int row = 0; row < 3; row++) {
      List<Change> changes = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        changes.add(new Change.Put(number(i), value));
      }
      store().mutate(family(), List.of(new RowMutation(number(row), changes)));
    }

    assertThat(get(number(1)).size()).as("cells of a get").isEqualTo(60);
    assertThat(rows(Scan.all()).stream().map(Row::size))
        .as("cells of each row of a scan")
        .containsExactly(60, 60, 60);
  }

  @Test
  final void aScanOfLargeRowsDeliversEveryRow() {
    byte[] value = new byte[100_000];
    inBatches(200, i -> new RowMutation(number(i), new Change.Put(Q, value)));

    assertThat(keys(rows(Scan.all()))).hasSize(200).isSorted();
  }

  private void inBatches(int count, java.util.function.IntFunction<RowMutation> mutation) {
    List<RowMutation> batch = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      batch.add(mutation.apply(i));
      if (batch.size() == LARGE || i == count - 1) {
        store().mutate(family(), batch);
        batch.clear();
      }
    }
  }

  @Test
  final void thousandsOfCursorsMayBeOpenedAndClosed() {
    for (int i = 0; i < 3; i++) {
      put(number(i), Q, V);
    }
    int cursors = count("hourstone.contract.cursors", 10_000);
    IntConsumer open =
        number -> {
          try (RowCursor cursor = store().scan(family(), Scan.all().rowsPerFetch(1))) {
            for (int i = 0; i < number % 4; i++) {
              assertThat(cursor.next() != null).isEqualTo(i < 3);
            }
          }
        };
    for (int i = 0; i < cursors; i++) {
      open.accept(i);
    }

    List<RowCursor> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      all.add(store().scan(family(), Scan.all()));
    }
    for (RowCursor cursor : all) {
      assertThat(cursor.next()).as("a row of one of 200 cursors").isNotNull();
      cursor.close();
    }
  }

  @Test
  final void familiesWithSimilarNamesShareNoRows() {
    String table = family().table();
    String sixty = "f".repeat(60);
    List<Family> similar = new ArrayList<>();
    for (List<Family> group :
        List.of(
            List.of(new Family(table, "c"), new Family(table, "C")),
            List.of(new Family(table + "x", "c"), new Family(table + "X", "c")),
            List.of(new Family(table + "_b", "c"), new Family(table, "b_c")),
            List.of(new Family(table + "-b", "c"), new Family(table, "b-c")),
            List.of(new Family(table + ".b", "c"), new Family(table, "b.c")),
            List.of(new Family(table, sixty + "a"), new Family(table, sixty + "b")),
            List.of(new Family(table + sixty + "a", "c"), new Family(table + sixty + "b", "c")),
            List.of(new Family(table, "\u00e4"), new Family(table, "\u00f6")),
            List.of(new Family(table + "\u00e4", "c"), new Family(table + "\u00f6", "c")),
            List.of(new Family(table, "a\u0308")))) {
      for (Family each : group) {
        try {
          create(each);
          similar.add(each);
        } catch (StoreException refused) {
          assertThat(refused.outcome()).as("%s", each).isEqualTo(StoreException.Outcome.REJECTED);
        }
      }
    }
    for (Family each : similar) {
      assertThat(rows(store(), each, Scan.all())).as("rows of %s, just created", each).isEmpty();
      store().put(each, ROW, Q, bytes(Integer.toString(similar.indexOf(each))));
    }

    assertThat(store().families()).containsAll(similar);
    for (Family each : similar) {
      assertThat(cells(store().get(each, ROW, Columns.all())))
          .as("the row of %s", each)
          .isEqualTo(cells(Q, bytes(Integer.toString(similar.indexOf(each)))));
    }
  }
}
