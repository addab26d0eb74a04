package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.DataCell;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Timestamps;
import org.hourstone.error.RequestException;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Trait;
import org.hourstone.rewrite.Keep;
import org.hourstone.testing.CorruptTable.Expected;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.tool.Admin;
import org.hourstone.tool.FsckAction;
import org.hourstone.tool.FsckFinding;
import org.hourstone.tool.FsckKind;
import org.hourstone.tool.FsckListener;
import org.hourstone.tool.FsckOptions;
import org.hourstone.tool.FsckReport;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.Test;

/**
 * If a store passes this, corruption in its data table is found and repaired. Repaired findings are
 * not found again, sound points stay, and a preview changes nothing.
 */
public abstract class FsckContract extends FsckCase implements RepeatedCases {
  private static final int RANDOM_TABLES = 25;

  private void onCorruptTables(BiConsumer<Tsdb, CorruptTable> test) {
    for (int seed = 0; seed < scaled(RANDOM_TABLES); seed++) {
      TsdbOptions options = options();
      if (seed % 2 == 1) {
        options = options.with(Settings.SALT_WIDTH, "1").with(Settings.SALT_BUCKETS, "4");
      }
      StoreFixture fixture = StoreFixture.in(directory.resolve("seed" + seed), seed);
      fixture.clock().advance(Duration.ofDays(20 * 365)); // the table's cells are of the past
      try (KeyValueStore store = open(fixture);
          Tsdb db = Tsdb.over(store, options)) {
        List<byte[]> metrics = new ArrayList<>();
        List<byte[]> hosts = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
          metrics.add(db.uids().assign(UidKind.METRIC, "m" + i));
          hosts.add(db.uids().assign(UidKind.TAGV, "web" + i));
        }
        byte[] host = db.uids().assign(UidKind.TAGK, "host");
        CorruptTable table =
            new CorruptTable(
                new Random(seed),
                new RowKey(options.schema()),
                metrics,
                host,
                hosts,
                new byte[] {9, 9, 9});
        table.writeTo(store, db.engine().tables().points());
        test.accept(db, table);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  @Test
  final void repairedFindingsAreNotFoundAgainAndSoundPointsStay() {
    onCorruptTables(
        (db, table) -> {
          FsckReport first = run(db, true, everything());
          Findings again = new Findings();
          FsckReport second = run(db, true, everything(), db.engine().keptDuplicate(), again);

          assertThat(first.errorsLeft()).describedAs("%s", first).isZero();
          assertThat(again.all)
              .filteredOn(finding -> finding.kind() != FsckKind.UNKNOWN_OBJECT)
              .isEmpty();
          assertThat(second.compactedRows()).isZero();
          compare(table.expected(), read(db));
        });
  }

  @Test
  final void whatDeletionsWouldHideIsNotLost() {
    onCorruptTables(
        (db, table) -> {
          deleteWhatMayCome(db);
          Findings findings = new Findings();

          FsckReport first = run(db, true, everything(), db.engine().keptDuplicate(), findings);

          Set<String> refused = refused(db, findings);
          if (refused.isEmpty()) {
            assertThat(first.errorsLeft()).describedAs("%s", first).isZero();
          } else {
            assertThat(db.engine().store().traits()).contains(Trait.SHARED);
          }
          Map<String, Map<Long, Expected>> expected = new HashMap<>(table.expected());
          expected.keySet().removeAll(refused);
          compare(expected, read(db, refused));
        });
  }

  /** The series of rows that were not repaired. */
  private static Set<String> refused(Tsdb db, Findings findings) {
    RowKey keys = new RowKey(db.engine().options().schema());
    return findings.all.stream()
        .filter(finding -> finding.kind() == FsckKind.NOT_REPAIRED)
        .map(finding -> HEX.formatHex(keys.tsuid(finding.row())))
        .collect(Collectors.toSet());
  }

  /** Puts and deletes the cells that a repair may put, where there are none. */
  private static void deleteWhatMayCome(Tsdb db) {
    RowKey keys = new RowKey(db.engine().options().schema());
    for (Row row : rows(db)) {
      for (int i = 0; keys.isSeriesRow(row.key()) && i < row.size(); i++) {
        RowPoints all = DataCell.of(row.qualifier(i), row.value(i)).pointsInOrder();
        RowPoints inHour = new RowPoints();
        for (int k = 0; k < all.size(); k++) {
          long millis = keys.baseTime(row.key()) * 1000 + all.offset(k);
          long hour = Timestamps.baseTime(millis / 1000);
          RowPoints one = new RowPoints();
          one.add((int) (millis - hour * 1000), all.isMillis(k), all.flags(k), all.raw(k));
          putAndDelete(db, keys.rowKey(keys.tsuid(row.key()), hour), one);
          if (all.offset(k) < Timestamps.ROW_MILLIS) {
            inHour.add(all.offset(k), all.isMillis(k), all.flags(k), all.raw(k));
          }
        }
        putAndDelete(db, row.key(), inHour);
      }
    }
  }

  private static void putAndDelete(Tsdb db, byte[] row, RowPoints points) {
    if (points.size() > 0) {
      byte[] qualifier = CompactedCell.of(points, 0, points.size()).qualifier();
      if (db.engine()
          .store()
          .get(db.engine().tables().points(), row, Columns.exactly(qualifier))
          .isEmpty()) {
        putAndDelete(db, HEX.formatHex(row), HEX.formatHex(qualifier));
      }
    }
  }

  @Test
  final void whatOnlyLosesNothingConverges() {
    onCorruptTables(
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
    onCorruptTables(
        (db, table) -> {
          List<String> cells = cells(db);
          Findings previewed = new Findings();
          FsckReport preview = run(db, false, everything(), db.engine().keptDuplicate(), previewed);

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
          assertThatThrownBy(
                  () -> {
                    try (Tsdb wrong =
                        Tsdb.over(
                            db.engine().store(), options().with(Settings.UID_WIDTH_METRIC, "4"))) {
                      run(wrong, true, all);
                    }
                  })
              .hasMessageContaining("tsd.storage.uid.width");
          assertThat(cells(db)).isEqualTo(before);
        });
  }

  @Test
  final void withAWrongNumberOfBucketsNothingIsMoved() {
    TsdbOptions salted = options().with(Settings.SALT_WIDTH, "1").with(Settings.SALT_BUCKETS, "20");
    onOneSeries(
        salted,
        (db, findings) -> {
          RowKey keys = new RowKey(salted.schema());
          TsdbOptions unchecked = salted.with(Settings.SALT_CHECK, "false");
          db.uids().assign(UidKind.TAGK, "dc");
          List<RowMutation> points = new ArrayList<>();
          for (int host = 1; host <= 18; host++) {
            if (host > 1) {
              db.uids().assign(UidKind.TAGV, "web" + host);
            }
            for (int dc = 1; dc <= 18; dc++) {
              String tsuid = String.format("000001" + "000001%06x" + "000002%06x", host, dc);
              byte[] key = keys.rowKey(HEX.parseHex(tsuid), 1_356_998_400);
              points.add(new RowMutation(key, new Change.Put(new byte[] {0, 0}, new byte[] {4})));
            }
          }
          db.engine().store().mutate(db.engine().tables().points(), points);
          List<String> before = cells(db);
          for (String buckets : List.of("10", "40", "21")) {
            try (Tsdb wrong =
                Tsdb.over(db.engine().store(), unchecked.with(Settings.SALT_BUCKETS, buckets))) {
              assertThatThrownBy(() -> run(wrong, true, Set.of()))
                  .describedAs(buckets)
                  .isInstanceOf(RequestException.class)
                  .hasMessageContaining("tsd.storage.salt.buckets")
                  .hasMessageContaining("--move-most-rows");
              assertThat(run(wrong, false, Set.of()).rows()).isEqualTo(18 * 18);
            }
          }
          assertThat(cells(db)).isEqualTo(before);

          try (Tsdb grown =
              Tsdb.over(db.engine().store(), unchecked.with(Settings.SALT_BUCKETS, "21"))) {
            run(grown, true, Set.of(FsckAction.MOVE_MOST_ROWS));
            assertThat(run(grown, true, Set.of()).found()).isEmpty();
          }
        });
  }

  @Test
  final void aFailureOfOneThreadEndsTheRunAtOnce() {
    StoreFixture fixture = StoreFixture.in(directory, 1);
    try (KeyValueStore store = open(fixture);
        Tsdb db = Tsdb.over(store, options())) {
      name(db);
      put(db, ROW, "0042", "010203", 1);
      CountDownLatch failed = new CountDownLatch(1);
      FsckListener failing =
          new FsckListener() {
            @Override
            public void found(FsckFinding finding) {
              failed.countDown();
              throw new IllegalStateException("full");
            }

            @Override
            public void removing(Family family, Row cells) {}
          };
      FsckOptions options = new FsckOptions(false, Set.of(), Keep.NEWEST, 4);
      assertThatThrownBy(() -> Admin.of(db).fsck(options, failing).fullScan(null))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("full");
      assertThat(failed.getCount()).isZero();
    }
  }

  @Test
  final void aContinuedRunReportsTheRowsBeforeItAsWell() {
    onOneSeries(
        options(),
        (db, findings) -> {
          for (String row : List.of(ROW, ROW.replace("50e22700", "50e23510"))) {
            put(db, row, "0042", "010203", 1);
            put(db, row, "00300040", "0405", 2);
          }
          Map<FsckKind, Long> found = Map.of(FsckKind.BAD_VALUE, 2L, FsckKind.MISSING_TRAILER, 2L);

          FsckReport preview = inTwoRuns(db, false);
          assertThat(preview).isEqualTo(new FsckReport(2, 4, 4, 0, 0, 0, found, Map.of()));
          assertThat(preview).isEqualTo(run(db, false, Set.of()));
          assertThat(inTwoRuns(db, true))
              .isEqualTo(
                  new FsckReport(2, 4, 4, 0, 0, 0, found, Map.of(FsckKind.MISSING_TRAILER, 2L)));
        });
  }

  /** The report of a run that continues after one row of another. */
  private static FsckReport inTwoRuns(Tsdb db, boolean fix) {
    FsckOptions how = new FsckOptions(fix, Set.of(), Keep.NEWEST, 1);
    Findings first = new Findings();
    first.rowsLeft = 1;
    assertThatThrownBy(() -> Admin.of(db).fsck(how, first).fullScan(null)).hasMessage("stopped");
    Findings second = new Findings();
    FsckReport report = Admin.of(db).fsck(how, second).fullScan(first.checkpoint);
    assertThat(second.progress.rows()).isEqualTo(2);
    assertThat(second.all).extracting(FsckFinding::row).doesNotContain(first.all.get(0).row());
    return report;
  }

  @Test
  final void whatACompactionReplacesIsShownBefore() {
    onOneSeries(
        options(),
        (db, findings) -> {
          put(db, ROW, "0000", "04", 1);
          put(db, ROW, "0010", "05", 2);
          put(db, ROW, "01001e", "7b7d", 3);
          List<String> before = cells(db);

          run(db, true, Set.of(FsckAction.COMPACT), Keep.NEWEST, findings);

          assertThat(findings.removed).hasSize(1);
          Row removed = findings.removed.get(0);
          assertThat(removed.size()).isEqualTo(2);
          assertThat(cells(removed)).isSubsetOf(before).doesNotContainAnyElementsOf(cells(db));
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
          assertThat(
                  db.engine()
                      .store()
                      .get(db.engine().tables().points(), HEX.parseHex(ROW), Columns.all())
                      .size())
              .isEqualTo(4);
        });
  }
}
