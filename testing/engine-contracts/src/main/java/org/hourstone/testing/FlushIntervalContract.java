package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When points are acknowledged that are buffered for the flush interval. */
public abstract class FlushIntervalContract extends OpenRowsCase {
  private static final int INTERVAL = 60;

  @BeforeEach
  final void openDatabase() {
    open(Policy.INTERVAL);
  }

  /** Qualifier lengths of the cells of the metric's rows, row by row. */
  private List<String> cells(String metric) {
    List<String> cells = new ArrayList<>();
    byte[] start = db.uids().uid(UidKind.METRIC, metric);
    byte[] stop = start.clone();
    stop[stop.length - 1]++;
    try (RowCursor rows = store.scan(db.engine().tables().points(), Scan.range(start, stop))) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        StringBuilder lengths = new StringBuilder();
        for (int i = 0; i < row.size(); i++) {
          lengths.append(i == 0 ? "" : " ").append(row.qualifier(i).length);
        }
        cells.add(lengths.toString());
      }
    }
    return cells;
  }

  private List<String> read(Tsdb from, String metric) {
    List<String> points = new ArrayList<>();
    Query query = Query.parse("none:" + metric).betweenMillis(HOUR * 1000, (HOUR + 864_000) * 1000);
    try (SeriesCursor all = from.query(query)) {
      all.forEach(
          series -> {
            for (int i = 0; i < series.size(); i++) {
              points.add((series.millis(i) / 1000 - HOUR) + "=" + series.text(i));
            }
          });
    }
    return points;
  }

  @Test
  final void pointsOfARowThatComeWithinTheIntervalAreOneCell() {
    put(0, 1);
    letTheWriterCatchUp();
    clock.advance(Duration.ofSeconds(INTERVAL - 1));
    put(10, 2);
    letTheWriterCatchUp();
    assertThat(told.times).isEmpty();
    clock.advance(Duration.ofSeconds(1));
    letTheWriterCatchUp();
    told.await(0);
    told.await(10);
    assertThat(cells("m")).containsExactly("4");
    assertThat(read(db, "m")).containsExactly("0=1", "10=2");
    put(20, 3);
    letTheWriterCatchUp();
    assertThat(told.times).containsOnlyKeys(0L, 10L);
    db.flush();
    assertThat(told.stored).containsExactly(0L, 10L, 20L);
    assertThat(cells("m")).containsExactly("4 2");
  }

  @Test
  final void theIntervalPassesWithoutAnotherPointComing() {
    put(0, 1);
    letTheWriterCatchUp();
    clock.advance(Duration.ofSeconds(INTERVAL));
    told.await(0);
    assertThat(read(db, "m")).containsExactly("0=1");
  }

  @Test
  final void aClockThatIsPutBackHoldsNothingForLonger() {
    put(0, 1);
    letTheWriterCatchUp();
    clock.advance(Duration.ofHours(-5));
    told.await(0);
  }

  @Test
  final void whoWaitsForAPointHasItsRowWrittenAndNoOther() {
    put(0, 1);
    CompletableFuture<?> waited = db.putLine("put n " + HOUR + " 5 host=web01");
    db.putLine("put n " + (HOUR + 1) + " 6 host=web01");
    letTheWriterCatchUp(); // else the row might be written between its points
    waited.join();
    db.put("o", Instant.ofEpochSecond(HOUR), 1, Tags.of("host", "a")).thenApply(v -> 1).join();
    assertThat(cells("n")).containsExactly("4");
    assertThat(told.times).isEmpty();
  }

  @Test
  final void aStageThatDependsOnAPointIsNotKeptWaiting() {
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      all.add(db.putLine("put n " + (HOUR + i) + " 5 host=web01"));
    }
    CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0])).join();
    put(0, 1);
    assertThat(told.times).isEmpty();
    assertThat(read(db, "n")).hasSize(10);
  }

  @Test
  final void aReceiptMayReportThatACallerWaits() {
    put(0, 1);
    letTheWriterCatchUp();
    assertThat(told.times).isEmpty();
    told.awaited = true;
    told.await(0);
    put(1, 2);
    told.await(1);
    assertThat(read(db, "m")).containsExactly("0=1", "1=2");
  }

  @Test
  final void appendsOfTheIntervalAreOneAppend() {
    db.close();
    db = Tsdb.over(store, options(Policy.INTERVAL_OF_APPENDS));
    put(10, 1);
    letTheWriterCatchUp();
    put(0, 2);
    letTheWriterCatchUp();
    assertThat(told.times).isEmpty();
    db.flush();
    byte[] key = db.writer().series("m", WEB01).tsuid();
    Row row = onlyRow(key);
    assertThat(row.size()).isEqualTo(1);
    assertThat(row.value(0)).hasSize(6);
    assertThat(read(db, "m")).containsExactly("0=2", "10=1");
  }

  private Row onlyRow(byte[] tsuid) {
    byte[] key = new byte[tsuid.length + 4];
    System.arraycopy(tsuid, 0, key, 0, 3);
    System.arraycopy(java.nio.ByteBuffer.allocate(4).putInt((int) HOUR).array(), 0, key, 3, 4);
    System.arraycopy(tsuid, 3, key, 7, tsuid.length - 3);
    return store.get(db.engine().tables().points(), key, Columns.all());
  }

  @Test
  final void whereEachPointIsACellNothingIsBuffered() {
    db.close();
    db = Tsdb.over(store, db.engine().options().with(Settings.WRITE_PACKS, "false"));
    put(0, 1);
    told.await(0);
  }
}
