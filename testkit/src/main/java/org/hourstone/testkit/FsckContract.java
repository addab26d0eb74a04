package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.hourstone.ConfigKey;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowDecoder;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.RowPoints;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.testkit.DamagedTable.Expected;
import org.hourstone.testkit.store.ForwardingStore;
import org.hourstone.tool.FsckAction;
import org.hourstone.tool.FsckFinding;
import org.hourstone.tool.FsckKind;
import org.hourstone.tool.FsckListener;
import org.hourstone.tool.FsckOptions;
import org.hourstone.tool.FsckOptions.Keep;
import org.hourstone.tool.FsckReport;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * If a store passes this, damage in its data table is found and mended: what is mended is not found
 * again, what is sound stays, and a preview changes nothing.
 */
public abstract class FsckContract {
  private static final HexFormat HEX = HexFormat.of();
  private static final int SEEDS = 25;
  private static final String ROW = "00000150e22700000001000001";

  @TempDir private Path directory;

  /** Opens the store under test, empty. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  private static TsdbOptions options() {
    return TsdbOptions.defaults()
        .with(ConfigKey.CREATE_TABLES, "true")
        .with(ConfigKey.COMPACTION_BACKGROUND, "false");
  }

  /** Keeps the findings. */
  private static final class Findings implements FsckListener {
    final List<FsckFinding> all = new ArrayList<>();
    final List<Row> removed = new ArrayList<>();
    final List<String> resume = new ArrayList<>();

    @Override
    public void found(FsckFinding finding) {
      all.add(finding);
    }

    @Override
    public void removing(Family family, Row cells) {
      removed.add(cells);
    }

    @Override
    public void progress(long rows, int done, int parts, byte[] next) {
      resume.add(HEX.formatHex(next));
    }

    List<String> texts() {
      return all.stream()
          .map(
              finding -> {
                byte[] qualifier = finding.qualifier();
                return finding.kind().label()
                    + (qualifier == null ? "" : " " + HEX.formatHex(qualifier))
                    + " "
                    + finding.state();
              })
          .toList();
    }
  }

  private static FsckReport run(Tsdb db, boolean fix, Set<FsckAction> permitted) {
    return run(db, fix, permitted, db.keptDuplicate(), new Findings());
  }

  private static FsckReport run(
      Tsdb db, boolean fix, Set<FsckAction> permitted, Keep keep, FsckListener listener) {
    return db.fsck(new FsckOptions(fix, permitted, keep, 2), listener).fullScan(new byte[0]);
  }

  private static Set<FsckAction> everything() {
    return EnumSet.allOf(FsckAction.class);
  }

  private void onDamagedTables(BiConsumer<Tsdb, DamagedTable> test) {
    for (int seed = 0; seed < SEEDS; seed++) {
      TsdbOptions options = options();
      if (seed % 2 == 1) {
        options = options.with(ConfigKey.SALT_WIDTH, "1").with(ConfigKey.SALT_BUCKETS, "4");
      }
      StoreFixture fixture = StoreFixture.in(directory.resolve("seed" + seed), seed);
      try (KeyValueStore store = open(fixture);
          Tsdb db = Tsdb.over(store, options)) {
        List<byte[]> metrics = new ArrayList<>();
        List<byte[]> hosts = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
          metrics.add(db.uids().assign(UidKind.METRIC, "m" + i));
          hosts.add(db.uids().assign(UidKind.TAGV, "web" + i));
        }
        byte[] host = db.uids().assign(UidKind.TAGK, "host");
        DamagedTable table =
            new DamagedTable(
                new Random(seed),
                new RowKey(options.schema()),
                metrics,
                host,
                hosts,
                new byte[] {9, 9, 9});
        table.writeTo(store, db.tables().points());
        test.accept(db, table);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  @Test
  final void whatIsMendedIsNotFoundAgainAndSoundPointsStay() {
    onDamagedTables(
        (db, table) -> {
          FsckReport first = run(db, true, everything());
          Findings again = new Findings();
          FsckReport second = run(db, true, everything(), db.keptDuplicate(), again);

          assertThat(first.errorsLeft()).describedAs("%s", first).isZero();
          assertThat(again.all)
              .filteredOn(finding -> finding.kind() != FsckKind.UNKNOWN_OBJECT)
              .isEmpty();
          assertThat(second.compactedRows()).isZero();
          compare(table.expected(), read(db));
        });
  }

  @Test
  final void whatOnlyLosesNothingConverges() {
    onDamagedTables(
        (db, table) -> {
          FsckReport first = run(db, true, Set.of());
          List<String> cells = cells(db);
          FsckReport second = run(db, true, Set.of());

          assertThat(second.fixed()).isEmpty();
          assertThat(second.errors()).isEqualTo(first.errorsLeft());
          assertThat(cells(db)).isEqualTo(cells);
          assertThat(run(db, true, everything()).errorsLeft()).isZero();
          compare(table.expected(), read(db));
        });
  }

  @Test
  final void aPreviewChangesNothingAndFindsWhatIsFixed() {
    onDamagedTables(
        (db, table) -> {
          List<String> cells = cells(db);
          Findings previewed = new Findings();
          FsckReport preview = run(db, false, everything(), db.keptDuplicate(), previewed);

          assertThat(cells(db)).isEqualTo(cells);
          assertThat(preview.fixed()).isEmpty();
          assertThat(previewed.removed).isEmpty();
          assertThat(previewed.all)
              .filteredOn(finding -> finding.kind() != FsckKind.UNKNOWN_OBJECT)
              .extracting(FsckFinding::state)
              .containsOnly(FsckFinding.State.FIXABLE);
        });
  }

  private static void compare(
      Map<String, Map<Long, Expected>> expected, Map<String, Map<Long, Double>> read) {
    expected.forEach(
        (tsuid, instants) ->
            instants.forEach(
                (millis, may) -> {
                  Double value = read.getOrDefault(tsuid, Map.of()).get(millis);
                  if (value != null || !may.mayVanish) {
                    assertThat(may.values).describedAs("%s at %s", tsuid, millis).contains(value);
                  }
                }));
    read.forEach(
        (tsuid, instants) ->
            assertThat(expected.getOrDefault(tsuid, Map.of()).keySet())
                .describedAs(tsuid)
                .containsAll(instants.keySet()));
  }

  /** All points as readers take them; fails if a row is damaged. */
  private static Map<String, Map<Long, Double>> read(Tsdb db) {
    RowKey keys = new RowKey(db.options().schema());
    Map<String, Map<Long, Double>> all = new TreeMap<>();
    RowDecoder decoder = new RowDecoder(DuplicatePolicy.FAIL, false);
    RowPoints points = new RowPoints();
    for (Row row : rows(db)) {
      decoder.start();
      for (int i = 0; i < row.size(); i++) {
        decoder.add(row.qualifier(i), row.value(i), row.writeTime(i));
      }
      decoder.finish(points);
      if (points.size() == 0) {
        continue;
      }
      Map<Long, Double> series =
          all.computeIfAbsent(HEX.formatHex(keys.tsuid(row.key())), any -> new HashMap<>());
      for (int i = 0; i < points.size(); i++) {
        series.put(keys.baseTime(row.key()) * 1000 + points.offset(i), points.toDouble(i));
      }
    }
    return all;
  }

  private static List<Row> rows(Tsdb db) {
    List<Row> all = new ArrayList<>();
    try (RowCursor cursor = db.store().scan(db.tables().points(), Scan.all())) {
      for (Row row = cursor.next(); row != null; row = cursor.next()) {
        all.add(row);
      }
    }
    return all;
  }

  /** The data table's cells as {@code row qualifier value writeTime}. */
  private static List<String> cells(Tsdb db) {
    List<String> all = new ArrayList<>();
    for (Row row : rows(db)) {
      for (int i = 0; i < row.size(); i++) {
        all.add(
            HEX.formatHex(row.key())
                + " "
                + HEX.formatHex(row.qualifier(i))
                + " "
                + HEX.formatHex(row.value(i))
                + " "
                + row.writeTime(i));
      }
    }
    return all;
  }

  /** Runs a test on a store with one series, its row {@link #ROW}. */
  private void onOneSeries(TsdbOptions options, BiConsumer<Tsdb, Findings> test) {
    try (KeyValueStore store = open(StoreFixture.in(directory, 1));
        Tsdb db = Tsdb.over(store, options)) {
      name(db);
      test.accept(db, new Findings());
    }
  }

  private static void name(Tsdb db) {
    db.uids().assign(UidKind.METRIC, "m");
    db.uids().assign(UidKind.TAGK, "host");
    db.uids().assign(UidKind.TAGV, "web01");
  }

  private static void put(Tsdb db, String row, String qualifier, String value, long writeTime) {
    db.store()
        .mutate(
            db.tables().points(),
            List.of(
                new RowMutation(
                    HEX.parseHex(row),
                    new Change.Put(HEX.parseHex(qualifier), HEX.parseHex(value), writeTime))));
  }

  @Test
  final void cellsAreMendedInPlaceAndKeepTheirWriteTime() {
    onOneSeries(
        options(),
        (db, findings) -> {
          put(db, ROW, "000b", "0000000042280000", 1);
          put(db, ROW, "001b", "ffffffff42280000", 2);
          put(db, ROW, "0027", "0000002a", 3);
          put(db, ROW, "00300040", "0405", 4);
          put(db, ROW, "00600050", "040500", 5);
          put(db, ROW, "f00055c0" + "0080", "040500", 7);
          put(db, ROW, "0097", "7fffffffffffffff", 8);
          put(db, ROW, "01001e", "7b7d", 9);

          FsckReport report = run(db, true, Set.of(), Keep.OLDEST, findings);

          assertThat(cells(db))
              .containsExactly(
                  ROW + " 000b 42280000 1",
                  ROW + " 001b 42280000 2",
                  ROW + " 0023 0000002a 3",
                  ROW + " 00300040 040500 4",
                  ROW + " 00500060 050400 5",
                  ROW + " 0097 7fffffffffffffff 8",
                  ROW + " 01001e 7b7d 9",
                  ROW + " f00055c00080 040501 7");
          assertThat(report.errorsLeft()).isZero();
        });
  }

  @Test
  final void duplicatesAreResolvedByTheSettings() {
    Map<Keep, String> kept =
        Map.of(
            Keep.OLDEST,
            " 000b 40400000 1",
            Keep.NEWEST,
            " f0000000 04 3",
            Keep.LARGEST,
            " 0001 1000 2",
            Keep.SMALLEST,
            " 000b 40400000 1");
    kept.forEach(
        (keep, cell) -> {
          StoreFixture fixture = StoreFixture.in(directory.resolve(keep.name()), 1);
          try (KeyValueStore store = open(fixture);
              Tsdb db = Tsdb.over(store, options())) {
            name(db);
            put(db, ROW, "000b", "40400000", 1);
            put(db, ROW, "0001", "1000", 2);
            put(db, ROW, "f0000000", "04", 3);
            List<String> before = cells(db);

            assertThat(run(db, true, Set.of(), keep, new Findings()).errorsLeft()).isEqualTo(1);
            assertThat(cells(db)).isEqualTo(before);
            run(db, true, Set.of(FsckAction.RESOLVE_DUPLICATES), keep, new Findings());

            assertThat(cells(db)).containsExactly(ROW + cell);
          }
        });
  }

  @Test
  final void whatSettingsSayOfDuplicatesIsWhatQueriesAnswer() {
    onOneSeries(
        TsdbOptions.openTsdbDefaults().with(ConfigKey.CREATE_TABLES, "true"),
        (db, findings) -> assertThat(db.keptDuplicate()).isEqualTo(Keep.OLDEST));
    try (KeyValueStore store = open(StoreFixture.in(directory.resolve("other"), 1));
        Tsdb newest = Tsdb.over(store, options());
        Tsdb largest = Tsdb.over(store, options().with(ConfigKey.USE_OTSDB_TIMESTAMP, "true"));
        Tsdb smallest =
            Tsdb.over(
                store,
                options()
                    .with(ConfigKey.USE_OTSDB_TIMESTAMP, "true")
                    .with(ConfigKey.USE_MAX_VALUE, "false"))) {
      assertThat(newest.keptDuplicate()).isEqualTo(Keep.NEWEST);
      assertThat(largest.keptDuplicate()).isEqualTo(Keep.LARGEST);
      assertThat(smallest.keptDuplicate()).isEqualTo(Keep.SMALLEST);
    }
  }

  @Test
  final void duplicatesAreFoundAcrossCellsOfEveryKind() {
    onOneSeries(
        options(),
        (db, findings) -> {
          put(db, ROW, "00000010", "040500", 1);
          put(db, ROW, "0010", "06", 2);
          put(db, ROW, "050000", "f0001f4009" + "001007" + "002008", 3);

          run(db, true, Set.of(FsckAction.RESOLVE_DUPLICATES), Keep.NEWEST, findings);

          assertThat(cells(db))
              .containsExactly(
                  ROW + " 0000 04 1", ROW + " 050000 f0001f4009" + "001007" + "002008 3");
          assertThat(findings.texts()).containsExactly("duplicate 00000010 FIXED");
        });
  }

  @Test
  final void aDamagedCellIsLeftAloneUntilOneIsAllowedToSalvageItsPoints() {
    onOneSeries(
        options(),
        (db, findings) -> {
          put(db, ROW, "050000", "000004" + "001305", 1);
          put(db, ROW, "00200031", "0405", 2);
          put(db, ROW, "0042", "010203", 3);
          List<String> before = cells(db);

          run(db, true, Set.of(), Keep.NEWEST, findings);
          assertThat(cells(db)).isEqualTo(before);
          assertThat(findings.texts())
              .containsExactly(
                  "bad-compact 00200031 REMAINS",
                  "bad-value 0042 REMAINS",
                  "bad-append 050000 REMAINS");

          Findings salvaged = new Findings();
          run(db, true, Set.of(FsckAction.SALVAGE), Keep.NEWEST, salvaged);
          assertThat(cells(db))
              .containsExactly(
                  ROW + " 0020 04 2", ROW + " 0042 010203 3", ROW + " 050000 000004 1");
          assertThat(salvaged.removed)
              .extracting(row -> HEX.formatHex(row.value(row.size() - 1)))
              .containsExactly("000004001305");
        });
  }

  @Test
  final void aPointThatIsWrittenWhileItsRowIsMendedIsNeitherLostNorMasked() {
    StoreFixture fixture = StoreFixture.in(directory, 1);
    try (KeyValueStore store = open(fixture);
        KeyValueStore written = new WrittenToMeanwhile(store);
        Tsdb db = Tsdb.over(written, options())) {
      name(db);
      put(db, ROW, "0007", "0000002a", 1);
      put(db, ROW, "00100020", "0405", 2);
      put(db, ROW, "003b", "00000000" + "42280000", 3);

      FsckReport report = run(db, true, everything());

      assertThat(report.errorsLeft()).isZero();
      Map<Long, Double> points = read(db).get("000001000001000001");
      assertThat(points)
          .containsEntry(1_356_998_400_000L, 99.0)
          .containsEntry(1_356_998_401_000L, 99.0)
          .containsEntry(1_356_998_402_000L, 5.0)
          .containsEntry(1_356_998_403_000L, 99.0)
          .containsEntry(1_356_998_404_000L, 99.0);
    }
  }

  /** Writes to a row when it is about to be rewritten for the first time. */
  private static final class WrittenToMeanwhile extends ForwardingStore {
    private boolean done;

    WrittenToMeanwhile(KeyValueStore store) {
      super(store);
    }

    @Override
    public void replaceCells(Family family, Row observed, List<Cell> replacement) {
      if (!done) {
        done = true;
        for (String qualifier : List.of("0003", "0010", "0030", "0040")) {
          byte[] value = HEX.parseHex(qualifier.equals("0003") ? "00000063" : "63");
          put(family, observed.key(), HEX.parseHex(qualifier), value);
        }
      }
      super.replaceCells(family, observed, replacement);
    }
  }

  @Test
  final void rowsInTheWrongPlaceGoWhereTheyBelong() {
    TsdbOptions salted =
        options().with(ConfigKey.SALT_WIDTH, "1").with(ConfigKey.SALT_BUCKETS, "20");
    onOneSeries(
        salted,
        (db, findings) -> {
          String right = "08" + ROW;
          put(db, right, "0000", "04", 1);
          put(db, "07" + ROW, "0000", "04", 2);
          put(db, "07" + ROW, "0010", "05", 3);
          put(db, "07" + ROW, "01001e", "7b7d", 4);
          put(db, right.replace("50e22700", "50e22701"), "0020", "06", 5);
          put(db, right.replace("50e22700", "50e22701"), "e0f0", "07", 6);
          put(db, right.replace("50e22700", "50e22701"), "01001e", "7b7d", 7);

          run(db, true, Set.of(), Keep.NEWEST, findings);

          assertThat(cells(db))
              .containsExactly(
                  right + " 0000 04 1",
                  right + " 0010 05 3",
                  right + " 0030 06 5",
                  right + " 01001e 7b7d 4",
                  right + " 01001f 7b7d 7",
                  right.replace("50e22700", "50e23510") + " 0000 07 6");
          assertThat(findings.texts())
              .containsExactlyInAnyOrder("wrong-salt FIXED", "unaligned-base-time FIXED");
        });
  }

  @Test
  final void pointsBeyondTheirHourGoIntoTheNext() {
    onOneSeries(
        options(),
        (db, findings) -> {
          put(db, ROW, "0000e100", "040500", 1);

          run(db, true, Set.of(), Keep.NEWEST, findings);

          assertThat(cells(db))
              .containsExactly(
                  ROW + " 0000 04 1", ROW.replace("50e22700", "50e23510") + " 0000 05 1");
        });
  }

  @Test
  final void withWrongSettingsNothingIsDeleted() {
    onOneSeries(
        options(),
        (db, findings) -> {
          for (int i = 0; i < 20; i++) {
            put(db, ROW.replace("50e22700", String.format("50e%02x000", i)), "0000", "04", 1);
          }
          List<String> before = cells(db);
          Set<FsckAction> all = everything();
          all.remove(FsckAction.DELETE_MOST_ROWS);
          try (Tsdb wrong =
              Tsdb.over(db.store(), options().with(ConfigKey.UID_WIDTH_METRIC, "4"))) {
            assertThatThrownBy(() -> run(wrong, true, all))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tsd.storage.uid.width");
          }
          assertThat(cells(db)).isEqualTo(before);
        });
  }

  @Test
  final void aRunGoesOnWhereOneHasStopped() {
    onOneSeries(
        options(),
        (db, findings) -> {
          byte[] later = HEX.parseHex(ROW.replace("50e22700", "50e23510"));
          put(db, ROW, "0042", "010203", 1);
          put(db, HEX.formatHex(later), "0042", "010203", 2);

          FsckOptions preview = new FsckOptions(false, Set.of(), Keep.NEWEST, 1);
          FsckReport rest = db.fsck(preview, findings).fullScan(later);

          assertThat(rest.rows()).isEqualTo(1);
          assertThat(findings.all).extracting(FsckFinding::row).containsExactly(later);
          Findings whole = new Findings();
          FsckReport all = db.fsck(preview, whole).fullScan(new byte[0]);
          assertThat(all.rows()).isEqualTo(2);
          assertThat(whole.resume).isSorted();
        });
  }

  @Test
  final void aSoundTableHasNoFindings() {
    onOneSeries(
        options(),
        (db, findings) -> {
          put(db, ROW, "00000010", "040500", 1);
          put(db, ROW, "0020", "06", 2);
          put(db, ROW, "050000", "f000fa4008" + "003007", 3);
          put(db, ROW, "06001e", "2a00", 4);
          put(db, "00000050e22700", "01001e", "7b7d", 5);
          List<String> before = cells(db);

          FsckReport report = run(db, true, Set.of(), Keep.NEWEST, findings);

          assertThat(findings.all).isEmpty();
          assertThat(cells(db)).isEqualTo(before);
          assertThat(report.rows()).isEqualTo(2);
          assertThat(report.points()).isEqualTo(5);
          assertThat(report.annotations()).isEqualTo(1);
          assertThat(report.histograms()).isEqualTo(1);
          assertThat(db.store().get(db.tables().points(), HEX.parseHex(ROW), Columns.all()).size())
              .isEqualTo(4);
        });
  }
}
