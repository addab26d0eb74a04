package org.hourstone.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.hourstone.MemorySettings;
import org.hourstone.Tsdb;
import org.junit.jupiter.api.Test;

/** Points that are gathered by series handles: each is stored or failed once. */
class SeriesPointsWriterTest extends WriterCase {
  @Test
  void eachPointIsReportedThoughEveryWriteEndsWithAnError() {
    Tsdb db = open(unheld());
    SeriesWriter series = db.writer().series("m", A);
    SeriesPoints points = db.writer().seriesPoints(told);
    Gate gate = store.gate(POINTS, DIE);
    add(points, series, 0, 10);
    points.send();
    add(points, series, 10, 4);
    points.send();
    gate.open();
    add(points, series, 14, 3_000);
    points.send();

    flushThoughItMayFail(db);
    db.close();

    assertThat(told.failed).hasSize(3_014);
    assertThat(told.failed.values()).containsOnly(1);
    assertThat(told.stored).isEmpty();
  }

  /** The thread takes both at once. */
  @Test
  void aFlushFailsWithThePointsBeforeItThatEndWithAnError() throws Exception {
    Tsdb db = open(unheld());
    SeriesWriter series = db.writer().series("m", A);
    SeriesPoints points = db.writer().seriesPoints(told);
    Gate gate = store.gate(POINTS, DIE);
    add(points, series, 0, 10);
    points.send();
    gate.awaitReached();
    add(points, series, 10, 4);
    points.send();
    CompletableFuture<Void> flushed = CompletableFuture.runAsync(db::flush);
    while (db.writer().stats().waiting() < 5) {
      Thread.onSpinWait();
    }
    gate.open();

    assertThatThrownBy(flushed::join).hasMessageContaining("as if");
    db.close();
    assertThat(told.failed).hasSize(14);
    assertThat(told.failed.values()).containsOnly(1);
    assertThat(told.stored).isEmpty();
  }

  @Test
  void aBatchWaitsWhileTheQueueIsFull() throws Exception {
    try (Tsdb db = open(unheld())) {
      SeriesWriter series = db.writer().series("m", A);
      Gate gate = store.gate(POINTS, () -> {});
      series.put(HOUR, 1L, told, 0);
      gate.awaitReached();
      Thread sender = new Thread(() -> sendTwice(db, series, () -> {}));
      sender.start();
      while (sender.getState() != Thread.State.TIMED_WAITING) {
        assertThat(sender.isAlive()).isTrue();
        Thread.onSpinWait();
      }
      assertThat(db.writer().stats().waiting()).isEqualTo(10);
      gate.open();
      sender.join();
      db.writer().flush();
      assertThat(told.stored).hasSize(21);
    }
  }

  @Test
  void anInterruptedCallerGetsAFailureForEachPointThatWasNotTaken() throws Exception {
    try (Tsdb db = open(unheld())) {
      SeriesWriter series = db.writer().series("m", A);
      Gate gate = store.gate(POINTS, () -> {});
      series.put(HOUR, 1L, told, 0);
      gate.awaitReached();
      Thread sender =
          new Thread(() -> sendTwice(db, series, () -> Thread.currentThread().interrupt()));
      sender.start();
      sender.join();
      gate.open();
      db.writer().flush();
      assertThat(told.stored).hasSize(11);
      assertThat(told.failed).hasSize(10);
    }
  }

  /** The queue has room for 16 points. */
  @Test
  void largeBatchesPassASmallQueue() {
    try (Tsdb db = open(unheld().with(MemorySettings.WRITE_THREADS, "2"))) {
      SeriesPoints points = db.writer().seriesPoints(told);
      SeriesWriter[] series = new SeriesWriter[5];
      for (int i = 0; i < series.length; i++) {
        series[i] = db.writer().series("m", Map.of("h", "h" + i));
      }
      for (int i = 0; i < 9_000; i++) {
        points.add(series[i % 5], HOUR + i / 5, i, i);
      }
      points.send();
      db.writer().flush();
      assertThat(told.stored).hasSize(9_000);
      assertThat(told.stored.values()).containsOnly(1);
      assertThat(db.writer().stats().waiting()).isZero();
    }
  }

  private void sendTwice(Tsdb db, SeriesWriter to, Runnable between) {
    SeriesPoints points = db.writer().seriesPoints(told);
    add(points, to, 1, 10);
    points.send();
    between.run();
    add(points, to, 11, 10);
    points.send();
  }

  private static void add(SeriesPoints points, SeriesWriter to, int from, int count) {
    for (int i = from; i < from + count; i++) {
      points.add(to, HOUR + i, i, i);
    }
  }
}
