package org.hourstone.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.testkit.store.ModelStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries over rows and cells that are not what the format allows. */
class CorruptRowsTest {
  private static final Instant START = Instant.ofEpochSecond(1_500_001_200);
  private static final byte[] ROW = hex("000001596833b0000001000001");

  private final KeyValueStore store = new ModelStore(InstantSource.system());
  private Tsdb db = Tsdb.over(store, TsdbOptions.defaults());

  private record Answer(List<String> points, Corruption corruption) {}

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  @BeforeEach
  void putPoints() {
    db.put("m", START, 1, Tags.of("host", "a"));
    db.put("m", START.plusSeconds(1), 2, Tags.of("host", "b"));
    db.flush();
  }

  @AfterEach
  void close() {
    db.close();
    store.close();
  }

  private void put(byte[] row, String qualifier, String value) {
    store.put(db.engine().tables().points(), row, hex(qualifier), hex(value));
  }

  private void skip(KeyValueStore over) {
    db.close();
    db = Tsdb.over(over, db.engine().options().with(QuerySettings.CORRUPT_ROWS, "skip"));
  }

  private Answer ask() {
    List<String> points = new ArrayList<>();
    Query query = Query.parse("none:m").between(START, START.plusSeconds(3599));
    try (SeriesCursor series = db.query(query)) {
      series.forEach(
          one -> one.forEach((millis, value) -> points.add(millis % 3_600_000 + "=" + value)));
      return new Answer(points, series.corruption());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0020, ''",
    "0000f000, 0405",
    "00300040, 04",
    "050000, 0003",
    "002b, ffffffff42280000",
    "0022, 010203"
  })
  void aCorruptCellFailsTheQueryOrIsSkipped(String qualifier, String value) {
    put(ROW, qualifier, value);
    assertThatThrownBy(this::ask)
        .isInstanceOf(CorruptDataException.class)
        .hasMessageStartingWith(
            "row 000001596833b0000001000001 of tsdb:t, cell " + qualifier + ": ");

    skip(store);
    Answer answer = ask();

    assertThat(answer.points()).containsExactly("0=1.0", "1000=2.0");
    assertThat(answer.corruption().count()).isEqualTo(1);
    assertThat(answer.corruption().first()).hasSize(1).first().asString().contains(qualifier);
  }

  @Test
  void whatWasAppendedBeforeTheCorruptionIsRead() {
    put(ROW, "050000", "002005" + "003006" + "0043");
    skip(store);
    assertThat(ask().points()).containsExactly("0=1.0", "2000=5.0", "3000=6.0", "1000=2.0");
  }

  @ParameterizedTest
  @CsvSource({"000001596833b0", "000001596833b00000010000", "00000159683400"})
  void aRowWithAnImpossibleKeyIsNamed(String key) {
    put(hex(key), "0000", "01");
    assertThatThrownBy(this::ask)
        .isInstanceOf(CorruptDataException.class)
        .hasMessage("row " + key + " of tsdb:t is not a series' row: odd length");

    skip(store);

    assertThat(ask().points()).containsExactly("0=1.0", "1000=2.0");
    assertThat(ask().corruption().count()).isEqualTo(1);
  }

  @Test
  void aRowOfAnotherMetricIsNamed() {
    Row stray =
        Row.of(
            hex("000002596833b0000001000001"),
            new byte[][] {{0, 0}},
            new byte[][] {{1}},
            new long[] {1});
    AtomicBoolean strayed = new AtomicBoolean();
    KeyValueStore confused =
        new ForwardingStore(store) {
          @Override
          public RowCursor scan(Family family, Scan scan) {
            RowCursor rows = super.scan(family, scan);
            if (!family.equals(TsdbOptions.defaults().tables().points())) {
              return rows;
            }
            return new RowCursor() {
              @Override
              public @Nullable Row next() {
                return strayed.compareAndSet(true, false) ? stray : rows.next();
              }

              @Override
              public void close() {
                rows.close();
              }
            };
          }
        };
    skip(confused);
    strayed.set(true);
    Answer answer = ask();
    assertThat(answer.points()).containsExactly("0=1.0", "1000=2.0");
    assertThat(answer.corruption().first())
        .containsExactly("row 000002596833b0000001000001 of tsdb:t is not of the requested metric");
  }

  @Test
  void onlyTheFirstCorruptionIsNamedButAllIsCounted() {
    for (int i = 0; i < 100; i++) {
      put(ROW, HexFormat.of().formatHex(new byte[] {(byte) i, 0x20}), "");
    }
    skip(store);
    assertThat(ask().corruption().count()).isEqualTo(100);
    assertThat(ask().corruption().first()).hasSize(10);
  }

  @Test
  void conflictingPointsFailTheQueryEvenIfCorruptionIsSkipped() {
    put(ROW, "0001", "0102");
    skip(store);
    assertThat(ask().corruption().count()).isZero();
    db.close();
    db = Tsdb.over(store, db.engine().options().with(QuerySettings.FIX_DUPLICATES, "false"));
    assertThatThrownBy(this::ask).hasMessageContaining("Duplicate timestamp");
  }

  /** Whichever of the two it does, a query that rewrites rows is none the worse for it. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void aRowThatCannotBeRewrittenIsRead(boolean compacts) {
    db.close();
    db =
        Tsdb.over(
            new ForwardingStore(store) {
              @Override
              public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
                throw new StoreException(StoreException.Outcome.REJECTED, "hidden by a deletion");
              }
            },
            db.engine()
                .options()
                .with(QuerySettings.CORRUPT_ROWS, "skip")
                .with(Settings.STRICT, "rows")
                .with(Settings.ENABLE_COMPACTION, String.valueOf(compacts))
                .with(Settings.REPAIR_APPENDS, "true"));
    put(ROW, "050000", "003006" + "002005");
    assertThat(ask().points()).containsExactly("0=1.0", "2000=5.0", "3000=6.0", "1000=2.0");
    put(ROW, "050000", "003006" + "002005" + "0043");
    assertThat(ask().points()).containsExactly("0=1.0", "2000=5.0", "3000=6.0", "1000=2.0");
  }

  @Test
  void aReadChangesNothing() {
    put(ROW, "0020", "03");
    db.close();
    db = Tsdb.over(store, db.engine().options().with(Settings.REPAIR_APPENDS, "true"));
    put(ROW, "050000", "004004003003");
    int cells = store.get(db.engine().tables().points(), ROW, Columns.all()).size();
    ask();
    assertThat(store.get(db.engine().tables().points(), ROW, Columns.all()).size())
        .isEqualTo(cells);
    assertThat(store.get(db.engine().tables().points(), ROW, Columns.all()).find(hex("050000")))
        .isEqualTo(hex("004004003003"));
  }
}
