package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.testkit.Binary.bytes;
import static org.hourstone.testkit.Binary.number;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.Trait;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The guarantees when many threads work on the same rows. */
public abstract class ConcurrencyContract extends StoreContract {
  private static final int THREADS = 4;

  /** How many blind writes to a cell or row one rewrite of it may meet: else it grows for ever. */
  private static final int LEAD = 20;

  private static final byte[] ROW = bytes("row");
  private static final byte[] Q = bytes("q");

  @Test
  final void concurrentIncrementsReturnDistinctValues() throws Exception {
    int each = 250;
    List<List<Long>> results =
        ConcurrentRunner.run(
            THREADS,
            thread ->
                () -> {
                  List<Long> values = new ArrayList<>();
                  for (int i = 0; i < each; i++) {
                    values.add(store().increment(family(), ROW, Q, 1));
                  }
                  return values;
                });

    results.forEach(values -> assertThat(values).isSorted());
    assertThat(results.stream().flatMap(List::stream))
        .containsExactlyInAnyOrderElementsOf(
            LongStream.rangeClosed(1, (long) THREADS * each).boxed().toList());
    assertThat(get(ROW).find(Q)).isEqualTo(number((long) THREADS * each));
  }

  @Test
  final void exactlyOneCallerWinsACompareAndSet() throws Exception {
    for (int round = 0; round < 40; round++) {
      byte[] row = number(round);
      List<Boolean> won =
          ConcurrentRunner.run(
              THREADS,
              thread -> () -> store().compareAndSet(family(), row, Q, null, number(thread + 1)));

      assertThat(won).as("round %d", round).containsOnlyOnce(true);
      assertThat(get(row).find(Q)).isEqualTo(number(won.indexOf(true) + 1));
    }
  }

  @Test
  final void changesMadeByCompareAndSetBuildOnOneAnother() throws Exception {
    int each = 50;
    put(ROW, Q, number(0));
    ConcurrentRunner.run(
        THREADS,
        thread ->
            () -> {
              for (int done = 0; done < each; ) {
                byte[] present = present(ROW, Q);
                byte[] next = number(number(present) + 1);
                if (store().compareAndSet(family(), ROW, Q, present, next)) {
                  done++;
                }
              }
              return null;
            });

    assertThat(get(ROW).find(Q)).isEqualTo(number((long) THREADS * each));
  }

  @Test
  final void appendsAreNeitherLostNorTornAndKeepEachThreadsOrder() throws Exception {
    int each = 200;
    List<byte[]> rows = List.of(bytes("first"), bytes("second"));
    ConcurrentRunner.run(
        THREADS,
        thread ->
            () -> {
              for (int i = 0; i < each; i++) {
                byte[] record = ByteBuffer.allocate(8).putInt(thread).putInt(i).array();
                if (i % 2 == 0) {
                  store().append(family(), rows.get(0), Q, record);
                  store().append(family(), rows.get(1), Q, record);
                } else {
                  Change append = new Change.Append(Q, record);
                  store()
                      .mutate(
                          family(),
                          List.of(
                              new RowMutation(rows.get(1), append),
                              new RowMutation(rows.get(0), append)));
                }
              }
              return null;
            });

    for (byte[] row : rows) {
      ByteBuffer log = ByteBuffer.wrap(present(row, Q));
      assertThat(log.remaining()).isEqualTo(THREADS * each * 8);
      int[] next = new int[THREADS];
      while (log.hasRemaining()) {
        int thread = log.getInt();
        assertThat(thread).isBetween(0, THREADS - 1);
        assertThat(log.getInt()).as("thread %d", thread).isEqualTo(next[thread]++);
      }
    }
  }

  @Test
  final void blindWritesAreNotLostToReadModifyWritesOnTheSameRow() throws Exception {
    int each = 200;
    byte[] counter = bytes("counter");
    byte[] guarded = bytes("guarded");
    byte[] rewritten = bytes("rewritten");
    put(ROW, guarded, number(0));
    put(ROW, rewritten, number(0));
    ConcurrentRunner.run(
        List.of(
            blindWriter("a", each),
            blindWriter("b", each),
            () -> {
              for (int i = 0; i < each; i++) {
                store().increment(family(), ROW, counter, 1);
              }
              return null;
            },
            () -> {
              for (int i = 0; i < each; i++) {
                assertThat(store().compareAndSet(family(), ROW, guarded, number(i), number(i + 1)))
                    .isTrue();
              }
              return null;
            },
            () -> {
              for (int i = 0; i < each; i++) {
                Row observed = store().get(family(), ROW, Columns.exactly(rewritten));
                store()
                    .replaceCells(family(), observed, List.of(new Cell(rewritten, number(i + 1))));
              }
              return null;
            }));

    Row row = get(ROW);
    for (String writer : List.of("a", "b")) {
      ByteArrayOutputStream log = new ByteArrayOutputStream();
      for (int i = 0; i < each; i++) {
        assertThat(row.find(bytes(writer + i))).as("put %s%d", writer, i).isEqualTo(number(i));
        log.writeBytes(number(i));
      }
      assertThat(row.find(bytes(writer + "log"))).isEqualTo(log.toByteArray());
    }
    for (byte[] qualifier : List.of(counter, guarded, rewritten)) {
      assertThat(row.find(qualifier)).as(Binary.text(qualifier)).isEqualTo(number(each));
    }
  }

  private Callable<@Nullable Void> blindWriter(String name, int count) {
    return () -> {
      for (int i = 0; i < count; i++) {
        put(ROW, bytes(name + i), number(i));
        store().append(family(), ROW, bytes(name + "log"), number(i));
      }
      return null;
    };
  }

  @Test
  final void aBlindPutIsNotLostToAConcurrentIncrementOfItsCell() throws Exception {
    long far = 1L << 40;
    for (int round = 0; round < 40; round++) {
      byte[] row = number(round);
      ConcurrentRunner.run(
          List.of(
              () -> {
                for (int i = 0; i < 20; i++) {
                  store().increment(family(), row, Q, 1);
                  if (!has(Trait.MONOTONIC_WRITE_TIMES)) {
                    // A store may date every increment later than the last, and so, where they are
                    // faster than milliseconds, later than a put that follows.
                    passTime();
                  }
                }
                return null;
              },
              () -> {
                put(row, Q, number(far));
                return null;
              }));

      assertThat(number(present(row, Q)))
          .as("round %d: the put of 2^40 is lost, it was written over", round)
          .isBetween(far, far + 20);
    }
  }

  @Test
  final void blindWritesAreNotLostToAConcurrentCas() throws Exception {
    long far = 1L << 40;
    for (int round = 0; round < 40; round++) {
      byte[] row = number(round);
      put(row, Q, number(0));
      ConcurrentRunner.run(
          List.of(
              () -> {
                for (int i = 0; i < 20; i++) {
                  byte[] seen = present(row, Q);
                  store().compareAndSet(family(), row, Q, seen, number(number(seen) + 1));
                }
                return null;
              },
              () -> {
                put(row, Q, number(far));
                return null;
              }));

      assertThat(number(present(row, Q)))
          .as("round %d: the put of 2^40 is lost, it was written over", round)
          .isBetween(far, far + 20);
    }
  }

  @Test
  final void appendsAreNotLostToAConcurrentCas() throws Exception {
    AtomicInteger appends = new AtomicInteger();
    AtomicInteger attempts = new AtomicInteger();
    AtomicInteger sets = new AtomicInteger();
    put(ROW, Q, bytes("|"));
    ConcurrentRunner.overlap(
        150,
        List.of(
            time -> {
              if (appends.get() < LEAD * (1 + attempts.get())) {
                store().append(family(), ROW, Q, bytes("a"));
                appends.incrementAndGet();
              }
            },
            time -> {
              attempts.incrementAndGet();
              byte[] seen = present(ROW, Q);
              byte[] longer = Arrays.copyOf(seen, seen.length + 1);
              longer[seen.length] = 'c';
              if (store().compareAndSet(family(), ROW, Q, seen, longer)) {
                sets.incrementAndGet();
              }
            }));

    String value = Binary.text(present(ROW, Q));
    long kept = value.chars().filter(c -> c == 'a').count();
    assertThat(appends.get() - kept)
        .as("appends lost of %d, beside compare-and-set", appends.get())
        .isZero();
    assertThat(sets.get() - value.chars().filter(c -> c == 'c').count())
        .as("compare-and-sets lost of %d, beside appends", sets.get())
        .isZero();
  }

  /**
   * A guarantee compaction depends on: a row's newest cell is newer than every cell not read yet.
   */
  @Test
  final void withMonotonicWriteTimesWritesOfARowBecomeVisibleInTheirOrder() throws Exception {
    assumeTrue(has(Trait.MONOTONIC_WRITE_TIMES), "MONOTONIC_WRITE_TIMES is not promised");
    int writes = 1000;
    AtomicInteger next = new AtomicInteger();
    ConcurrentRunner.Repeated writer =
        time -> {
          int number = next.getAndIncrement();
          if (number < writes) {
            List<RowMutation> batch = new ArrayList<>();
            batch.add(new RowMutation(ROW, new Change.Put(number(number), Q)));
            for (int i = 0; i < 100; i++) { // so that the first one waits for its write
              batch.add(new RowMutation(bytes("row " + number % 2 + i), new Change.Put(Q, Q)));
            }
            store().mutate(family(), batch);
          }
        };
    Set<Bytes> seen = new HashSet<>();
    AtomicLong newest = new AtomicLong(-1);
    ConcurrentRunner.Repeated reader =
        time -> {
          Row row = get(ROW);
          long newestBefore = newest.get();
          for (int i = 0; i < row.size(); i++) {
            if (seen.add(new Bytes(row.qualifier(i)))) {
              assertThat(row.writeTime(i))
                  .as("time of a cell that appears after one of %d", newestBefore)
                  .isGreaterThan(newestBefore);
              newest.accumulateAndGet(row.writeTime(i), Math::max);
            }
          }
        };
    ConcurrentRunner.overlap(writes / 2, List.of(writer, writer, reader));
  }

  @Test
  final void scansDeliverWhatStaysExactlyOnceWhileOthersWrite() throws Exception {
    List<Bytes> staying = new ArrayList<>();
    for (int i = 0; i < 200; i += 2) {
      staying.add(new Bytes(number(i)));
      put(number(i), Q, number(i));
    }
    ConcurrentRunner.overlap(
        200,
        List.of(
            i -> {
              byte[] odd = number(i % 100 * 2L + 1);
              put(odd, Q, odd);
              put(number(i % 100 * 2L), Q, number(i));
              store().mutate(family(), List.of(new RowMutation(odd, new Change.DeleteRow())));
            },
            time -> {
              List<Bytes> keys = keys(rows(Scan.all().rowsPerFetch(7)));
              assertThat(keys).isSorted().doesNotHaveDuplicates().containsAll(staying);
            }));
  }

  @Test
  final void familiesAreCreatedOnceWhoeverAsks() throws Exception {
    List<Family> families =
        List.of(new Family(family().table(), "u"), new Family(family().table() + "2", "t"));
    ConcurrentRunner.run(
        THREADS,
        thread ->
            () -> {
              create(families.get(0), families.get(1));
              for (Family each : families) {
                store().put(each, number(thread), Q, bytes("v"));
              }
              return null;
            });

    for (Family each : families) {
      assertThat(rows(store(), each, Scan.all())).hasSize(THREADS);
    }
  }

  private byte[] present(byte[] row, byte[] qualifier) {
    byte[] value = get(row).find(qualifier);
    if (value == null) {
      throw new AssertionError("no cell " + Binary.text(qualifier));
    }
    return value;
  }
}
