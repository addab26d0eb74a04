package org.hourstone.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.Lock;
import org.hourstone.kv.Change;
import org.hourstone.kv.RowMutation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RowLocksTest {
  private static final byte[] ROW = {1};
  private static final int ROWS = 100;

  private final RowLocks locks = new RowLocks();

  @Test
  void blindWritesOfOneRowDoNotHinderEachOther() {
    RowLocks.Held one = share(batch(ROW));
    RowLocks.Held other = share(batch(ROW));
    one.release();
    other.release();
    assertThat(locks.exclusive(ROW).tryLock()).isTrue();
  }

  @Test
  void blindWritesAndReadModifyWritesOfOneRowExcludeEachOther() {
    Lock exclusive = locks.exclusive(ROW);
    RowLocks.Held shared = share(batch(new byte[] {9}, ROW));
    assertThat(exclusive.tryLock()).isFalse();
    shared.release();
    assertThat(exclusive.tryLock()).isTrue();
    assertThat(locks.exclusive(ROW).tryLock()).isFalse();
  }

  @Test
  void aBatchExcludesOthersFromTheRowsItReads() {
    RowLocks.Held held = locks.hold(batch(new byte[] {9}, ROW), change -> change.row() == ROW);
    assertThat(locks.exclusive(ROW).tryLock()).isFalse();
    assertThat(locks.exclusive(new byte[] {9}).tryLock()).isFalse();
    RowLocks.Held other = share(batch(new byte[] {9}));
    other.release();
    held.release();
    assertThat(locks.exclusive(ROW).tryLock()).isTrue();
    assertThat(locks.exclusive(new byte[] {9}).tryLock()).isTrue();
  }

  @Test
  @Timeout(60)
  void batchesSeeNoReadModifyWriteHalfDoneAndNobodyWaitsForever()
      throws InterruptedException, ExecutionException {
    int[] evenWhenUnlocked = new int[ROWS];
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Future<?>> running = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      Random random = new Random(t);
      running.add(
          threads.submit(
              () -> {
                for (int i = 0; i < 3_000; i++) {
                  int kind = random.nextInt(5);
                  if (kind == 0) {
                    incrementTwice(evenWhenUnlocked, random.nextInt(ROWS));
                  } else if (kind == 1) {
                    incrementEven(evenWhenUnlocked, random.ints(50, 0, ROWS).toArray());
                  } else {
                    check(evenWhenUnlocked, random.ints(50, 0, ROWS).toArray());
                  }
                }
              }));
    }
    for (Future<?> future : running) {
      future.get();
    }
    threads.shutdown();
  }

  private void incrementTwice(int[] evenWhenUnlocked, int row) {
    Lock lock = locks.exclusive(row(row));
    lock.lock();
    try {
      evenWhenUnlocked[row]++;
      Thread.onSpinWait();
      evenWhenUnlocked[row]++;
    } finally {
      lock.unlock();
    }
  }

  /**
   * A batch that reads its even rows, so that nobody else may write them, and only checks others.
   */
  private void incrementEven(int[] evenWhenUnlocked, int[] rows) {
    RowLocks.Held held = locks.hold(batch(rows), mutation -> mutation.row()[0] % 2 == 0);
    try {
      for (int row : rows) {
        if (row % 2 == 0) {
          evenWhenUnlocked[row]++;
          Thread.onSpinWait();
          evenWhenUnlocked[row]++;
        }
        assertThat(evenWhenUnlocked[row] % 2).isZero();
      }
    } finally {
      held.release();
    }
  }

  private void check(int[] evenWhenUnlocked, int[] rows) {
    RowLocks.Held held = share(batch(rows));
    try {
      for (int row : rows) {
        assertThat(evenWhenUnlocked[row] % 2).isZero();
      }
    } finally {
      held.release();
    }
  }

  private static byte[] row(int number) {
    return new byte[] {(byte) number};
  }

  private RowLocks.Held share(List<RowMutation> batch) {
    return locks.hold(batch, mutation -> false);
  }

  private static List<RowMutation> batch(int[] rows) {
    return batch(Arrays.stream(rows).mapToObj(RowLocksTest::row).toArray(byte[][]::new));
  }

  private static List<RowMutation> batch(byte[]... rows) {
    List<RowMutation> batch = new ArrayList<>();
    for (byte[] row : rows) {
      batch.add(new RowMutation(row, new Change.Delete(new byte[] {1})));
    }
    return batch;
  }
}
