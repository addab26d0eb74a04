package org.hourstone.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.Trait;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How much of a table and of a row is rewritten at a time, and on which stores cells are kept. */
class LargeRowsTest {
  private static final long HOUR = 1_356_984_000;
  private static final int MOST_CELLS = 4096;
  private static final int MOST_ROWS = 1000;

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(HOUR + 3600));
  private final Observer store = new Observer(new ModelStore(clock));
  private final Tsdb db =
      Tsdb.over(
          store,
          TsdbOptions.defaults()
              .withClock(clock)
              .with(Settings.CREATE_TABLES, "true")
              .with(Settings.COMPACTION_BACKGROUND, "false"));

  LargeRowsTest() {
    db.uids().assign(UidKind.METRIC, "m");
    db.uids().assign(UidKind.TAGK, "host");
    for (int i = 0; i < 3000; i++) {
      db.uids().assign(UidKind.TAGV, "v" + i);
    }
  }

  @AfterEach
  void close() {
    db.close();
    store.close();
  }

  private static byte[] row(int value) {
    return ByteBuffer.allocate(13)
        .put(hex("000001"))
        .putInt((int) HOUR)
        .put(hex("000001"))
        .put(hex("%06x".formatted(value)))
        .array();
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  private CompactionReport compact(Tsdb with) {
    clock.advance(Duration.ofMinutes(2));
    return with.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
  }

  private static Change.Put put(int millis, int value) {
    int qualifier = 0xF0000000 | millis << 6;
    return new Change.Put(
        ByteBuffer.allocate(4).putInt(qualifier).array(), new byte[] {(byte) value});
  }

  private static Query all() {
    return Query.metric("m").betweenMillis(HOUR * 1000, HOUR * 1000 + 3_599_999);
  }

  private List<Long> values() {
    List<Long> values = new ArrayList<>();
    try (SeriesCursor series = db.query(all())) {
      series.forEach(
          one -> {
            for (int i = 0; i < one.size(); i++) {
              values.add((long) one.doubleValue(i));
            }
          });
    }
    return values;
  }

  private static List<Change> points(int count) {
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      changes.add(put(i * 100, i % 100));
    }
    return changes;
  }

  private static List<Long> expected(int count) {
    List<Long> expected = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      expected.add(i % 100);
    }
    return expected;
  }

  @Test
  void aRowOfManyCellsIsReplacedInPartsAndBecomesWhatItBecomesAtOnce() {
    store.mutate(db.engine().tables().points(), List.of(new RowMutation(row(1), points(20_000))));

    assertThat(compact(db)).isEqualTo(new CompactionReport(1, 1, 20_000, 4, 0, 0));

    assertThat(store.mostObserved).isEqualTo(MOST_CELLS);
    assertThat(values()).isEqualTo(expected(20_000));
    assertThat(compact(db).rewritten()).isZero();
  }

  @Test
  void cellsWithACommonTimestampAreReplacedTogether() {
    store.mutate(db.engine().tables().points(), List.of(new RowMutation(row(1), points(10_000))));
    clock.advance(Duration.ofMinutes(1));
    store.put(
        db.engine().tables().points(),
        row(1),
        hex("f0000000f00f423f".replace("3f", "00")),
        hex("010200"));
    List<Long> before = values();

    compact(db);

    assertThat(values()).isEqualTo(before);
    assertThat(compact(db).rewritten()).isZero();
  }

  @Test
  void thePointsOfManyCellsAreDeletedInParts() {
    store.mutate(db.engine().tables().points(), List.of(new RowMutation(row(1), points(10_000))));

    assertThat(db.delete(all())).isEqualTo(10_000);

    assertThat(store.mostObserved).isEqualTo(MOST_CELLS);
    assertThat(store.get(db.engine().tables().points(), row(1), Columns.all()).isEmpty()).isTrue();
  }

  /** A store keeps what a cursor may still read. */
  @Test
  void noCursorStaysOpenOverAWholeTable() {
    for (int i = 1; i <= 3000; i++) {
      store.mutate(db.engine().tables().points(), List.of(new RowMutation(row(i), points(2))));
    }
    store.mostRows = 0;

    assertThat(compact(db)).isEqualTo(new CompactionReport(3000, 3000, 6000, 3000, 0, 0));

    assertThat(store.mostRows).isEqualTo(MOST_ROWS);
  }

  /** Only what is appended at a time is limited, not what a cell gets by it. */
  @Test
  void aRowThatCannotBeRewrittenWithinTheLimitsIsSkipped() {
    Family points = db.engine().tables().points();
    store.append(points, row(1), hex("050000"), appended(1_000_000, 2_000_000));
    store.append(points, row(1), hex("050000"), appended(0, 1_000_000));
    store.append(points, row(2), hex("050000"), appended(1, 2));
    store.append(points, row(2), hex("050000"), appended(0, 1));
    clock.advance(Duration.ofMinutes(2));
    List<String> skipped = new ArrayList<>();
    TsdbOptions repairing =
        db.engine()
            .options()
            .with(Settings.REPAIR_APPENDS, "true")
            .with(Settings.COMPACT_APPENDS, "false");
    try (Tsdb with = Tsdb.over(store, repairing)) {
      CompactionListener listener =
          new CompactionListener() {
            @Override
            public void skipped(String reason) {
              skipped.add(reason);
            }
          };
      assertThat(with.compactor().run(CompactionScope.everything(), listener))
          .isEqualTo(new CompactionReport(2, 1, 1, 1, 0, 1));
    }
    assertThat(skipped)
        .containsExactly(
            "row "
                + HexFormat.of().formatHex(row(1))
                + " of "
                + points
                + ": 10000000 bytes of a value: more than 9000000");
  }

  private static byte[] appended(int fromMillis, int toMillis) {
    ByteBuffer cell = ByteBuffer.allocate(5 * (toMillis - fromMillis));
    for (int millis = fromMillis; millis < toMillis; millis++) {
      cell.putInt(0xF0000000 | millis << 6).put((byte) 1);
    }
    return cell.array();
  }

  /** An OpenTSDB deletes the cells it has merged, whatever they are by then. */
  @Test
  void noCellThatAnotherHasMergedIsWrittenAgainWhereOthersWrite() {
    Family points = db.engine().tables().points();
    store.shared = true;
    try (Tsdb bounded =
        Tsdb.over(store, db.engine().options().with(Settings.MAX_CELL_BYTES, "10"))) {
      store.put(points, row(1), hex("000000100020"), hex("01020300"));
      store.put(points, row(1), hex("00300040"), hex("040500"));
      store.put(points, row(1), hex("00000010002000300040"), hex("010203040500"));
      compact(bounded);
      store.mutate(
          points,
          List.of(
              new RowMutation(
                  row(1),
                  List.of(
                      new Change.Delete(hex("000000100020")),
                      new Change.Delete(hex("00300040"))))));
    }
    assertThat(values()).containsExactly(1L, 2L, 3L, 4L, 5L);
  }

  /** Sees how much is observed and read at a time. */
  private static final class Observer extends ForwardingStore {
    private int mostObserved;
    private int mostRows;
    private boolean shared;

    Observer(KeyValueStore delegate) {
      super(delegate);
    }

    @Override
    public Set<Trait> traits() {
      return shared ? Set.of(Trait.SHARED, Trait.MONOTONIC_WRITE_TIMES) : super.traits();
    }

    @Override
    public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
      mostObserved = Math.max(mostObserved, observed.size());
      return super.replaceCells(family, observed, replacement);
    }

    @Override
    public RowCursor scan(Family family, Scan scan) {
      RowCursor rows = super.scan(family, scan);
      return new RowCursor() {
        private int read;

        @Override
        public @Nullable Row next() {
          Row row = rows.next();
          read += row == null ? 0 : 1;
          mostRows = Math.max(mostRows, read);
          return row;
        }

        @Override
        public void close() {
          rows.close();
        }
      };
    }
  }
}
