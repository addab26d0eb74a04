package org.hourstone.tool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hourstone.RetentionSettings;
import org.hourstone.RollupSettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.query.Query;
import org.hourstone.rewrite.Keep;
import org.hourstone.table.TableListener;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@code fsck} finds in the tables of rollups, and {@code rollup --verify} repairs. */
class RollupFsckTest {
  private static final long HOUR = 3_600;
  private static final long DAY = 24 * HOUR;
  private static final long START = 20_000 * DAY;

  private static final Family HOURS = new Family("tsdb-rollup-1h", "t");
  private static final Family DAYS = new Family("tsdb-rollup-1d", "t");
  private static final Family MARKS = new Family("tsdb-rollup-state", "r");

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(START + 3 * DAY));
  private final KeyValueStore store = new ModelStore(clock);
  private final Tsdb db =
      Tsdb.over(
          store,
          TsdbOptions.defaults()
              .withClock(clock)
              .with(Settings.COMPACTION_BACKGROUND, "false")
              .with(RollupSettings.AUTO, "1h,1d")
              .with(RetentionSettings.RULES, "* raw 30d, 1h 10y, 1d 10y"));

  private byte[] series;

  @BeforeEach
  void rollUpTwoHours() {
    for (long hour : List.of(5L, 30L)) {
      put(START + hour * HOUR);
    }
    db.flush();
    rollUp();
    series = db.engine().seriesNames().tsuid("m", Map.of("host", "a"));
  }

  private void put(long seconds) {
    db.put("m", Instant.ofEpochSecond(seconds), 7, Tags.of("host", "a")).join();
  }

  private void rollUp() {
    var unused = db.ownRollups().orElseThrow().run(() -> false, done -> {}, rows -> {});
  }

  private long verify() {
    return db.ownRollups().orElseThrow().verify(() -> false, done -> {});
  }

  @AfterEach
  void close() {
    db.close();
    store.close();
  }

  private List<String> found() {
    List<String> texts = new ArrayList<>();
    FsckListener listener =
        new FsckListener() {
          @Override
          public void found(FsckFinding finding) {
            texts.add(finding.kind().label() + ": " + finding.text());
          }

          @Override
          public void removing(Family family, Row cells) {
            throw new AssertionError(cells);
          }
        };
    FsckReport report =
        Admin.of(db).fsck(new FsckOptions(true, Set.of(), Keep.NEWEST, 1), listener).fullScan(null);
    assertThat(report.found().values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(texts.size());
    return texts;
  }

  private byte[] row(long base) {
    return db.engine().keys().rowKey(series, base);
  }

  private void deleteBehind(Family family, byte[] row) {
    store.mutate(family, List.of(new RowMutation(row, List.of(new Change.DeleteRow()))));
  }

  @Test
  void nothingIsFoundInWhatWasRolledUp() {
    assertThat(found()).isEmpty();
  }

  @Test
  void aValueOfAnotherLengthThanItsQualifierSaysIsFound() {
    store.put(HOURS, row(START), new byte[] {0, 0, 0x50}, new byte[] {1, 2, 3});

    assertThat(found()).containsExactly("bad-rollup: 3 bytes of a value of 1 in tsdb-rollup-1h");
    assertThat(verify()).isEqualTo(1);
    assertThat(found()).isEmpty();
  }

  @Test
  void aRowThatIsOfNoSeriesIsFound() {
    store.put(DAYS, new byte[] {0, 0, 1, 9}, new byte[] {0, 0, 0}, new byte[] {1});

    assertThat(found()).containsExactly("bad-rollup: a key of 4 bytes in tsdb-rollup-1d");
  }

  @Test
  void valuesWhosePointsAreGoneAreFound() {
    deleteBehind(db.engine().tables().points(), row(START + 30 * HOUR));

    assertThat(found())
        .containsExactly(
            "rollup-without-points: values in tsdb-rollup-1d of no points at "
                + Instant.ofEpochSecond(START + DAY),
            "rollup-without-points: values in tsdb-rollup-1h of no points at "
                + Instant.ofEpochSecond(START + 30 * HOUR));
    assertThat(verify()).isEqualTo(2);
    assertThat(found()).isEmpty();
  }

  @Test
  void valuesOfPointsThatWereDeletedByRequestAreMarkedAndNotFound() {
    var unused = db.delete(Query.parse("none:m").between(Instant.EPOCH, clock.instant()));

    assertThat(found()).isEmpty();
  }

  @Test
  void valuesOfPointsThatHaveExpiredAreNotFound() {
    clock.advance(Duration.ofDays(29));
    put(START + 32 * DAY);
    db.flush();
    rollUp();
    assertThat(db.retention().run(false, false, 1, TableListener.NONE).rows()).isPositive();

    assertThat(found()).isEmpty();
  }

  @Test
  void aMarkOfARowThatDoesNotExistIsFound() {
    byte[] row = row(START + 7 * HOUR);
    byte[] mark = new byte[1 + row.length];
    mark[0] = 1;
    System.arraycopy(row, 0, mark, 1, row.length);
    store.put(MARKS, mark, "reason".getBytes(UTF_8), new byte[] {1, 0});

    assertThat(found()).containsExactly("stray-mark: a mark (POINTS) of a row that has no cells");
    verify();
    assertThat(found()).isEmpty();
  }
}
