package org.hourstone.kv.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.head.HeadStats;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.rewrite.Keep;
import org.hourstone.tool.Admin;
import org.hourstone.tool.FsckAction;
import org.hourstone.tool.FsckFinding;
import org.hourstone.tool.FsckKind;
import org.hourstone.tool.FsckListener;
import org.hourstone.tool.FsckOptions;
import org.hourstone.tool.FsckReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** A row one of whose coded cells is corrupt takes further points. */
class CorruptRowTest {
  private static final Instant HOUR = Instant.parse("2013-01-01T00:00:00Z");
  private static final Tags TAGS = Tags.of("host", "web01");
  private static final String CODED = "tsdb:t:points-1:";

  private static final FsckListener SILENT =
      new FsckListener() {
        @Override
        public void found(FsckFinding finding) {}

        @Override
        public void removing(Family family, Row cells) {}
      };

  @TempDir Path directory;

  @Test
  void pointsOfTheHeadGetPastACorruptCellWhichFsckRemoves() throws RocksDBException {
    try (Tsdb db = open()) {
      put(db, 1);
    }
    intrude((db, points, key) -> db.put(points, key, new byte[] {0, 0}));

    try (Tsdb db = open()) {
      put(db, 2);
      db.flush();
      assertThat(requireNonNull(db.engine().headStats()))
          .extracting(HeadStats::rows, HeadStats::journalBytes, HeadStats::refused)
          .containsExactly(0L, 0L, 0L);
      assertThatThrownBy(() -> values(db))
          .isInstanceOf(CorruptDataException.class)
          .hasMessageContaining("row 000001");

      FsckOptions fix = new FsckOptions(true, Set.of(FsckAction.SALVAGE), Keep.NEWEST, 1);
      FsckReport report = Admin.of(db).fsck(fix, SILENT).fullScan(null);
      assertThat(report.fixed()).containsOnlyKeys(FsckKind.BAD_COMPACT);
      assertThat(values(db)).hasSize(10).containsOnly(2.0);
    }
  }

  @Test
  void aQueryMaySkipACorruptCell() throws RocksDBException {
    try (Tsdb db = open()) {
      put(db, 1);
    }
    intrude((db, points, key) -> db.put(points, key, new byte[] {0, 0}));
    try (Tsdb db =
        Tsdb.open("rocksdb:" + directory, options().with(QuerySettings.CORRUPT_ROWS, "skip"))) {
      db.put("m", HOUR.plusSeconds(20), 3, TAGS).join();
      assertThat(values(db)).containsExactly(3.0);
    }
  }

  private static List<Double> values(Tsdb db) {
    List<Double> values = new ArrayList<>();
    try (SeriesCursor series =
        db.query(
            Query.metric("m")
                .betweenMillis(HOUR.toEpochMilli(), HOUR.toEpochMilli() + 3_600_000))) {
      series.forEach(
          each -> {
            for (int i = 0; i < each.size(); i++) {
              values.add(each.doubleValue(i));
            }
          });
    }
    return values;
  }

  private Tsdb open() {
    return Tsdb.open("rocksdb:" + directory, options());
  }

  private static TsdbOptions options() {
    return TsdbOptions.defaults()
        .with(Settings.COMPACTION_BACKGROUND, "false")
        .with(Settings.HEAD, "true");
  }

  /** The first points of the hour: cells that begin with the same one share a place. */
  private static void put(Tsdb db, long value) {
    for (int second = 0; second < 10; second++) {
      db.put("m", HOUR.plusSeconds(second), value, TAGS).join();
    }
  }

  /** Something done to the coded cell. */
  private interface Intrusion {
    void on(RocksDB db, ColumnFamilyHandle points, byte[] key) throws RocksDBException;
  }

  private void intrude(Intrusion intrusion) throws RocksDBException {
    NativeLibrary.load(directory, true, new RocksDbErrors(directory));
    List<String> families = new ArrayList<>();
    try (Options options = new Options()) {
      for (byte[] name : RocksDB.listColumnFamilies(options, directory.toString())) {
        families.add(new String(name, UTF_8));
      }
    }
    families.remove("default");
    StoreDirectory.intrude(
        directory,
        families,
        (db, handles) -> {
          ColumnFamilyHandle points = handles.get(1 + families.indexOf(CODED));
          try (RocksIterator cells = db.newIterator(points)) {
            for (cells.seekToFirst(); cells.isValid(); cells.next()) {
              byte[] key = cells.key();
              if (key[key.length - 1] == -1 && key[key.length - 2] == -1) {
                intrusion.on(db, points, key);
                return;
              }
            }
          }
          throw new AssertionError("no coded cell");
        });
  }
}
