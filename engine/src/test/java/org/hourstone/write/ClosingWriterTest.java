package org.hourstone.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.junit.jupiter.api.Test;

/** Closing ends in time, whatever the store does, and leaves no thread. */
class ClosingWriterTest extends WriterCase {
  @Test
  void closingHasADeadline() {
    Tsdb db =
        open(
            unheld().with(MemorySettings.WRITE_BATCH, "1").with(MemorySettings.WRITE_CLOSE, "100"));
    SeriesWriter series = db.writer().series("m", A);
    Gate gate =
        store.gate(
            POINTS,
            () -> {
              clock.advance(Duration.ofSeconds(30)); // as long as a dead store takes to say so
              throw new StoreException(Outcome.NOT_APPLIED, "unreachable");
            });
    putTenAndClose(db, series, gate);
    assertThat(store.batches.get()).isEqualTo(4);
    assertThat(told.failed.keySet()).contains(0L, 9L);
    assertThat(told.failed.values()).containsOnly(1);
  }

  @Test
  void whileClosingADeadStoreGetsItsAttemptsOnce() {
    Tsdb db =
        open(
            unheld()
                .with(MemorySettings.WRITE_BATCH, "1")
                .with(MemorySettings.WRITE_ATTEMPTS, "3"));
    SeriesWriter series = db.writer().series("m", A);
    Gate gate =
        store.gate(
            POINTS,
            () -> {
              throw new StoreException(Outcome.NOT_APPLIED, "unreachable");
            });
    putTenAndClose(db, series, gate);
    assertThat(store.batches.get()).isEqualTo(3 + told.failed.size() - 1);
    assertThat(told.failed.values()).containsOnly(1);
  }

  /** The store is reached again when the writer closes. */
  private void putTenAndClose(Tsdb db, SeriesWriter series, Gate gate) {
    for (int i = 0; i < 10; i++) {
      series.put(HOUR + i, 1L, told, i);
    }
    CompletableFuture<Void> closed = CompletableFuture.runAsync(db::close);
    awaitClosing(series, 10);
    gate.open();
    closed.join();
  }

  /** The queue is full when closing begins, so nothing in it makes the thread write all rows. */
  @Test
  void closingTellsAllWhoWaitForTheFlushIntervalAlsoAfterAnError() throws Exception {
    Tsdb db = open(held());
    Gate gate =
        store.gate(
            POINTS,
            () -> {
              store.before = family -> {};
              DIE.run();
            });
    CompletableFuture<?> inTheBatch = put(db, 0);
    CompletableFuture<?> waiting = CompletableFuture.runAsync(inTheBatch::join);
    gate.awaitReached();
    SeriesWriter series = db.writer().series("m", A);
    AtomicInteger refused = new AtomicInteger();
    Thread sender = new Thread(() -> refused.set(awaitClosing(series, 1)));
    sender.start();
    while (sender.getState() != Thread.State.TIMED_WAITING) {
      assertThat(sender.isAlive()).isTrue();
      Thread.onSpinWait();
    }
    CompletableFuture<Void> closed = CompletableFuture.runAsync(db::close);
    sender.join();
    gate.open();
    closed.handle((done, failure) -> failure).join();
    assertThatThrownBy(waiting::join).hasMessageContaining("as if");
    assertThat(told.stored).hasSize(refused.get() - 1).hasSizeGreaterThan(10);
    assertThat(told.stored.values()).containsOnly(1);
    assertThat(told.failed).isEmpty();
  }

  /**
   * Puts points until they are refused, because the writer closes, or the queue is full. Returns
   * the number of the one that was refused.
   */
  private int awaitClosing(SeriesWriter series, int first) {
    int next = first;
    try {
      while (true) {
        series.put(HOUR + next, 1L, told, next);
        next++;
      }
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageContaining("closed");
      return next;
    }
  }

  @Test
  void aConstructorThatThrowsLeavesNoThread() {
    TsdbOptions withoutTables = TsdbOptions.defaults().with(Settings.CREATE_TABLES, "false");
    List<Thread> before = writers();
    assertThatThrownBy(() -> Tsdb.over(store, withoutTables)).isInstanceOf(StoreException.class);
    assertThat(writers()).isSubsetOf(before);
  }

  private static List<Thread> writers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("hourstone-"))
        .toList();
  }

  @Test
  void closingHasADeadlineForMetadataToo() throws Exception {
    Tsdb db = open(counting());
    Gate gate = store.gate(METADATA, () -> {}); // never opened: until it is interrupted
    put(db, 0).join();
    gate.awaitReached();
    clock.advance(Duration.ofDays(1));
    CompletableFuture<Void> closed = CompletableFuture.runAsync(db::close);
    while (!closed.isDone()) {
      clock.advance(Duration.ofDays(1));
      Thread.onSpinWait();
    }
    closed.join();
    assertThat(db.metadata().failures().count()).isPositive();
    assertThat(told.failed).isEmpty();
  }

  @Test
  void closingIsRefusedWhereItWouldWaitForItself() {
    Tsdb db = open(counting());
    Gate gate = store.gate(POINTS, () -> {});
    CompletableFuture<?> byReceipt =
        put(db, 0)
            .handle(
                (done, failure) -> {
                  db.close();
                  return true;
                });
    gate.open();
    assertThatThrownBy(byReceipt::join).hasRootCauseInstanceOf(IllegalStateException.class);
    CompletableFuture<Void> byListener = new CompletableFuture<>();
    db.metadata()
        .onNewSeries(
            meta -> {
              try {
                db.close();
                byListener.complete(null);
              } catch (IllegalStateException e) {
                byListener.completeExceptionally(e);
              }
            });
    db.put("other", Instant.ofEpochSecond(HOUR), 1L, Tags.of("h", "a"));
    db.flush();
    assertThatThrownBy(byListener::join).hasRootCauseInstanceOf(IllegalStateException.class);
    put(db, 1).join();
    db.close();
    assertThat(db.writer().stats().stored()).isEqualTo(3);
    assertThat(db.writer().stats().alive()).isZero();
  }
}
