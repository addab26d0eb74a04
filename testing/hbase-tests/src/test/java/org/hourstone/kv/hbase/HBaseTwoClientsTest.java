package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.hbase.HBaseProcess;
import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.Row;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionReport;
import org.hourstone.rewrite.CompactionScope;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two databases over the same tables, each with a connection of its own, as in two processes. */
@NeedsHBase
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class HBaseTwoClientsTest {
  private static final Instant START = Instant.ofEpochSecond(1_500_001_200);
  private static final Tags HOST = Tags.of("host", "a");
  private static final int POINTS = 10;

  @TempDir private Path directory;
  private KeyValueStore first;
  private Colliding second;
  private Tsdb deleting;
  private Tsdb compacting;

  /** Lets something happen right before the next replacement of cells. */
  private static final class Colliding extends ForwardingStore {
    final AtomicReference<Runnable> before = new AtomicReference<>(Colliding::doNothing);

    Colliding(KeyValueStore store) {
      super(store);
    }

    @Override
    public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
      before.getAndSet(Colliding::doNothing).run();
      return super.replaceCells(family, observed, replacement);
    }

    private static void doNothing() {}
  }

  @BeforeEach
  void open() {
    String uri = HBaseProcess.sharedUri() + "?prefix=" + StoreFixture.in(directory, 1).name() + "_";
    TsdbOptions options =
        TsdbOptions.defaults()
            .with(Settings.CREATE_TABLES, "true")
            .with(Settings.COMPACTION_QUIET, "0")
            .with(Settings.COMPACTION_BACKGROUND, "false");
    first = KeyValueStores.open(uri);
    deleting = Tsdb.over(first, options);
    second = new Colliding(KeyValueStores.open(uri));
    compacting = Tsdb.over(second, options);
  }

  @AfterEach
  void close() {
    compacting.close();
    second.close();
    deleting.close();
    first.close();
  }

  private static Query seconds(int from, int to) {
    return Query.parse("sum:m").between(START.plusSeconds(from), START.plusSeconds(to));
  }

  private static int points(Tsdb db) {
    AtomicInteger points = new AtomicInteger();
    try (SeriesCursor cursor = db.query(seconds(0, POINTS))) {
      cursor.forEach(series -> points.addAndGet(series.size()));
    }
    return points.get();
  }

  @Test
  void whatOneDeletesWhileTheOtherCompactsStaysDeleted() {
    for (int i = 0; i < POINTS; i++) {
      compacting.put("m", START.plusSeconds(i), i, HOST).join();
    }
    second.before.set(() -> assertThat(deleting.delete(seconds(2, 4))).isPositive());

    var unused = compacting.compactor().run(CompactionScope.everything(), CompactionListener.NONE);

    assertThat(points(compacting)).isEqualTo(POINTS - 3);
    assertThat(points(deleting)).isEqualTo(POINTS - 3);
  }

  /** And the other way round: the deletion finds the row compacted. */
  @Test
  void whatOneCompactsWhileTheOtherDeletesIsDeletedAllTheSame() {
    for (int i = 0; i < POINTS; i++) {
      deleting.put("m", START.plusSeconds(i), i, HOST).join();
    }
    second.before.set(
        () -> {
          var unused =
              deleting.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
        });

    assertThat(compacting.delete(seconds(2, 4))).isPositive();

    assertThat(points(compacting)).isEqualTo(POINTS - 3);
    assertThat(points(deleting)).isEqualTo(POINTS - 3);
  }

  /** A server may still give the next write the time of the row's newest cell. */
  @Test
  void aRowIsNotTakenForQuietBecauseOurClockIsAhead() {
    for (int i = 0; i < POINTS; i++) {
      deleting.put("m", START.plusSeconds(i), i, HOST).join();
    }
    InstantSource ahead = InstantSource.offset(InstantSource.system(), Duration.ofDays(1));
    TsdbOptions quiet = compacting.engine().options().with(Settings.COMPACTION_QUIET, "600");
    try (Tsdb db = Tsdb.over(second, quiet.withClock(ahead))) {
      CompactionReport report =
          db.compactor().run(CompactionScope.everything(), CompactionListener.NONE);

      assertThat(report.early()).isEqualTo(1);
    }
    CompactionReport report =
        compacting.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
    assertThat(report.rewritten()).isEqualTo(1);
  }

  /** The deletion of the old name, at each end, must not hide the new one. */
  @Test
  void aNameThatIsGivenBackIsFound() {
    deleting.put("x", START, 1, HOST).join();
    for (int i = 0; i < 150; i++) {
      deleting.uids().rename(UidKind.METRIC, "x", "y");
      deleting.uids().rename(UidKind.METRIC, "y", "x");
      deleting.dropCaches();

      assertThat(deleting.uids().find(UidKind.METRIC, "x")).as("round %d", i).isNotNull();
      assertThat(deleting.uids().find(UidKind.METRIC, "y")).as("round %d", i).isNull();
    }
  }
}
