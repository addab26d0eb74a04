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
import java.util.concurrent.atomic.AtomicBoolean;
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
  void aBatchExcludesOthersFromAllOfItsRows() throws Exception {
    RowLocks.Held held = locks.hold(batch(new byte[] {9}, ROW));
    assertThat(canLock(ROW)).isFalse();
    assertThat(canLock(new byte[] {9})).isFalse();
    assertThat(canLock(new byte[] {8})).isTrue();
    held.release();
    assertThat(canLock(ROW)).isTrue();
    assertThat(canLock(new byte[] {9})).isTrue();
  }

  /** Whether another thread can. */
  private boolean canLock(byte[] row) throws InterruptedException {
    AtomicBoolean could = new AtomicBoolean();
    Thread other =
        new Thread(
            () -> {
              if (locks.of(row).tryLock()) {
                could.set(true);
                locks.of(row).unlock();
              }
            });
    other.start();
    other.join();
    return could.get();
  }

  @Test
  @Timeout(60)
  void batchesSeeNoReadModifyWriteHalfDoneAndNoThreadWaitsForever()
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
                  if (random.nextInt(3) == 0) {
                    incrementTwice(evenWhenUnlocked, random.nextInt(ROWS));
                  } else {
                    incrementEven(evenWhenUnlocked, random.ints(50, 0, ROWS).toArray());
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
    Lock lock = locks.of(row(row));
    lock.lock();
    try {
      evenWhenUnlocked[row]++;
      Thread.onSpinWait();
      evenWhenUnlocked[row]++;
    } finally {
      lock.unlock();
    }
  }

  private void incrementEven(int[] evenWhenUnlocked, int[] rows) {
    RowLocks.Held held = locks.hold(batch(rows));
    try {
      for (int row : rows) {
        assertThat(evenWhenUnlocked[row] % 2).isZero();
        evenWhenUnlocked[row]++;
        Thread.onSpinWait();
        evenWhenUnlocked[row]++;
      }
    } finally {
      held.release();
    }
  }

  private static byte[] row(int number) {
    return new byte[] {(byte) number};
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
