package org.hourstone.kv.hbase.beside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.kv.hbase.beside.ReadAlikeContract.HOUR;
import static org.hourstone.kv.hbase.beside.ReadAlikeContract.host;
import static org.hourstone.kv.hbase.beside.ReadAlikeContract.point;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.hourstone.Tsdb;
import org.jspecify.annotations.Nullable;

/**
 * Two writers of each side into two rows of one metric, while both sides compact them. Every point
 * has an instant of its own. Whoever reads, at any time, must see all points that were acknowledged
 * before. A compaction gives way to writes, and OpenTSDB compacts whatever it reads, so on a slow
 * machine none of ours might succeed: the writers pause from time to time, and one of ours is made
 * that is not disturbed.
 */
final class Race {
  private static final int WRITERS = 4;

  /** Of each writer and row. */
  private static final int POINTS = 600;

  private static final int BATCH = 10;

  /** Of each writer, after which all of them wait for one compaction that none of them disturbs. */
  private static final int POINTS_BETWEEN_PAUSES = 100;

  private final ReadAlikeContract test;
  private final String metric;
  private final Tsdb another;
  private final boolean compacts;
  private final AtomicIntegerArray acknowledged = new AtomicIntegerArray(WRITERS);
  private final AtomicInteger writing = new AtomicInteger(WRITERS);
  private final AtomicLong rewritten = new AtomicLong();
  private final CyclicBarrier pause;

  /** Held exclusively while no other thread reads or compacts. */
  private final ReadWriteLock rows = new ReentrantReadWriteLock();

  /**
   * @param another of ours that writes, beside the one of the test
   * @param compacts whether it compacts the points that ours write to one cell
   */
  Race(ReadAlikeContract test, String metric, Tsdb another, boolean compacts) {
    this.test = test;
    this.metric = metric;
    this.another = another;
    this.compacts = compacts;
    this.pause = new CyclicBarrier(WRITERS, this::compactUndisturbed);
  }

  String metric() {
    return metric;
  }

  /** How many there are in the end. */
  int points() {
    return 2 * WRITERS * POINTS;
  }

  /** One batch of each writer, so that the names are known. */
  void putFirst() throws Exception {
    for (int writer = 0; writer < WRITERS; writer++) {
      putBatch(writer);
    }
  }

  /** What is to be done at once. */
  List<Callable<@Nullable Void>> tasks() {
    List<Callable<@Nullable Void>> tasks = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      int number = writer;
      tasks.add(
          () -> {
            try {
              while (acknowledged.get(number) < POINTS) {
                putBatch(number);
                if (acknowledged.get(number) % POINTS_BETWEEN_PAUSES == 0) {
                  pause.await(2, TimeUnit.MINUTES);
                }
              }
            } finally {
              writing.decrementAndGet();
              if (acknowledged.get(number) < POINTS) {
                pause.reset(); // or the others would wait for this writer
              }
            }
            return null;
          });
    }
    tasks.add(() -> whileWriting(this::checkOurs));
    tasks.add(() -> whileWriting(this::checkTheirs)); // reading, it compacts
    tasks.add(() -> whileWriting(() -> compact(test.sides().tsdb())));
    tasks.add(() -> whileWriting(() -> compact(another)));
    return tasks;
  }

  private @Nullable Void whileWriting(Runnable action) {
    while (writing.get() > 0) {
      holding(rows.readLock(), action);
    }
    return null;
  }

  private static void holding(Lock lock, Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }

  /** Once, of single points; a row that others have just compacted gets new ones first. */
  private void compactUndisturbed() {
    holding(
        rows.writeLock(),
        () -> {
          if (rewritten() > 0 || !compacts) {
            compact(another);
            return;
          }
          if (acknowledged.get(2) < POINTS) {
            putBatch(2);
          }
          ReadAlikeContract.await(
              "a compaction",
              () -> {
                compact(another);
                return rewritten() > 0;
              });
        });
  }

  private void compact(Tsdb ours) {
    rewritten.addAndGet(ReadAlikeContract.compact(ours, metric).rewritten());
  }

  /** How often we have rewritten a row so far. */
  long rewritten() {
    return rewritten.get();
  }

  private void putBatch(int writer) {
    int done = acknowledged.get(writer);
    if (writer < 2) {
      List<String> batch = new ArrayList<>();
      for (int number = done; number < done + BATCH; number++) {
        batch.add(point(metric, millis(writer, number) / 1000, Integer.toString(number), "a"));
        batch.add(point(metric, millis(writer, number) + 500, Integer.toString(number), "b"));
      }
      assertThat(test.put(batch)).isEqualTo(batch.size());
    } else {
      Tsdb ours = writer == 2 ? test.sides().tsdb() : another;
      List<CompletableFuture<@Nullable Void>> batch = new ArrayList<>();
      for (int number = done; number < done + BATCH; number++) {
        Instant time = Instant.ofEpochMilli(millis(writer, number));
        batch.add(ours.put(metric, time, number, host("a")));
        batch.add(ours.put(metric, time.plusMillis(500), number, host("b")));
      }
      batch.forEach(CompletableFuture::join);
    }
    acknowledged.set(writer, done + BATCH);
  }

  private static long millis(int writer, int number) {
    return (HOUR + (long) number * WRITERS + writer) * 1000;
  }

  /** All points acknowledged before we read are read. */
  void checkOurs() {
    int[] before = acknowledgedNow();
    assertAll("ours", before, test.sides().ours("GET", ReadAlikeContract.everything(metric), ""));
  }

  /** All points acknowledged before OpenTSDB reads are read. */
  void checkTheirs() {
    int[] before = acknowledgedNow();
    assertAll(
        "theirs", before, test.sides().theirs("GET", ReadAlikeContract.everything(metric), ""));
  }

  private int[] acknowledgedNow() {
    int[] now = new int[WRITERS];
    for (int writer = 0; writer < WRITERS; writer++) {
      now[writer] = acknowledged.get(writer);
    }
    return now;
  }

  private static void assertAll(String who, int[] acknowledged, Answer answer) {
    assertThat(answer.status()).as("%s: %s", who, answer).isEqualTo(200);
    Map<Long, Double> points = answer.points();
    TreeSet<String> missing = new TreeSet<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      for (int number = 0; number < acknowledged[writer]; number++) {
        long time = millis(writer, number);
        Double value = (double) number;
        if (!value.equals(points.get(time)) || !value.equals(points.get(time + 500))) {
          missing.add("writer " + writer + ", point " + number);
        }
      }
    }
    assertThat(missing.size()).as("%s misses %s", who, missing).isZero();
  }
}
