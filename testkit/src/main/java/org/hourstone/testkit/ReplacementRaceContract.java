package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.testkit.Binary.bytes;
import static org.hourstone.testkit.Binary.number;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Row;
import org.hourstone.kv.Scan;
import org.junit.jupiter.api.Test;

/** The guarantees of {@code replaceCells} while others write and read the same rows. */
public abstract class ReplacementRaceContract extends StoreContract {
  private static final int THREADS = 4;

  /** How many blind writes to a cell or row one rewrite of it may meet: else it grows for ever. */
  private static final int LEAD = 20;

  private static final byte[] ROW = bytes("row");
  private static final byte[] Q = bytes("q");
  private static final byte[] MERGED = bytes("merged");

  /**
   * The access pattern of row compaction: merging a row's cells into one while points still arrive.
   */
  @Test
  final void noPutIsLostWhileARowIsRewritten() throws Exception {
    put(ROW, number(0), number(0));
    AtomicInteger puts = new AtomicInteger(1);
    AtomicInteger merges = new AtomicInteger();
    ConcurrentRunner.overlap(
        150,
        List.of(
            time -> {
              if (puts.get() < LEAD * (1 + merges.get())) {
                int next = puts.getAndIncrement();
                put(ROW, number(next), number(next));
              }
            },
            time -> {
              mergeCells();
              merges.incrementAndGet();
            }));
    mergeCells();

    Row row = get(ROW);
    assertThat(qualifiers(row)).containsExactly(new Bytes(MERGED));
    Set<Long> found = new TreeSet<>();
    for (ByteBuffer numbers = ByteBuffer.wrap(row.value(0)); numbers.hasRemaining(); ) {
      assertThat(found.add(numbers.getLong())).as("each once").isTrue();
    }
    assertThat(found).hasSize(puts.get());
  }

  /** Compaction of an append cell while points still arrive in it. */
  @Test
  final void noAppendToAnObservedCellIsLostToAReplacement() throws Exception {
    AtomicInteger appends = new AtomicInteger();
    AtomicInteger attempts = new AtomicInteger();
    ConcurrentRunner.overlap(
        150,
        List.of(
            time -> {
              if (appends.get() < LEAD * (1 + attempts.get())) {
                store().append(family(), ROW, Q, number(appends.getAndIncrement()));
              }
            },
            time -> {
              Row observed = get(ROW);
              List<Cell> merged = List.of(new Cell(MERGED, concatenated(observed)));
              store().replaceCells(family(), observed, observed.isEmpty() ? List.of() : merged);
              attempts.incrementAndGet();
            }));

    Row row = get(ROW);
    List<Long> found = new ArrayList<>();
    for (ByteBuffer numbers = ByteBuffer.wrap(concatenated(row)); numbers.hasRemaining(); ) {
      found.add(numbers.getLong());
    }
    long distinct = found.stream().distinct().count();
    assertThat(found.size() - distinct).as("appends doubled of %d", appends.get()).isZero();
    assertThat(appends.get() - distinct).as("appends lost of %d", appends.get()).isZero();
  }

  @Test
  final void noPutOverAnObservedCellIsLostToAReplacement() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    ConcurrentRunner.overlap(
        150,
        List.of(
            time -> {
              put(ROW, Q, number(time));
              Row row = get(ROW);
              byte[] newest = row.find(row.find(Q) != null ? Q : MERGED);
              assertThat(newest)
                  .as("put %d in its cell, or in the one it was merged into", time)
                  .isEqualTo(number(time));
            },
            time -> {
              Row observed = get(ROW);
              byte[] newest = observed.find(Q);
              if (newest != null) {
                store().replaceCells(family(), observed, List.of(new Cell(MERGED, newest)));
              }
              attempts.incrementAndGet();
            }));
    assertThat(attempts.get()).isPositive();
  }

  /** If two replace the same observed cells, exactly one succeeds. */
  @Test
  final void exactlyOneCallerWinsAReplacement() throws Exception {
    for (int round = 0; round < 40; round++) {
      byte[] row = number(round);
      put(row, Q, bytes("v"));
      Row observed = get(row);
      List<Boolean> won =
          ConcurrentRunner.run(
              THREADS,
              thread ->
                  () ->
                      store()
                          .replaceCells(
                              family(), observed, List.of(new Cell(number(thread), MERGED))));

      assertThat(won).as("round %d", round).containsOnlyOnce(true);
      assertThat(qualifiers(get(row))).containsExactly(new Bytes(number(won.indexOf(true))));
    }
  }

  @Test
  final void readersSeeARowAsItWasOrAsItWasReplaced() throws Exception {
    List<byte[]> parts = List.of(bytes("a"), bytes("b"), bytes("c"));
    writeGeneration(parts, 0);
    ConcurrentRunner.overlap(
        150,
        List.of(
            time -> {
              Row whole = get(ROW);
              List<Cell> next =
                  whole.size() == 1
                      ? generation(parts, time)
                      : List.of(new Cell(MERGED, number(time)));
              assertThat(store().replaceCells(family(), whole, next)).isTrue();
            },
            time -> assertPartsOrMerged(get(ROW)),
            time -> assertPartsOrMerged(store().get(family(), ROW, partsAndMerged(parts))),
            time -> rows(Scan.all()).forEach(ReplacementRaceContract::assertPartsOrMerged)));
  }

  private static Columns partsAndMerged(List<byte[]> parts) {
    List<byte[]> all = new ArrayList<>(parts);
    all.add(MERGED);
    return Columns.exactly(all.toArray(byte[][]::new));
  }

  private static void assertPartsOrMerged(Row row) {
    boolean merged = row.find(MERGED) != null;
    assertThat(row.size())
        .as("a reader saw both the old cells and the new one, or neither: %s", row)
        .isEqualTo(merged ? 1 : 3);
  }

  private void mergeCells() {
    Row observed = get(ROW);
    Cell all = new Cell(MERGED, concatenated(observed));
    store().replaceCells(family(), observed, List.of(all));
  }

  private static byte[] concatenated(Row row) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < row.size(); i++) {
      all.writeBytes(row.value(i));
    }
    return all.toByteArray();
  }
}
