package org.hourstone.write;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.hourstone.MemorySettings;
import org.hourstone.Tsdb;
import org.junit.jupiter.api.Test;

/** Points that are written as the bytes of lines: each is stored or failed once. */
class TextPointsWriterTest extends WriterCase {
  /** It is larger than the queue, and its points are those of two threads. */
  @Test
  void eachPointOfABatchOfBytesIsStored() {
    try (Tsdb db = open(unheld().with(MemorySettings.WRITE_THREADS, "2"))) {
      putSeven(db);
      for (int i = 7; i < 707; i += 70) {
        lines(db, i, 70).send(told);
        db.writer().put("m", A, HOUR + i, 1L, told, 1000 + i);
      }
      db.writer().flush();
      assertThat(told.stored.keySet()).hasSize(717);
      assertThat(told.stored.values()).containsOnly(1);
      assertThat(told.failed).isEmpty();
      assertThat(db.writer().stats().stored()).isEqualTo(717);
      assertThat(db.writer().stats().waiting()).isZero();
    }
  }

  @Test
  void eachPointOfABatchOfBytesIsReportedThoughEveryWriteEndsWithAnError() {
    Tsdb db = open(unheld().with(MemorySettings.WRITE_THREADS, "2"));
    putSeven(db);
    Gate gate = store.gate(POINTS, DIE);
    lines(db, 7, 70).send(told);
    CompletableFuture<Void> waiting =
        CompletableFuture.runAsync(() -> lines(db, 77, 70).send(told));
    gate.open();
    waiting.join();
    lines(db, 147, 70).send(told);
    flushThoughItMayFail(db);
    db.close();
    assertThat(told.failed.keySet()).hasSize(210);
    assertThat(told.failed.values()).containsOnly(1);
    assertThat(told.stored).hasSize(7);
    assertThat(db.writer().stats().failed()).isEqualTo(210);
    assertThat(db.writer().stats().restarts()).isPositive();
  }

  @Test
  void aBatchOfBytesWaitsWhileTheQueueIsFull() throws Exception {
    try (Tsdb db = open(unheld())) {
      putSeven(db);
      Gate gate = store.gate(POINTS, () -> {});
      lines(db, 7, 10).send(told);
      gate.awaitReached();
      lines(db, 17, 10).send(told);
      TextPoints third = lines(db, 27, 10);
      Thread batch = new Thread(() -> third.send(told));
      Thread single =
          new Thread(
              () -> {
                for (int i = 0; i < 16; i++) {
                  db.writer().put("m", A, HOUR, 1L, told, 1000 + i);
                }
              });
      batch.start();
      awaitWaiting(batch);
      assertThat(db.writer().stats().waiting()).isEqualTo(10);
      single.start();
      awaitWaiting(single);
      assertThat(db.writer().stats().waiting()).isEqualTo(16);
      gate.open();
      batch.join();
      single.join();
      db.writer().flush();
      assertThat(told.stored).hasSize(53);
    }
  }

  private static TextPoints lines(Tsdb db, int from, int count) {
    TextPoints points = db.writer().telnetPoints();
    for (int i = from; i < from + count; i++) {
      byte[] line = ("put m " + (HOUR + i / 7) + " 1 h=" + i % 7).getBytes(UTF_8);
      assertThat(points.addTelnetLine(line, 0, line.length, i)).isTrue();
    }
    return points;
  }

  private void putSeven(Tsdb db) {
    for (int i = 0; i < 7; i++) {
      db.writer().putTelnetLine("put m " + HOUR + " 1 h=" + i, told, i);
    }
    db.writer().flush();
  }

  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      assertThat(thread.isAlive()).isTrue();
      Thread.onSpinWait();
    }
  }
}
