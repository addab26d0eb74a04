package org.hourstone.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TableRunTest {
  private static final Family FAMILY = new Family("table", "t");
  private static final int ROWS = 250;

  private final KeyValueStore store = new ModelStore(InstantSource.system());
  private final Set<Integer> seen = ConcurrentHashMap.newKeySet();

  record Counts(long rows) {}

  /** Keeps what it receives. */
  private static final class Kept implements TableListener {
    final List<TableProgress> reports = new ArrayList<>();
    final List<String> checkpoints = new ArrayList<>();

    @Override
    public void progress(TableProgress progress) {
      reports.add(progress);
    }

    @Override
    public void checkpoint(String text) {
      checkpoints.add(text);
    }

    TableProgress last() {
      return reports.get(reports.size() - 1);
    }

    TableCheckpoint lastCheckpoint() {
      return TableCheckpoint.read(checkpoints.get(checkpoints.size() - 1), Set.of(FAMILY), 0);
    }
  }

  @BeforeEach
  void fill() {
    store.ensure(List.of(new FamilySpec(FAMILY, true)), SchemaMode.CREATE);
    for (int i = 0; i < ROWS; i++) {
      store.put(FAMILY, new byte[] {(byte) i}, new byte[] {0}, new byte[] {0});
    }
  }

  /** Ranges of ten keys, of one phase. */
  private static List<TableRange> tens(int phase) {
    TreeSet<Bytes> bounds = new TreeSet<>();
    for (int bound = 10; bound < 256; bound += 10) {
      bounds.add(new Bytes(new byte[] {(byte) bound}));
    }
    return TableRanges.between(bounds).stream()
        .map(scan -> new TableRange(FAMILY, scan, phase, TableRange.ALL))
        .toList();
  }

  private void see(Row row) {
    assertThat(seen.add(number(row))).describedAs("%s", row).isTrue();
  }

  private static int number(Row row) {
    return Byte.toUnsignedInt(row.key()[0]);
  }

  private static List<Integer> numbers(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  @Test
  void eachRowIsPassedOnce() {
    Kept kept = new Kept();
    TableRun run = new TableRun(store, tens(0), 4, kept);
    run.readAll(this::see);
    assertThat(seen).containsExactlyInAnyOrderElementsOf(numbers(ROWS));
    assertThat(run.rows()).isEqualTo(ROWS);
    assertThat(kept.last())
        .extracting(TableProgress::rows, TableProgress::done, TableProgress::ranges)
        .containsExactly((long) ROWS, 26, 26);
    assertThat(kept.checkpoints).isEmpty();
  }

  @Test
  void oneThreadIsTheCallersAndReadsInOrder() {
    List<Integer> order = new ArrayList<>();
    Kept kept = new Kept();
    Thread caller = Thread.currentThread();
    new TableRun(store, tens(0), 1, kept)
        .readAll(
            row -> {
              assertThat(Thread.currentThread()).isSameAs(caller);
              order.add(number(row));
            });
    assertThat(order).isEqualTo(numbers(ROWS));
    assertThat(kept.last().last()).containsExactly(ROWS - 1);
  }

  @Test
  void thereAreNoMoreThreadsThanRanges() {
    new TableRun(store, tens(0), Integer.MAX_VALUE, TableListener.NONE).readAll(this::see);
    assertThat(seen).hasSize(ROWS);
  }

  @Test
  void aPhaseBeginsWhenTheOneBeforeIsComplete() {
    List<TableRange> ranges = new ArrayList<>(tens(0));
    ranges.addAll(tens(1));
    AtomicLong rows = new AtomicLong();
    TableRun run = new TableRun(store, ranges, 3, TableListener.NONE);
    run.run(
        range -> {
          if (range.phase() == 1) {
            assertThat(rows.get()).isGreaterThanOrEqualTo(ROWS);
          }
          run.read(range, range.rest(), row -> rows.incrementAndGet());
        });
    assertThat(rows).hasValue(2 * ROWS);
  }

  @Test
  void theThreadsWorkAtTheSameTime() {
    CyclicBarrier all = new CyclicBarrier(3);
    List<TableRange> three = tens(0).subList(0, 3);
    new TableRun(store, three, 3, TableListener.NONE)
        .run(
            range -> {
              try {
                all.await();
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
  }

  @Test
  void aRunContinuesAfterTheRowsThatWereComplete() {
    TableCheckpoint start = TableCheckpoint.start(tens(0));
    AtomicLong counted = new AtomicLong();
    List<Integer> stops = List.of(0, 1, 57, 58, 200);
    for (int i = 0; i < stops.size(); i++) {
      int stop = stops.get(i);
      int end = i + 1 < stops.size() ? stops.get(i + 1) : ROWS;
      Kept kept = new Kept();
      TableRun run = counting(start, 2, kept, counted);
      assertThatThrownBy(() -> read(run, counted, stop, end))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("row " + stop);
      start = kept.lastCheckpoint();
      assertThat(start.rows()).isEqualTo(seen.size());
      assertThat(start.counts(Counts.class).rows()).isEqualTo(seen.size());
      assertThat(kept.last().rows()).isEqualTo(seen.size());
      assertThat(kept.last().ranges()).isEqualTo(26);
    }
    Kept kept = new Kept();
    read(counting(start, 2, kept, counted), counted, -1, ROWS);
    assertThat(seen).containsExactlyInAnyOrderElementsOf(numbers(ROWS));
    assertThat(counted).hasValue(ROWS);
    assertThat(kept.last().done()).isEqualTo(26);
  }

  private TableRun counting(TableCheckpoint start, int threads, Kept kept, AtomicLong counted) {
    return new TableRun(store, start, threads, kept)
        .savedWith(false, () -> new Counts(counted.get()));
  }

  /**
   * Fails before a row.
   *
   * @param end the other thread fails before this row, so that it does not read rows that a later
   *     run is to fail before
   */
  private void read(TableRun run, AtomicLong counted, int stop, int end) {
    run.run(
        range ->
            run.read(
                range,
                range.rest(),
                row -> {
                  if (number(row) == stop || number(row) >= end) {
                    throw new IllegalStateException("row " + stop);
                  }
                  see(row);
                },
                counted::incrementAndGet));
  }

  @Test
  void aRangeIsProcessedOnlyAfterItsBeginWasSaved() {
    Kept kept = new Kept();
    Set<Bytes> begun = new HashSet<>();
    TableRun run =
        new TableRun(store, tens(0), 1, kept).savedWith(true, () -> new Counts(seen.size()));
    run.run(
        range -> {
          TableRange saved = kept.lastCheckpoint().ranges().get(0);
          assertThat(saved.begun).isTrue();
          assertThat(saved.rest().start()).isEqualTo(range.rest().start());
          begun.add(new Bytes(range.rest().start()));
          run.read(range, range.rest(), this::see);
        });
    assertThat(begun).hasSize(26);
  }

  @Test
  void onlyRangesThatHaveBegunAreRepeated() {
    List<TableRange> ranges = tens(0);
    ranges.get(0).begun = true;
    TableRun run = new TableRun(store, TableCheckpoint.start(ranges), 1, TableListener.NONE);
    assertThat(run.isRepeated(ranges.get(0))).isTrue();
    assertThat(run.isRepeated(ranges.get(1))).isFalse();
    run.did(ranges.get(0), new byte[] {1}, 1, 119_999, () -> {});
    assertThat(run.isRepeated(ranges.get(0))).isTrue();
    run.did(ranges.get(0), new byte[] {2}, 1, 1, () -> {});
    assertThat(run.isRepeated(ranges.get(0))).isFalse();
    run.repeat(ranges.get(0));
    assertThat(run.isRepeated(ranges.get(0))).isTrue();
  }

  @Test
  void aCheckpointIsSavedAfterManyCells() {
    Kept kept = new Kept();
    List<TableRange> ranges = tens(0);
    TableRun run = new TableRun(store, ranges, 1, kept).savedWith(false, () -> new Counts(0));
    run.did(ranges.get(0), new byte[] {1}, 1, 99_999, () -> {});
    assertThat(kept.checkpoints).isEmpty();
    run.did(ranges.get(0), new byte[] {2}, 1, 1, () -> {});
    assertThat(kept.checkpoints).hasSize(1);
    assertThat(kept.lastCheckpoint().ranges().get(0).rest().start()).containsExactly(2, 0);
  }

  @Test
  void aCheckpointThatCannotBeSavedEndsTheRun() {
    TableListener full =
        new TableListener() {
          @Override
          public void checkpoint(String text) {
            throw new IllegalStateException("full");
          }
        };
    TableRun run = new TableRun(store, tens(0), 3, full).savedWith(true, () -> new Counts(0));
    assertThatThrownBy(() -> run.readAll(this::see))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("full");
    assertThat(seen).isEmpty();
  }

  @Test
  void anInterruptEndsARunWithOneThread() {
    TableRun run = new TableRun(store, tens(0), 1, TableListener.NONE);
    assertThatThrownBy(
            () ->
                run.readAll(
                    row -> {
                      see(row);
                      if (seen.size() == 7) {
                        Thread.currentThread().interrupt();
                      }
                    }))
        .isInstanceOf(StoreException.class)
        .hasMessage("interrupted");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(seen).hasSize(7);
  }

  @Test
  void rowsMayBeDeletedWhileTheyAreRead() {
    TableRun run = new TableRun(store, tens(0), 1, TableListener.NONE).reopeningEvery(3);
    run.readAll(
        row -> {
          see(row);
          store.replaceCells(FAMILY, row, List.of());
        });
    assertThat(seen).containsExactlyInAnyOrderElementsOf(numbers(ROWS));
    try (RowCursor rows = store.scan(FAMILY, Scan.all())) {
      assertThat(rows.next()).isNull();
    }
  }
}
