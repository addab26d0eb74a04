package org.hourstone.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowDecoder;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.RowPoints;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.rewrite.Keep;
import org.hourstone.table.TableProgress;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.tool.Admin;
import org.hourstone.tool.FsckAction;
import org.hourstone.tool.FsckFinding;
import org.hourstone.tool.FsckListener;
import org.hourstone.tool.FsckOptions;
import org.hourstone.tool.FsckReport;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.io.TempDir;

/** Base of tests of {@code fsck}: a database over the store under test, and its cells. */
abstract class FsckCase {
  static final HexFormat HEX = HexFormat.of();

  /** The key of a row of the one series. */
  static final String ROW = "00000150e22700000001000001";

  @TempDir Path directory;

  /** Opens the store under test, empty. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  static TsdbOptions options() {
    return TsdbOptions.defaults()
        .with(Settings.CREATE_TABLES, "true")
        .with(Settings.COMPACTION_BACKGROUND, "false");
  }

  /** Keeps the findings. */
  static final class Findings implements FsckListener {
    final List<FsckFinding> all = new ArrayList<>();
    final List<Row> removed = new ArrayList<>();
    String checkpoint = "";
    TableProgress progress = new TableProgress(0, 0, 0, new byte[0]);

    /** Before the next row the run fails. */
    int rowsLeft = Integer.MAX_VALUE;

    @Override
    public void nextRow() {
      if (rowsLeft-- == 0) {
        throw new IllegalStateException("stopped");
      }
    }

    @Override
    public void found(FsckFinding finding) {
      all.add(finding);
    }

    @Override
    public void removing(Family family, Row cells) {
      removed.add(cells);
    }

    @Override
    public void progress(TableProgress now) {
      progress = now;
    }

    @Override
    public void checkpoint(String text) {
      checkpoint = text;
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

  static FsckReport run(Tsdb db, boolean fix, Set<FsckAction> permitted) {
    return run(db, fix, permitted, db.engine().keptDuplicate(), new Findings());
  }

  static FsckReport run(
      Tsdb db, boolean fix, Set<FsckAction> permitted, Keep keep, FsckListener listener) {
    return Admin.of(db).fsck(new FsckOptions(fix, permitted, keep, 2), listener).fullScan(null);
  }

  static Set<FsckAction> everything() {
    return EnumSet.allOf(FsckAction.class);
  }

  /** All points as readers take them; fails if a row is corrupt. */
  static Map<String, Map<Long, Double>> read(Tsdb db) {
    return read(db, Set.of());
  }

  /** As {@link #read(Tsdb)}, leaving out some series. */
  static Map<String, Map<Long, Double>> read(Tsdb db, Set<String> withoutTsuids) {
    RowKey keys = new RowKey(db.engine().options().schema());
    Map<String, Map<Long, Double>> all = new TreeMap<>();
    RowDecoder decoder = new RowDecoder(DuplicatePolicy.FAIL, false);
    RowPoints points = new RowPoints();
    for (Row row : rows(db)) {
      if (withoutTsuids.contains(HEX.formatHex(keys.tsuid(row.key())))) {
        continue;
      }
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

  static List<Row> rows(Tsdb db) {
    List<Row> all = new ArrayList<>();
    try (RowCursor cursor = db.engine().store().scan(db.engine().tables().points(), Scan.all())) {
      for (Row row = cursor.next(); row != null; row = cursor.next()) {
        all.add(row);
      }
    }
    return all;
  }

  /** The data table's cells as {@code row qualifier value writeTime}. */
  static List<String> cells(Tsdb db) {
    return rows(db).stream().flatMap(row -> cells(row).stream()).toList();
  }

  static List<String> cells(Row row) {
    List<String> all = new ArrayList<>();
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
    return all;
  }

  /** Runs a test on a store with one series, its row {@link #ROW}. */
  final void onOneSeries(TsdbOptions options, BiConsumer<Tsdb, Findings> test) {
    try (KeyValueStore store = open(StoreFixture.in(directory, 1));
        Tsdb db = Tsdb.over(store, options)) {
      name(db);
      test.accept(db, new Findings());
    }
  }

  static void name(Tsdb db) {
    db.uids().assign(UidKind.METRIC, "m");
    db.uids().assign(UidKind.TAGK, "host");
    db.uids().assign(UidKind.TAGV, "web01");
  }

  /** Leaves a deletion that hides cells that are put with a time of the past. */
  static void putAndDelete(Tsdb db, String row, String qualifier) {
    byte[] key = HEX.parseHex(row);
    byte[] column = HEX.parseHex(qualifier);
    db.engine().store().put(db.engine().tables().points(), key, column, new byte[] {1});
    db.engine()
        .store()
        .mutate(
            db.engine().tables().points(),
            List.of(new RowMutation(key, new Change.Delete(column))));
  }

  static void put(Tsdb db, String row, String qualifier, String value, long writeTime) {
    db.engine()
        .store()
        .mutate(
            db.engine().tables().points(),
            List.of(
                new RowMutation(
                    HEX.parseHex(row),
                    new Change.PutIfNewer(
                        HEX.parseHex(qualifier), HEX.parseHex(value), writeTime))));
  }
}
