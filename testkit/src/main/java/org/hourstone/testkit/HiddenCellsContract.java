package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hourstone.ConfigKey;
import org.hourstone.Tsdb;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.Trait;
import org.hourstone.tool.CellLoader;
import org.hourstone.tool.FsckAction;
import org.hourstone.tool.FsckOptions.Keep;
import org.hourstone.write.CompactionListener;
import org.hourstone.write.CompactionScope;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * If a store passes this, nothing is lost where tools put cells dated in the past in places that
 * something was deleted from: there a deletion hides them, unless the store promises better.
 */
public abstract class HiddenCellsContract extends FsckCase {
  private static final String NEXT = ROW.replace("50e22700", "50e23510");
  private static final long START = 1_356_998_400_000L;

  /** Of the one series. */
  private static Map<Long, Double> points(Tsdb db) {
    return read(db).getOrDefault("000001000001000001", Map.of());
  }

  private static boolean ordersDeletes(Tsdb db) {
    return !db.store().traits().contains(Trait.MANAGED_TABLES);
  }

  @Test
  final void aCellThatIsMendedIsReadUnderAQualifierThatWasDeleted() {
    onOneSeries(
        options(),
        (db, findings) -> {
          put(db, ROW, "00000010", "040500", 5);
          put(db, ROW, "0010", "06", 9);
          put(db, ROW, "0027", "0000002a", 3);
          putAndDelete(db, ROW, "0000");
          putAndDelete(db, ROW, "0023");

          run(db, true, Set.of(FsckAction.RESOLVE_DUPLICATES), Keep.NEWEST, findings);

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

          run(db, true, Set.of(), Keep.NEWEST, findings);

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
  final void aCellIsLeftAloneIfItsAgeDecidesWhichPointIsRead() {
    onOneSeries(
        options(),
        (db, findings) -> {
          put(db, ROW, "00100000", "050400", 5);
          put(db, ROW, "0001", "0008", 9);
          putAndDelete(db, ROW, "00000010");
          run(db, true, Set.of(), Keep.NEWEST, findings);

          String outOfOrder = "out-of-order 00100000 ";
          assertThat(findings.texts())
              .contains(outOfOrder + (ordersDeletes(db) ? "FIXED" : "REMAINS"));
          run(db, true, Set.of(FsckAction.RESOLVE_DUPLICATES), Keep.NEWEST, findings);
          assertThat(points(db))
              .containsExactlyInAnyOrderEntriesOf(Map.of(START, 8.0, START + 1000, 5.0));
        });
  }

  @Test
  final void aPointThatComesWhileAHiddenCellIsPutAgainIsRead() {
    try (KeyValueStore store = open(StoreFixture.in(directory, 1));
        BeforeCompareAndSet hooked = new BeforeCompareAndSet(store);
        Tsdb db = Tsdb.over(hooked, options())) {
      name(db);
      put(db, ROW, "00100000", "050400", 5);
      putAndDelete(db, ROW, "00000010");
      boolean[] came = new boolean[1];
      hooked.before =
          () -> {
            hooked.before = null;
            came[0] = true;
            store.put(
                db.tables().points(), HEX.parseHex(ROW), HEX.parseHex("0001"), new byte[] {0, 8});
          };

      run(db, true, EnumSet.of(FsckAction.RESOLVE_DUPLICATES));
      run(db, true, EnumSet.of(FsckAction.RESOLVE_DUPLICATES)); // what changed meanwhile was left

      assertThat(came[0]).isEqualTo(!ordersDeletes(db));
      assertThat(points(db))
          .containsExactlyInAnyOrderEntriesOf(
              Map.of(START, came[0] ? 8.0 : 4.0, START + 1000, 5.0));
    }
  }

  /** Does something before a cell is compared and set. */
  private static final class BeforeCompareAndSet extends ForwardingStore {
    @Nullable Runnable before;

    BeforeCompareAndSet(KeyValueStore store) {
      super(store);
    }

    @Override
    public boolean compareAndSet(
        Family family,
        byte[] row,
        byte[] qualifier,
        byte @Nullable [] expected,
        byte @Nullable [] update) {
      if (before != null) {
        before.run();
      }
      return super.compareAndSet(family, row, qualifier, expected, update);
    }
  }

  @Test
  final void compactionLeavesARowAloneWhoseNewCellWouldBeHidden() {
    onOneSeries(
        options().with(ConfigKey.COMPACTION_QUIET, "0"),
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
          assertThat(db.store().get(db.tables().points(), HEX.parseHex(ROW), Columns.all()).size())
              .isEqualTo(ordersDeletes(db) ? 1 : 2);
          assertThat(db.store().get(db.tables().points(), HEX.parseHex(NEXT), Columns.all()).size())
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

          CellLoader loader = load(db, findings.removed);

          assertThat(loader.stored()).isEqualTo(2);
          assertThat(loader.redated()).isEqualTo(ordersDeletes(db) ? 0 : 2);
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

          CellLoader loader = load(db, List.of(old));

          boolean isRead = cells(db).get(0).startsWith(ROW + " 0010 04 ");
          assertThat(loader.behind()).isEqualTo(isRead ? 0 : 1);
        });
  }

  private static CellLoader load(Tsdb db, List<Row> rows) {
    List<String> lines = new ArrayList<>();
    for (Row row : rows) {
      for (int i = 0; i < row.size(); i++) {
        lines.add(
            String.format(
                "{\"table\":\"%s\",\"row\":\"%s\",\"family\":\"t\",\"qualifier\":\"%s\","
                    + "\"value\":\"%s\",\"ts\":%d}",
                db.tables().points().table(),
                HEX.formatHex(row.key()),
                HEX.formatHex(row.qualifier(i)),
                HEX.formatHex(row.value(i)),
                row.writeTime(i)));
      }
    }
    CellLoader loader = new CellLoader(db.store(), db.tables().families(), SchemaMode.VERIFY);
    byte[] text = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    try {
      loader.load(new ByteArrayInputStream(text), line -> {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return loader;
  }
}
