package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Row;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.Trait;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionScope;
import org.hourstone.rewrite.Keep;
import org.hourstone.tool.CellLoader;
import org.hourstone.tool.FsckAction;
import org.hourstone.tool.FsckKind;
import org.junit.jupiter.api.Test;

/**
 * If a store passes this, nothing is lost where tools put cells dated in the past in places that
 * something was deleted from. A store that other processes share may refuse such a cell: then
 * nothing is removed in its favour.
 */
public abstract class HiddenCellsContract extends FsckCase {
  private static final String NEXT = ROW.replace("50e22700", "50e23510");
  private static final long START = 1_356_998_400_000L;

  /** Of the one series. */
  private static Map<Long, Double> points(Tsdb db) {
    return read(db).getOrDefault("000001000001000001", Map.of());
  }

  /** Whether a row's repair was refused, which only some stores may do; its cells are all there. */
  private static boolean isRefused(Tsdb db, Findings findings, List<String> before) {
    Set<String> rows =
        findings.all.stream()
            .filter(finding -> finding.kind() == FsckKind.NOT_REPAIRED)
            .map(finding -> HexFormat.of().formatHex(finding.row()))
            .collect(Collectors.toSet());
    if (rows.isEmpty()) {
      return false;
    }
    assertThat(db.engine().store().traits()).contains(Trait.SHARED);
    assertThat(cells(db))
        .containsAll(before.stream().filter(cell -> rows.contains(cell.split(" ")[0])).toList());
    return true;
  }

  @Test
  final void aCellThatIsRepairedIsReadUnderAQualifierThatWasDeleted() {
    onOneSeries(
        options(),
        (db, findings) -> {
          put(db, ROW, "00000010", "040500", 5);
          put(db, ROW, "0010", "06", 9);
          put(db, ROW, "0027", "0000002a", 3);
          putAndDelete(db, ROW, "0000");
          putAndDelete(db, ROW, "0023");
          List<String> before = cells(db);

          run(db, true, Set.of(FsckAction.RESOLVE_DUPLICATES), Keep.NEWEST, findings);

          if (isRefused(db, findings, before)) {
            return;
          }
          assertThat(points(db))
              .containsExactlyInAnyOrderEntriesOf(
                  Map.of(START, 4.0, START + 1000, 6.0, START + 2000, 42.0));
          assertThat(findings.texts())
              .containsExactlyInAnyOrder("duplicate 00000010 FIXED", "wrong-length 0027 FIXED");
          assertThat(cells(db)).hasSize(3);
        });
  }

  @Test
  final void whatGoesIntoAnotherRowIsReadThere() {
    onOneSeries(
        options(),
        (db, findings) -> {
          String unaligned = ROW.replace("50e22700", "50e22701");
          put(db, ROW, "0000e100", "040500", 1);
          put(db, unaligned, "0020", "06", 5);
          put(db, unaligned, "01001e", "7b7d", 7);
          put(db, unaligned, "02001e", "", 7);
          putAndDelete(db, NEXT, "0000");
          putAndDelete(db, ROW, "0000");
          putAndDelete(db, ROW, "0030");
          putAndDelete(db, ROW, "01001f");
          putAndDelete(db, ROW, "02001f");
          List<String> before = cells(db);

          run(db, true, Set.of(), Keep.NEWEST, findings);

          if (isRefused(db, findings, before)) {
            return;
          }
          assertThat(points(db))
              .containsExactlyInAnyOrderEntriesOf(
                  Map.of(START, 4.0, START + 3000, 6.0, START + 3_600_000, 5.0));
          assertThat(cells(db))
              .hasSize(5)
              .anyMatch(cell -> cell.startsWith(ROW + " 01001f 7b7d "))
              .anyMatch(cell -> cell.startsWith(ROW + " 02001f  "));
        });
  }

  @Test
  final void compactionLeavesARowAloneWhoseNewCellWouldBeHidden() {
    onOneSeries(
        options().with(Settings.COMPACTION_QUIET, "0"),
        (db, findings) -> {
          put(db, ROW, "0000", "04", 5);
          put(db, ROW, "0010", "05", 6);
          put(db, NEXT, "0000", "06", 5);
          put(db, NEXT, "0010", "07", 6);
          putAndDelete(db, ROW, "00000010");

          db.compactor().run(CompactionScope.everything(), CompactionListener.NONE);

          assertThat(points(db))
              .containsExactlyInAnyOrderEntriesOf(
                  Map.of(
                      START,
                      4.0,
                      START + 1000,
                      5.0,
                      START + 3_600_000,
                      6.0,
                      START + 3_601_000,
                      7.0));
          if (!db.engine().store().traits().contains(Trait.SHARED)) {
            assertThat(cells(db)).hasSize(2);
          }
          assertThat(
                  db.engine()
                      .store()
                      .get(db.engine().tables().points(), HEX.parseHex(NEXT), Columns.all())
                      .size())
              .isEqualTo(1);
        });
  }

  @Test
  final void whatFsckHasRemovedCanBeLoadedBack() {
    onOneSeries(
        options(),
        (db, findings) -> {
          put(db, ROW, "0042", "010203", 3);
          put(db, ROW, "0010", "04", 5);
          put(db, ROW, "001b", "40a00000", 6);
          run(db, true, everything(), Keep.NEWEST, findings);
          assertThat(cells(db)).containsExactly(ROW + " 001b 40a00000 6");

          CellLoader loader;
          try {
            loader = load(db, findings.removed, false);
          } catch (StoreException e) {
            assertThat(db.engine().store().traits()).contains(Trait.SHARED);
            assertThat(e.outcome()).isEqualTo(StoreException.Outcome.REJECTED);
            loader = load(db, findings.removed, true);
          }

          assertThat(loader.stored()).isEqualTo(2);
          assertThat(loader.behind()).isZero();
          assertThat(cells(db))
              .hasSize(3)
              .anyMatch(cell -> cell.startsWith(ROW + " 0010 04 "))
              .anyMatch(cell -> cell.startsWith(ROW + " 0042 010203 "));
        });
  }

  @Test
  final void aCellThatIsLoadedBehindALaterOneIsCounted() {
    onOneSeries(
        options(),
        (db, findings) -> {
          put(db, ROW, "0010", "04", 5);
          Row old = rows(db).get(0);
          put(db, ROW, "0010", "05", 9);

          CellLoader loader = load(db, List.of(old), false);

          assertThat(loader.behind()).isEqualTo(1);
          assertThat(cells(db)).containsExactly(ROW + " 0010 05 9");
        });
  }

  private static CellLoader load(Tsdb db, List<Row> rows, boolean now) {
    List<String> lines = new ArrayList<>();
    for (Row row : rows) {
      for (int i = 0; i < row.size(); i++) {
        lines.add(
            String.format(
                "{\"table\":\"%s\",\"row\":\"%s\",\"family\":\"t\",\"qualifier\":\"%s\","
                    + "\"value\":\"%s\",\"ts\":%d}",
                db.engine().tables().points().table(),
                HEX.formatHex(row.key()),
                HEX.formatHex(row.qualifier(i)),
                HEX.formatHex(row.value(i)),
                row.writeTime(i)));
      }
    }
    CellLoader loader = new CellLoader(db.engine().store(), Set.of(), false, now, () -> {});
    byte[] text = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    try {
      loader.load(new ByteArrayInputStream(text), line -> {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return loader;
  }
}
