package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.hourstone.Settings;
import org.hourstone.Tables;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.hbase.HBaseProcess;
import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.rewrite.Keep;
import org.hourstone.tool.Admin;
import org.hourstone.tool.FsckFinding;
import org.hourstone.tool.FsckKind;
import org.hourstone.tool.FsckListener;
import org.hourstone.tool.FsckOptions;
import org.hourstone.tool.FsckReport;
import org.hourstone.tool.UidFsckListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A backup of snapshots, one table after the other, while each new point makes three names. */
@NeedsHBase
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class HBaseSnapshotsTest {
  /** How many points are written between two snapshots, at least. */
  private static final int BETWEEN = 20;

  private static final long HOUR = 1_500_001_200;
  private static final Pattern SNAPSHOT = Pattern.compile("(?m)^snapshot '([^']+)', '[^']+'$");

  private static TsdbOptions options() {
    return TsdbOptions.defaults()
        .with(Settings.CREATE_TABLES, "true")
        .with(Settings.AUTO_CREATE_METRICS, "true")
        .with(Settings.HEAD, "false")
        .with(Settings.META_REALTIME_TS, "true")
        .with(Settings.META_INCREMENTING, "true")
        .with(Settings.META_TRACKING, "true")
        .with(Settings.COMPACTION_BACKGROUND, "false");
  }

  private static String prefix() {
    return "snap" + UUID.randomUUID().toString().replace("-", "") + "_";
  }

  private static Tsdb open(String prefix) {
    return Tsdb.open(HBaseProcess.sharedUri() + "?prefix=" + prefix, options());
  }

  /** In the order of docs/backup.md. */
  private static List<String> documentedTables() throws IOException {
    String page = Files.readString(Path.of("../../docs/backup.md"));
    return SNAPSHOT.matcher(page).results().map((MatchResult each) -> each.group(1)).toList();
  }

  /** Puts a point of a new series with new names, again and again. */
  private static final class Writer extends Thread {
    private final Tsdb db;
    private final Semaphore written = new Semaphore(0);
    private volatile int count;
    private volatile boolean isStopped;

    Writer(Tsdb db) {
      super("writer");
      this.db = db;
    }

    @Override
    public void run() {
      for (int i = 0; !isStopped; i++) {
        Tags tags = Tags.of("host" + i, "web" + i);
        db.put("m" + i, Instant.ofEpochSecond(HOUR), i, tags).join();
        count = i + 1;
        written.release();
      }
    }

    /** Waits until some points are acknowledged that are not sent yet. */
    void awaitSome() throws InterruptedException {
      written.drainPermits();
      assertThat(written.tryAcquire(BETWEEN, 2, TimeUnit.MINUTES)).as("writes go on").isTrue();
    }
  }

  /**
   * Takes the snapshots and makes new tables of them, with another prefix.
   *
   * @return the number of points that were acknowledged before
   */
  private static int backUp(List<String> tables, String from, String to) throws Exception {
    try (Tsdb db = open(from);
        AsyncConnection connection = TableCase.connect(HBaseProcess.sharedUri())) {
      AsyncAdmin admin = connection.getAdmin();
      Writer writer = new Writer(db);
      writer.start();
      int before;
      try {
        writer.awaitSome();
        before = writer.count;
        for (String table : tables) {
          admin.snapshot(to + table, TableName.valueOf(from + table)).join();
          writer.awaitSome();
        }
      } finally {
        writer.isStopped = true;
        writer.join();
      }
      for (String table : tables) {
        admin.cloneSnapshot(to + table, TableName.valueOf(to + table)).join();
        admin.deleteSnapshot(to + table).join();
      }
      return before;
    }
  }

  private static FsckReport check(Tsdb db, List<FsckKind> found) {
    return Admin.of(db)
        .fsck(
            new FsckOptions(false, Set.of(), Keep.NEWEST, 1),
            new FsckListener() {
              @Override
              public void found(FsckFinding finding) {
                found.add(finding.kind());
              }

              @Override
              public void removing(Family family, Row cells) {}
            })
        .fullScan(null);
  }

  @Test
  void inTheDocumentedOrderNoRowRefersToAMissingName() throws Exception {
    List<String> tables = documentedTables();
    Tables usual = options().tables();
    assertThat(tables)
        .containsExactlyInAnyOrder(usual.data(), usual.uid(), usual.meta(), usual.tree());
    String restored = prefix();
    int before = backUp(tables, prefix(), restored);
    try (Tsdb db = open(restored)) {
      List<FsckKind> found = new ArrayList<>();
      FsckReport report = check(db, found);
      assertThat(found).isEmpty();
      assertThat(report.points()).isGreaterThanOrEqualTo(before);
      UidFsckListener repairs = finding -> {};
      Admin.of(db).uidFsck(true, false, repairs).run(); // a name may have had one entry of two
      assertThat(Admin.of(db).uidFsck(false, false, repairs).run().isSound()).isTrue();
      List<String> series = new ArrayList<>();
      db.metadata()
          .series() // the names of a series are needed to add it to trees
          .forEach((tsuid, meta) -> series.add(db.seriesTrees().series(tsuid).metric().name()));
      assertThat(series).isNotEmpty();

      db.put("m0", Instant.ofEpochSecond(HOUR + 1), 1, Tags.of("new", "name")).join();
      assertThat(check(db, found).points()).isEqualTo(report.points() + 1);
      assertThat(found).isEmpty();
    }
  }

  /** So the test above would notice it. */
  @Test
  void inTheOppositeOrderRowsReferToNamesThatAreMissing() throws Exception {
    List<String> tables = new ArrayList<>(documentedTables());
    Collections.reverse(tables);
    String restored = prefix();
    int unused = backUp(tables, prefix(), restored);
    try (Tsdb db = open(restored)) {
      List<FsckKind> found = new ArrayList<>();
      FsckReport report = check(db, found);
      assertThat(report.errors()).isGreaterThanOrEqualTo(BETWEEN);
      assertThat(found).contains(FsckKind.ORPHAN);
    }
  }
}
