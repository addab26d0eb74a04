package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.rewrite.Keep;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.tool.Admin;
import org.hourstone.tool.FsckAction;
import org.hourstone.tool.FsckOptions;
import org.hourstone.tool.FsckReport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * If a store passes this, {@code fsck} repairs corrupt cells and misplaced rows as documented, by
 * example.
 */
public abstract class RowRepairContract extends FsckCase {
  @Test
  final void cellsAreRepairedInPlaceAndKeepTheirWriteTime() {
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
        TsdbOptions.openTsdbDefaults().with(Settings.CREATE_TABLES, "true"),
        (db, findings) -> assertThat(db.engine().keptDuplicate()).isEqualTo(Keep.OLDEST));
    try (KeyValueStore store = open(StoreFixture.in(directory.resolve("other"), 1));
        Tsdb newest = Tsdb.over(store, options());
        Tsdb largest = Tsdb.over(store, options().with(Settings.USE_OTSDB_TIMESTAMP, "true"));
        Tsdb smallest =
            Tsdb.over(
                store,
                options()
                    .with(Settings.USE_OTSDB_TIMESTAMP, "true")
                    .with(QuerySettings.USE_MAX_VALUE, "false"))) {
      assertThat(newest.engine().keptDuplicate()).isEqualTo(Keep.NEWEST);
      assertThat(largest.engine().keptDuplicate()).isEqualTo(Keep.LARGEST);
      assertThat(smallest.engine().keptDuplicate()).isEqualTo(Keep.SMALLEST);
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
  final void aCorruptCellIsLeftAloneUntilOneIsAllowedToSalvageItsPoints() {
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
  final void aPointThatIsWrittenWhileItsRowIsRepairedIsNeitherLostNorMasked() {
    onHookedStore(
        (db, store) -> {
          put(db, ROW, "0007", "0000002a", 1);
          put(db, ROW, "00100020", "0405", 2);
          put(db, ROW, "003b", "00000000" + "42280000", 3);
          store.once(
              () -> {
                for (String qualifier : List.of("0003", "0010", "0030", "0040")) {
                  byte[] value = HEX.parseHex(qualifier.equals("0003") ? "00000063" : "63");
                  db.engine()
                      .store()
                      .put(
                          db.engine().tables().points(),
                          HEX.parseHex(ROW),
                          HEX.parseHex(qualifier),
                          value);
                }
              });

          FsckReport report = run(db, true, everything());

          assertThat(report.errorsLeft()).isZero();
          Map<Long, Double> points = read(db).get("000001000001000001");
          assertThat(points)
              .containsEntry(1_356_998_400_000L, 99.0)
              .containsEntry(1_356_998_401_000L, 99.0)
              .containsEntry(1_356_998_402_000L, 5.0)
              .containsEntry(1_356_998_403_000L, 99.0)
              .containsEntry(1_356_998_404_000L, 99.0);
        });
  }

  @Test
  final void aPointThatIsDeletedWhileItsRowIsRepairedStaysDeleted() {
    onHookedStore(
        (db, store) -> {
          put(db, ROW, "00000010", "0405", 1);
          store.once(
              () -> {
                delete(db, ROW, "00000010");
                put(db, ROW, "0010", "05", 1);
              });

          FsckReport report = run(db, true, Set.of());

          assertThat(cells(db)).containsExactly(ROW + " 0010 05 1");
          assertThat(report.errorsLeft()).isZero();
        });
  }

  @Test
  final void aPointThatIsWrittenWhereAnotherIsMovedToIsNotLostNorIsThatOne() {
    onHookedStore(
        (db, store) -> {
          String next = ROW.replace("50e22700", "50e23510");
          put(db, ROW, "0000e100", "040500", 1);
          store.once(() -> put(db, next, "0000", "63", 2));

          Findings findings = new Findings();
          run(db, true, Set.of(), Keep.NEWEST, findings);

          assertThat(cells(db)).containsExactly(ROW + " 0000e100 040500 1", next + " 0000 63 2");
          assertThat(findings.texts()).containsExactly("outside-hour 0000e100 REMAINS");
        });
  }

  @Test
  final void aCellThatIsWrittenIntoARowWhileThatIsMovedIsMovedToo() {
    onHookedStore(
        (db, store) -> {
          String unaligned = ROW.replace("50e22700", "50e22701");
          put(db, unaligned, "0000", "04", 1);
          store.before =
              observed -> {
                if (!observed.isEmpty()) { // it is removed here after it was put there
                  store.before = null;
                  put(db, unaligned, "0010", "05", 2);
                  put(db, unaligned, "0000", "06", 3);
                }
              };

          run(db, true, Set.of(FsckAction.RESOLVE_DUPLICATES));

          assertThat(cells(db)).containsExactly(ROW + " 0010 06 3", ROW + " 0020 05 2");
        });
  }

  @Test
  final void ofTwoRunsThatKeepDifferentDuplicatesOneKeepsIts() {
    onHookedStore(
        (db, store) -> {
          put(db, ROW, "000b", "40400000", 1);
          put(db, ROW, "0001", "1000", 2);
          Set<FsckAction> permitted = Set.of(FsckAction.RESOLVE_DUPLICATES);
          store.once(() -> run(db, true, permitted, Keep.NEWEST, new Findings()));

          run(db, true, permitted, Keep.OLDEST, new Findings());

          assertThat(cells(db)).containsExactly(ROW + " 0001 1000 2");
        });
  }

  @Test
  final void aRowThatKeepsChangingIsLeftAndReported() {
    onHookedStore(
        (db, store) -> {
          put(db, ROW, "00000010", "0405", 1);
          AtomicInteger value = new AtomicInteger();
          store.before =
              observed ->
                  put(db, ROW, "00000010", HEX.toHexDigits((short) value.incrementAndGet()), 2);

          Findings findings = new Findings();
          FsckReport report = run(db, true, Set.of(), Keep.NEWEST, findings);

          assertThat(value.get()).isBetween(2, 100);
          assertThat(findings.texts())
              .containsExactly("not-repaired REMAINS", "missing-trailer 00000010 REMAINS");
          assertThat(report.errorsLeft()).isEqualTo(1);
          assertThat(cells(db))
              .containsExactly(ROW + " 00000010 " + HEX.toHexDigits((short) value.get()) + " 2");
        });
  }

  @Test
  final void aRepairThatTheStoreRefusesIsReportedAndTheRunGoesOn() {
    assertReported(new StoreException(Outcome.REJECTED, "hidden by a deletion"));
  }

  @Test
  final void aRepairBeyondTheLimitsOfAStoreIsReportedAndTheRunGoesOn() {
    assertReported(new IllegalArgumentException("1000001 observed cells: more than 1000000"));
  }

  private void assertReported(RuntimeException refusal) {
    onHookedStore(
        (db, store) -> {
          String next = ROW.replace("50e22700", "50e23510");
          put(db, ROW, "00000010", "0405", 1);
          put(db, next, "00000010", "0405", 1);
          store.once(
              () -> {
                throw refusal;
              });

          Findings findings = new Findings();
          FsckReport report =
              Admin.of(db)
                  .fsck(new FsckOptions(true, Set.of(), Keep.NEWEST, 1), findings)
                  .fullScan(null);

          assertThat(findings.texts())
              .containsExactly(
                  "not-repaired REMAINS",
                  "missing-trailer 00000010 REMAINS",
                  "missing-trailer 00000010 FIXED");
          assertThat(findings.all.get(0).text()).isEqualTo(refusal.getMessage());
          assertThat(report.errorsLeft()).isEqualTo(1);
          assertThat(cells(db))
              .containsExactly(ROW + " 00000010 0405 1", next + " 00000010 040500 1");
        });
  }

  @Test
  final void aCompactionThatTheStoreRefusesIsReportedAndTheRunGoesOn() {
    assertCompactionReported(new StoreException(Outcome.REJECTED, "hidden by a deletion"));
  }

  @Test
  final void aCompactionBeyondTheLimitsOfAStoreIsReportedAndTheRunGoesOn() {
    assertCompactionReported(
        new IllegalArgumentException("9000001 bytes of a value: more than 9000000"));
  }

  private void assertCompactionReported(RuntimeException refusal) {
    onHookedStore(
        (db, store) -> {
          String next = ROW.replace("50e22700", "50e23510");
          for (String row : List.of(ROW, next)) {
            put(db, row, "0000", "04", 1);
            put(db, row, "0010", "05", 1);
          }
          store.once(
              () -> {
                throw refusal;
              });

          Findings findings = new Findings();
          FsckReport report =
              Admin.of(db)
                  .fsck(new FsckOptions(true, Set.of(FsckAction.COMPACT), Keep.NEWEST, 1), findings)
                  .fullScan(null);

          assertThat(findings.texts()).containsExactly("not-repaired REMAINS");
          assertThat(findings.all.get(0).text()).isEqualTo(refusal.getMessage());
          assertThat(report.compactedRows()).isEqualTo(1);
        });
  }

  private void onHookedStore(BiConsumer<Tsdb, BeforeReplacing> test) {
    try (KeyValueStore store = open(StoreFixture.in(directory, 1));
        BeforeReplacing hooked = new BeforeReplacing(store);
        Tsdb db = Tsdb.over(hooked, options())) {
      name(db);
      test.accept(db, hooked);
    }
  }

  private static void delete(Tsdb db, String row, String qualifier) {
    Change deletion = new Change.Delete(HEX.parseHex(qualifier));
    db.engine()
        .store()
        .mutate(
            db.engine().tables().points(),
            List.of(new RowMutation(HEX.parseHex(row), List.of(deletion))));
  }

  /** Does something before cells are replaced: after the row was read. */
  private static final class BeforeReplacing extends ForwardingStore {
    /** Takes the cells that are to be replaced. */
    @Nullable Consumer<Row> before;

    BeforeReplacing(KeyValueStore store) {
      super(store);
    }

    /** Does something before the next replacement only. */
    void once(Runnable action) {
      before =
          observed -> {
            before = null;
            action.run();
          };
    }

    @Override
    public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
      Consumer<Row> action = before;
      if (action != null) {
        action.accept(observed);
      }
      return super.replaceCells(family, observed, replacement);
    }
  }

  @Test
  final void rowsInTheWrongPlaceGoWhereTheyBelong() {
    TsdbOptions salted = options().with(Settings.SALT_WIDTH, "1").with(Settings.SALT_BUCKETS, "20");
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
  final void aPointThatIsMovedTakesThePlaceOfAYoungerOneIfItIsToStay() {
    onOneSeries(
        options(),
        (db, findings) -> {
          put(db, ROW, "0010", "07", 9);
          put(db, ROW.replace("50e22700", "50e22701"), "0000", "08", 2);

          run(db, true, Set.of(FsckAction.RESOLVE_DUPLICATES), Keep.LARGEST, findings);

          assertThat(cells(db)).containsExactly(ROW + " 0010 08 2");
        });
  }

  @Test
  final void ofTwoPointsOfOneTimestampBeyondTheirHourOneGoesIntoTheNextAtOnce() {
    onOneSeries(
        options(),
        (db, findings) -> {
          put(db, ROW, "0000e100fdbba000", "04050601", 1);

          run(db, true, Set.of(FsckAction.RESOLVE_DUPLICATES), Keep.LARGEST, findings);

          assertThat(cells(db))
              .containsExactly(
                  ROW + " 0000 04 1", ROW.replace("50e22700", "50e23510") + " f0000000 06 1");
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
}
