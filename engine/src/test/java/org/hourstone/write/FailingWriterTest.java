package org.hourstone.write;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Limits;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.junit.jupiter.api.Test;

/**
 * Writers fail visibly: whatever is thrown where, each receipt completes once, nothing waits for
 * ever, and an error is reported.
 */
class FailingWriterTest extends WriterCase {
  /** Of the series of {@link #put}. */
  private static final byte[] ROW =
      HexFormat.of().parseHex("000001" + Long.toHexString(HOUR) + "000001000001");

  @Test
  void aThreadGoesOnAfterAnError() throws Exception {
    Tsdb db = open(held());
    put(db, 0).join();
    Gate gate = store.gate(POINTS, DIE);
    db.writer().put("held", A, HOUR, 1L, told, 1);
    CompletableFuture<?> inTheBatch = put(db, 1);
    CompletableFuture<Void> waiting = CompletableFuture.runAsync(inTheBatch::join);
    gate.awaitReached();
    db.writer().put("queued", A, HOUR, 1L, told, 2);
    store.before = family -> {};
    gate.open();
    assertThatThrownBy(waiting::join)
        .hasRootCauseInstanceOf(StoreException.class)
        .hasMessageContaining("as if");
    for (int i = 2; i < 100; i++) {
      var unused = put(db, i);
    }
    assertThatThrownBy(db::flush).hasMessageContaining("1 points were not stored");
    assertThat(told.stored).isEqualTo(Map.of(1L, 1, 2L, 1));
    assertThat(told.failed).isEmpty();
    assertThat(db.writer().stats().alive()).isEqualTo(1);
    assertThat(db.writer().stats().restarts()).isEqualTo(1);
    assertThat(db.writer().stats().failed()).isEqualTo(1);
    db.close();
    synchronized (reported) {
      assertThat(reported).anyMatch(thrown -> "as if".equals(thrown.getMessage()));
    }
  }

  /** An error of each call: closing ends nevertheless. */
  @Test
  void aThreadThatOnlyMeetsErrorsEndsWhenItIsClosed() {
    Tsdb db = open(unheld().with(Settings.HEAD, "true"));
    put(db, 0).join();
    store.before =
        family -> {
          throw new StackOverflowError("as if");
        };
    assertThatThrownBy(() -> put(db, 1).join()).hasMessageContaining("as if");
    assertThatThrownBy(db::close).isInstanceOf(Throwable.class);
    store.before = family -> {};
    try (Tsdb again = open(unheld().with(Settings.HEAD, "true"))) {
      again.flush();
      assertThat(store.get(again.engine().tables().points(), ROW, Columns.all()).isEmpty())
          .isFalse();
    }
  }

  @Test
  void aReceiptAndAHandlerThatThrowErrorsStopNothing() {
    try (Tsdb db = open(unheld())) {
      put(db, 0).join();
      store.before =
          family -> {
            if (family.table().equals(POINTS)) {
              throw new IllegalStateException("not a StoreException");
            }
          };
      Receipt bad =
          new Receipt() {
            @Override
            public void stored(long token) {
              throw new OutOfMemoryError("as if");
            }

            @Override
            public void failed(long token, RuntimeException reason) {
              throw new OutOfMemoryError("as if");
            }

            @Override
            public boolean isAwaited() {
              throw new StackOverflowError("as if");
            }
          };
      db.writer().put("m", A, HOUR, 1L, bad, 0);
      db.writer().flush();
      store.before = family -> {};
      db.writer().put("m", A, HOUR, 1L, bad, 0);
      for (int i = 1; i < 200; i++) {
        var unused = put(db, i);
      }
      db.flush();
      assertThat(db.writer().stats().alive()).isEqualTo(1);
      assertThat(db.writer().stats().failed()).isEqualTo(1);
      assertThat(db.writer().stats().stored()).isEqualTo(201);
    }
  }

  @Test
  void aCellThatIsTooLargeFailsNoOther() throws Exception {
    try (Tsdb db = open(unheld())) {
      Gate gate = store.gate(POINTS, () -> {});
      db.writer().put("first", A, HOUR, 1L, told, 1);
      gate.awaitReached();
      db.writer().put("m", A, HOUR, 1L, told, 2);
      byte[] tooLarge = new byte[Limits.VALUE + 1];
      db.writer()
          .putCell(db.engine().tables().points(), new byte[16], new byte[1], tooLarge, told, 3);
      db.writer().put("n", A, HOUR, 1L, told, 4);
      gate.open();
      db.writer().flush();
      assertThat(told.stored).isEqualTo(Map.of(1L, 1, 2L, 1, 4L, 1));
      assertThat(told.failed).isEqualTo(Map.of(3L, 1));
    }
  }

  /** A listener that ignores what it hears. */
  private static class Unheard implements ImportListener {
    @Override
    public void rejected(String place, String reason) {}

    @Override
    public void read(long lines) {}

    @Override
    public void stored(String file, long lineNumber) {}
  }

  @Test
  void everyLineIsAccountedForAfterErrors() {
    Tsdb db = open(unheld().with(MemorySettings.WRITE_THREADS, "2"));
    store.before =
        family -> {
          if (family.table().equals(POINTS)) {
            throw new StackOverflowError("as if");
          }
        };
    List<String> rejected = new ArrayList<>();
    ImportListener listener =
        new Unheard() {
          @Override
          public void rejected(String place, String reason) {
            rejected.add(place);
          }
        };
    Importer importer = db.importer(db.engine().options().importOptions(true), listener);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      lines.append("m ").append(HOUR + i % 50).append(" 1 h=").append(i % 7).append('\n');
    }
    InputStream file = new ByteArrayInputStream(lines.toString().getBytes(UTF_8));
    assertThatThrownBy(() -> importer.run("f", file)).hasMessageContaining("the store failed");
    ImportReport report = importer.report();
    assertThat(report.stored() + report.rejected()).isEqualTo(report.lines());
    assertThat(rejected).hasSize((int) report.rejected()).doesNotHaveDuplicates();
    db.close();
  }

  /** Each batch of the many that wait would else take as long as the first. */
  @Test
  void anImportIntoADeadStoreRepeatsOneBatch() {
    Tsdb db =
        open(
            unheld()
                .with(MemorySettings.WRITE_BATCH, "1")
                .with(MemorySettings.WRITE_THREADS, "1")
                .with(MemorySettings.WRITE_ATTEMPTS, "12"));
    store.before =
        family -> {
          if (family.table().equals(POINTS)) {
            throw new StoreException(Outcome.NOT_APPLIED, "unreachable");
          }
        };
    Importer importer = db.importer(db.engine().options().importOptions(false), new Unheard());
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      lines.append("m ").append(HOUR + i * 3600L).append(" 1 h=a\n");
    }
    InputStream file = new ByteArrayInputStream(lines.toString().getBytes(UTF_8));
    assertThatThrownBy(() -> importer.run("f", file)).hasMessageContaining("the store failed");
    assertThat(importer.report().rejected()).isEqualTo(100);
    assertThat(store.batches.get()).isBetween(12, 12 + 100);
    store.before = family -> {};
    db.close();
  }

  /** As without a journal. */
  @Test
  void anImportIntoADeadJournalRepeatsOneRecord() {
    AtomicInteger attempts = new AtomicInteger();
    Tsdb db =
        open(
            TsdbOptions.defaults()
                .with(Settings.HEAD, "true")
                .with(MemorySettings.WRITE_BATCH, "1")
                .with(MemorySettings.WRITE_ATTEMPTS, "6"));
    store.before =
        family -> {
          if (family.table().equals(JOURNAL)) {
            attempts.incrementAndGet();
            throw new StoreException(Outcome.NOT_APPLIED, "as if unreachable");
          }
        };
    Importer importer = db.importer(db.engine().options().importOptions(false), new Unheard());
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      lines.append("m ").append(HOUR + i * 3600L).append(" 1 h=").append(i).append('\n');
    }
    InputStream file = new ByteArrayInputStream(lines.toString().getBytes(UTF_8));
    assertThatThrownBy(() -> importer.run("f", file)).hasMessageContaining("the store failed");
    int rejected = (int) importer.report().rejected();
    assertThat(rejected).isGreaterThan(2);
    assertThat(attempts.get())
        .as("one for each record, and some for what flushes say of rows")
        .isBetween(6 + rejected - 1, 6 + 2 * rejected);

    attempts.set(0);
    db.writer().put("other", A, HOUR, 1L, told, 1); // which has not said that it gives up
    flushThoughItMayFail(db);
    assertThat(told.failed).isEqualTo(Map.of(1L, 1));
    assertThat(attempts.get()).isGreaterThanOrEqualTo(6);

    store.before = family -> {};
    db.writer().put("other", A, HOUR, 1L, told, 2);
    db.flush();
    assertThat(told.stored).isEqualTo(Map.of(2L, 1));
    db.close();
  }

  /** Others have not said that they give up. */
  @Test
  void anImportDoesNotCostOthersTheirAttempts() {
    Tsdb db =
        open(
            unheld()
                .with(MemorySettings.WRITE_BATCH, "1")
                .with(MemorySettings.WRITE_ATTEMPTS, "3"));
    store.before =
        family -> {
          if (family.table().equals(POINTS) && store.batches.get() <= 3 + 2) {
            throw new StoreException(Outcome.NOT_APPLIED, "unreachable");
          }
        };
    Importer importer =
        db.importer(
            db.engine().options().importOptions(false),
            new Unheard() {
              @Override
              public void read(long lines) {
                if (lines > 0) {
                  db.writer().put("other", A, HOUR, 1L, told, 1);
                  db.writer().put("another", A, HOUR, 1L, told, 2);
                }
              }
            });
    importer.run("f", new ByteArrayInputStream("m 1356998400 1 h=a\n".getBytes(UTF_8)));
    assertThat(told.failed).isEqualTo(Map.of(1L, 1));
    assertThat(told.stored).isEqualTo(Map.of(2L, 1));
    assertThat(importer.report().stored()).isEqualTo(1);
    db.close();
  }

  @Test
  void aFutureIsWrittenSoonWhateverWaitsForIt() {
    try (Tsdb db = open(held())) {
      FutureReceipt one = new FutureReceipt(db.writer());
      FutureReceipt other = new FutureReceipt(db.writer());
      FutureReceipt dropped = new FutureReceipt(db.writer());
      db.writer().put("m", A, HOUR, 1L, one, 0);
      db.writer().put("n", A, HOUR, 1L, other, 0);
      db.writer().put("o", A, HOUR, 1L, dropped, 0);
      var unused = dropped.thenApply(done -> 1);
      CompletableFuture.allOf(one, other.thenApply(done -> 1)).join();
      assertThat(dropped).isNotDone();
    }
  }

  @Test
  void aSeriesKeepsItsTagsInTheOrderGiven() {
    try (Tsdb db = open(unheld())) {
      Map<String, String> tags = new LinkedHashMap<>();
      for (String tag : List.of("g", "c", "a", "e", "f", "b", "d")) {
        tags.put(tag, "v");
      }
      assertThat(db.writer().series("m", tags).tags().keySet())
          .containsExactly("g", "c", "a", "e", "f", "b", "d");
    }
  }
}
