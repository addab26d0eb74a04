package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.testkit.Binary.bytes;
import static org.hourstone.testkit.Binary.number;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.junit.jupiter.api.Test;

/** A reader sees all of a mutation or nothing of it, and all that was acknowledged before. */
public abstract class RowAtomicityContract extends StoreContract {
  private static final byte[] ROW = bytes("row");
  private static final byte[] Q = bytes("q");

  /** Cells of a mutation that no page, buffer or statement of a store takes at once. */
  private static final int VERY_LONG = 50_000;

  /** Larger than a page of anything, written and read in one piece. */
  @Test
  final void readersNeverSeeHalfAWideRow() throws Exception {
    List<byte[]> qualifiers = new ArrayList<>();
    for (int i = 0; i < LARGE; i++) {
      qualifiers.add(number(i));
    }
    Columns some = Columns.exactly(qualifiers.toArray(byte[][]::new));
    Columns range = new Columns.Range(number(0), null);
    writeGeneration(qualifiers, 0);
    ConcurrentRunner.overlap(
        8,
        List.of(
            generation -> writeGeneration(qualifiers, generation),
            time -> assertWhole(List.of(get(ROW)), LARGE),
            time -> assertWhole(List.of(store().get(family(), ROW, some)), LARGE),
            time -> assertWhole(List.of(store().get(family(), ROW, range)), LARGE),
            time -> assertWhole(store().get(family(), List.of(ROW), some), LARGE),
            time -> assertWhole(rows(Scan.all()), LARGE),
            time -> assertWhole(rows(Scan.all().columns(range)), LARGE)));
  }

  @Test
  final void readersNeverSeeHalfARow() throws Exception {
    List<byte[]> qualifiers = List.of(bytes("a"), bytes("b"), bytes("c"), bytes("d"));
    writeGeneration(qualifiers, 0);
    ConcurrentRunner.overlap(
        200,
        List.of(
            generation -> {
              if (generation % 4 == 0) {
                Row observed = get(ROW);
                store().replaceCells(family(), observed, generation(qualifiers, generation));
              } else {
                writeGeneration(qualifiers, generation);
              }
            },
            time -> assertWhole(List.of(get(ROW)), qualifiers.size()),
            time ->
                assertWhole(
                    store().get(family(), List.of(ROW, ROW), Columns.all()), qualifiers.size()),
            time -> assertWhole(rows(Scan.all()), qualifiers.size())));
  }

  private static void assertWhole(List<Row> rows, int cellsPerRow) {
    assertThat(rows).isNotEmpty();
    for (Row row : rows) {
      assertThat(row.size()).as("cells a reader saw of %s", row).isEqualTo(cellsPerRow);
      Set<Bytes> values = new HashSet<>(cells(row).values());
      assertThat(values).as("one read saw parts of several mutations: %s", row).hasSize(1);
    }
  }

  @Test
  final void rowsAppearAndVanishWhole() throws Exception {
    List<byte[]> qualifiers = List.of(bytes("a"), bytes("b"), bytes("c"));
    ConcurrentRunner.overlap(
        200,
        List.of(
            generation -> {
              writeGeneration(qualifiers, generation);
              store().mutate(family(), List.of(new RowMutation(ROW, new Change.DeleteRow())));
            },
            time -> assertThat(get(ROW).size()).isIn(0, 3),
            time -> rows(Scan.all()).forEach(row -> assertThat(row.size()).isEqualTo(3))));
  }

  @Test
  final void readersNeverSeeHalfOfAVeryLongMutation() throws Exception {
    List<byte[]> qualifiers = new ArrayList<>();
    for (int i = 0; i < VERY_LONG; i++) {
      qualifiers.add(Arrays.copyOfRange(number(i), 4, 8));
    }
    writeGeneration(qualifiers, 0);
    ConcurrentRunner.overlap(
        3,
        List.of(
            generation -> writeGeneration(qualifiers, generation),
            time -> assertOneGeneration(get(ROW)),
            time -> assertOneGeneration(rows(Scan.all()).get(0))));
  }

  private static void assertOneGeneration(Row row) {
    assertThat(row.size()).as("cells that a reader saw").isEqualTo(VERY_LONG);
    for (int i = 1; i < row.size(); i++) {
      if (!Arrays.equals(row.value(i), row.value(0))) {
        throw new AssertionError("one read saw parts of several mutations, from cell " + i + " on");
      }
    }
  }

  /** Mutations whose cells differ, beside deletions of the row. */
  @Test
  final void aRowDeletionLeavesNoHalfOfAMutation() throws Exception {
    List<byte[]> few = List.of(bytes("a"), bytes("b"));
    List<byte[]> more = List.of(bytes("b"), bytes("c"), bytes("d"));
    ConcurrentRunner.overlap(
        300,
        List.of(
            time -> writeGeneration(few, time),
            time -> writeGeneration(more, time),
            time -> store().mutate(family(), List.of(new RowMutation(ROW, new Change.DeleteRow()))),
            time -> assertNoHalf(get(ROW)),
            time -> rows(Scan.all()).forEach(RowAtomicityContract::assertNoHalf)));
    assertNoHalf(get(ROW));
  }

  private static void assertNoHalf(Row row) {
    Map<Bytes, Bytes> cells = cells(row);
    Bytes b = new Bytes(bytes("b"));
    Bytes c = new Bytes(bytes("c"));
    assertThat(cells.get(c))
        .as("c and d, written together: %s", row)
        .isEqualTo(cells.get(new Bytes(bytes("d"))));
    assertThat(cells.containsKey(b))
        .as("b, written with each of the others: %s", row)
        .isEqualTo(!cells.isEmpty());
  }

  /** Two threads write and read in turn, so that what one has just read is soon out of date. */
  @Test
  final void aThreadSeesWhatWasAcknowledgedToAnother() throws Exception {
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      for (int i = 0; i < 200; i++) {
        byte[] number = number(i);
        put(ROW, Q, number);
        for (Row read : other.submit(this::everyRead).get()) {
          assertThat(read.find(Q)).as("a read after put %d of another thread", i).isEqualTo(number);
        }
        byte[] reverse = number(-i - 1);
        other.submit(() -> put(ROW, Q, reverse)).get();
        for (Row read : everyRead()) {
          assertThat(read.find(Q))
              .as("a read after put %d of another thread", i)
              .isEqualTo(reverse);
        }
        passTime();
      }
    } finally {
      other.shutdownNow();
    }
  }

  private List<Row> everyRead() {
    return List.of(
        get(ROW),
        store().get(family(), ROW, Columns.exactly(Q)),
        store().get(family(), List.of(ROW), Columns.all()).get(0),
        rows(Scan.all()).get(0));
  }
}
