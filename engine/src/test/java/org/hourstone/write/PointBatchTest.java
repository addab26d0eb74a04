package org.hourstone.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.error.RequestException;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Row;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PointBatchTest {
  private static final long HOUR = 1_500_001_200;
  private static final Map<String, String> TAGS = Map.of("host", "web01");
  private static final HexFormat HEX = HexFormat.of();

  private final ModelStore store =
      new ModelStore(new ManualClock(Instant.parse("2026-01-01T00:00:00Z")));

  @AfterEach
  void close() {
    store.close();
  }

  /** Completes when what it is handed in with is stored. */
  private static final class Done extends CompletableFuture<String> implements Receipt {
    @Override
    public void stored(long token) {
      complete("stored");
    }

    @Override
    public void failed(long token, RuntimeException reason) {
      completeExceptionally(reason);
    }
  }

  private static void persist(PointBatch batch) {
    Done done = new Done();
    batch.persist(done, 0);
    assertThat(done.join()).isEqualTo("stored");
  }

  private Tsdb open(TsdbOptions options) {
    return Tsdb.over(store, options.with(Settings.COMPACTION_BACKGROUND, "false"));
  }

  /** The cells of the series' row, as qualifier and value. */
  private List<String> cells(Tsdb db, long hour) {
    byte[] key = HEX.parseHex("000001" + HEX.toHexDigits((int) hour) + "000001000001");
    Row row = store.get(db.engine().tables().points(), key, Columns.all());
    List<String> cells = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      cells.add(HEX.formatHex(row.qualifier(i)) + "=" + HEX.formatHex(row.value(i)));
    }
    return cells;
  }

  private static List<String> read(Tsdb db) {
    List<String> points = new ArrayList<>();
    Query query = Query.parse("none:m").betweenMillis(HOUR * 1000, (HOUR + 86_400) * 1000);
    try (SeriesCursor cursor = db.query(query)) {
      cursor.forEach(
          series -> {
            for (int i = 0; i < series.size(); i++) {
              points.add(series.millis(i) + "=" + series.text(i));
            }
          });
    }
    return points;
  }

  @Test
  void theCellOfABatchEndsWithTheByteThatCellsOfSeveralPointsHave() {
    try (Tsdb db = open(TsdbOptions.defaults())) {
      PointBatch batch = db.writer().batch("m", TAGS);
      batch.add(HOUR, 1);
      batch.add(HOUR * 1000 + 500, 300);
      persist(batch);
      assertThat(cells(db, HOUR)).containsExactly("0000f0007d01=01012c01");
      assertThat(read(db)).containsExactly(HOUR + "000=1", HOUR + "500=300");
    }
  }

  @Test
  void inStrictModeItDoesNot() {
    TsdbOptions strict =
        TsdbOptions.openTsdbDefaults()
            .with(Settings.AUTO_CREATE_METRICS, "true")
            .with(Settings.STRICT, "all,-rows");
    try (Tsdb db = open(strict)) {
      PointBatch batch = db.writer().batch("m", TAGS);
      batch.add(HOUR, 1);
      batch.add(HOUR + 1, 2.5f);
      persist(batch);
      batch.add(HOUR + 3600, 7);
      persist(batch);
      assertThat(cells(db, HOUR)).containsExactly("0000001b=0140200000");
      assertThat(cells(db, HOUR + 3600)).containsExactly("0000=07");
      assertThat(read(db)).hasSize(3);
    }
  }

  @Test
  void aBatchThatIsTooLargeForOneCellBecomesSeveral() {
    try (Tsdb db = open(TsdbOptions.defaults().with(Settings.MAX_CELL_BYTES, "100"))) {
      PointBatch batch = db.writer().batch("m", TAGS);
      for (int i = 0; i < 100; i++) {
        batch.add(HOUR + i, 1.5);
      }
      assertThat(batch.size()).isEqualTo(100);
      persist(batch);
      assertThat(batch.size()).isZero();
      assertThat(cells(db, HOUR)).hasSizeGreaterThan(1);
      assertThat(read(db)).hasSize(100);
    }
  }

  @Test
  void pointsOutOfOrderOrOfAnotherHourAreRefusedAndTheOthersStay() {
    try (Tsdb db = open(TsdbOptions.defaults())) {
      PointBatch batch = db.writer().batch("m", TAGS);
      batch.add(HOUR + 10, 1);
      assertThatThrownBy(() -> batch.add(HOUR + 10, 2))
          .isInstanceOf(RequestException.class)
          .hasMessageStartingWith(
              "New timestamp=1500001210 is less than or equal to previous=1500001210000"
                  + " when trying to add value=[2] to metric=m");
      assertThatThrownBy(() -> batch.add(HOUR + 3600, 2))
          .isInstanceOf(RequestException.class)
          .hasMessageContaining("is not in the hour of the batch, which starts at 1500001200");
      assertThatThrownBy(() -> batch.add(HOUR + 20, Double.NaN))
          .isInstanceOf(RequestException.class)
          .hasMessageContaining("NaN");
      persist(batch);
      assertThat(read(db)).containsExactly(HOUR + 10 + "000=1");
      assertThatThrownBy(() -> batch.persist(new Done(), 0))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aBatchIsWrittenAfterThePointsThatWerePutBefore() {
    try (Tsdb db = open(TsdbOptions.defaults())) {
      for (int i = 0; i < 100; i++) {
        db.writer().put("m", TAGS, HOUR, i, new Done(), 0);
      }
      PointBatch batch = db.writer().batch("m", TAGS);
      batch.add(HOUR, 1000);
      batch.add(HOUR + 1, 1001);
      persist(batch);
      assertThat(read(db)).containsExactly(HOUR + "000=1000", HOUR + 1 + "000=1001");
    }
  }

  @Test
  void anOrderedSeriesRefusesWhatIsNotLater() {
    try (Tsdb db = open(TsdbOptions.defaults())) {
      OrderedSeriesWriter series = db.writer().orderedSeries("m", TAGS);
      series.put(HOUR, 1, new Done(), 0);
      series.put(HOUR * 1000 + 1, 2, new Done(), 0);
      assertThatThrownBy(() -> series.put(HOUR, 3, new Done(), 0))
          .isInstanceOf(RequestException.class)
          .hasMessageStartingWith("New timestamp=1500001200 is less than or equal to");
      series.put(HOUR + 7200, 4, new Done(), 0);
      db.flush();
      assertThat(read(db)).containsExactly(HOUR + "000=1", HOUR + "001=2", HOUR + 7200 + "000=4");
    }
  }
}
