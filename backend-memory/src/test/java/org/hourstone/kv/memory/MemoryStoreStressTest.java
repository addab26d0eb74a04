package org.hourstone.kv.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.junit.jupiter.api.Test;

/**
 * All kinds of writes on the same few rows at once, rows vanishing and coming back included. Each
 * row keeps an invariant that any lost, torn or doubled write would break.
 */
class MemoryStoreStressTest {
  private static final Family DATA = new Family("data", "t");
  private static final int THREADS = 6;
  private static final int STEPS = 4_000;
  private static final int ROWS = 8;
  private static final byte[] COUNTER = {0};
  private static final byte[] LOG = {1};
  private static final byte[] LEFT = {2};
  private static final byte[] RIGHT = {(byte) 0x80};

  @Test
  void everyRowKeepsItsInvariantThroughAnyMixtureOfWrites() throws Exception {
    long seed = Long.getLong("hourstone.contract.seed", 42L);
    try (KeyValueStore store = MemoryStore.open()) {
      store.ensure(List.of(new FamilySpec(DATA, true)), SchemaMode.CREATE);
      long[] increments = new long[ROWS];
      for (long[] each : together(store, seed)) {
        for (int row = 0; row < ROWS; row++) {
          increments[row] += each[row];
        }
      }

      for (int row = 0; row < ROWS; row++) {
        Row read = store.get(DATA, key(row), Columns.all());
        String as = "seed " + seed + ", row " + row;
        byte[] counter = read.find(COUNTER);
        byte[] log = read.find(LOG);
        assertThat(counter).as(as).isEqualTo(number(increments[row]));
        assertThat(log).as(as).hasSize(Math.toIntExact(increments[row]) * Long.BYTES);
        assertWhole(read);
      }
    }
  }

  /** How often each thread has incremented, and as often appended to, each row. */
  private static List<long[]> together(KeyValueStore store, long seed) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      CyclicBarrier start = new CyclicBarrier(THREADS);
      List<Future<long[]>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Random random = new Random(seed * THREADS + i);
        running.add(
            threads.submit(
                () -> {
                  start.await();
                  return work(store, random);
                }));
      }
      List<long[]> done = new ArrayList<>();
      for (Future<long[]> each : running) {
        done.add(each.get());
      }
      return done;
    } finally {
      threads.shutdownNow();
    }
  }

  private static long[] work(KeyValueStore store, Random random) {
    long[] increments = new long[ROWS];
    for (int step = 0; step < STEPS; step++) {
      int row = random.nextInt(ROWS);
      byte[] key = key(row);
      switch (random.nextInt(7)) {
        case 0, 1 -> {
          store.increment(DATA, key, COUNTER, 1);
          store.append(DATA, key, LOG, number(step));
          increments[row]++;
        }
        case 2 -> {
          byte[] both = number(random.nextLong());
          store.mutate(
              DATA,
              List.of(
                  new RowMutation(
                      key, List.of(new Change.Put(RIGHT, both), new Change.Put(LEFT, both)))));
        }
        case 3 ->
            store.mutate(
                DATA,
                List.of(
                    new RowMutation(
                        key, List.of(new Change.Delete(LEFT), new Change.Delete(RIGHT)))));
        case 4 -> {
          byte[] both = number(random.nextLong());
          Row observed = store.get(DATA, key, Columns.exactly(LEFT, RIGHT));
          store.replaceCells(DATA, observed, List.of(new Cell(LEFT, both), new Cell(RIGHT, both)));
        }
        case 5 -> vanishAndComeBack(store, number(-1 - random.nextInt(3)));
        default -> {
          assertWhole(store.get(DATA, key, Columns.all()));
          assertAscending(store);
        }
      }
    }
    return increments;
  }

  /** A row without counters, so that it may be deleted whole. */
  private static void vanishAndComeBack(KeyValueStore store, byte[] key) {
    store.mutate(DATA, List.of(new RowMutation(key, new Change.DeleteRow())));
    store.compareAndSet(DATA, key, LEFT, null, key);
    store.compareAndSet(DATA, key, LEFT, key, null);
  }

  private static void assertWhole(Row row) {
    assertThat(row.find(LEFT)).isEqualTo(row.find(RIGHT));
    int left = row.indexOf(LEFT);
    if (left >= 0) {
      assertThat(row.writeTime(left)).isEqualTo(row.writeTime(row.indexOf(RIGHT)));
    }
  }

  private static void assertAscending(KeyValueStore store) {
    byte[] last = {};
    try (RowCursor cursor = store.scan(DATA, Scan.all())) {
      for (Row row = cursor.next(); row != null; row = cursor.next()) {
        assertThat(Arrays.compareUnsigned(last, row.key())).isNegative();
        assertThat(row.isEmpty()).isFalse();
        last = row.key();
      }
    }
  }

  private static byte[] key(int row) {
    return number(row);
  }

  private static byte[] number(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }
}
