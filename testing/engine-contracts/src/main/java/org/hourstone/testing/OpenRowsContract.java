package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.index.SeriesPattern;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.query.Query;
import org.hourstone.testkit.ConcurrentRunner;
import org.hourstone.testkit.store.FaultPlan;
import org.hourstone.testkit.store.FaultyStore;
import org.hourstone.tool.Admin;
import org.hourstone.uid.UidKind;
import org.hourstone.write.SeriesPoints;
import org.hourstone.write.SeriesWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What holds for points in open rows, whenever they are acknowledged: readers of the process see
 * them at once, each is reported once, and the newest of a timestamp is read.
 */
public abstract class OpenRowsContract extends OpenRowsCase {
  private static final int MANY = 1000;

  /** Points by every door, none of which waits. */
  private void putByEveryDoor() {
    db.writer().putTelnetLine("put m " + HOUR + " 1 host=web01", told, 0);
    db.writer().putText("m", WEB01, HOUR + 1, "2.5", told, 1);
    db.writer().put("m", WEB01, HOUR + 2, 3, told, 2);
    SeriesPoints gathered = db.writer().seriesPoints(told);
    gathered.add(db.writer().series("m", WEB01), HOUR + 3, 4, 3);
    gathered.send();
    letTheWriterCatchUp();
  }

  @ParameterizedTest
  @EnumSource
  final void pointsThatWereTakenAreReadAtOnce(Policy policy) {
    open(policy);
    putByEveryDoor();

    assertThat(told.stored).hasSize(policy.isInterval() ? 0 : 4);
    assertThat(points("m", WEB01)).isEqualTo(Map.of(0L, "1", 1L, "2.5", 2L, "3", 3L, "4"));
    assertThat(db.last().find("m", WEB01, 0))
        .hasValueSatisfying(last -> assertThat(last.millis()).isEqualTo((HOUR + 3) * 1000));
    List<byte[]> found = new ArrayList<>();
    db.lookup().findInData(SeriesPattern.parse("m"), 10, found::add);
    assertThat(found).containsExactly(db.writer().series("m", WEB01).tsuid());
    assertThat(stored("m").isEmpty()).isEqualTo(policy != Policy.NONE);
  }

  /** The rows of a metric as they are stored. */
  private List<Row> stored(String metric) {
    byte[] start = db.uids().uid(UidKind.METRIC, metric);
    byte[] stop = start.clone();
    stop[stop.length - 1]++;
    return HeadCase.rows(store, db.engine().tables().points(), Scan.range(start, stop));
  }

  @ParameterizedTest
  @EnumSource
  final void anExportHasThem(Policy policy) {
    open(policy);
    putByEveryDoor();

    List<String> lines = new ArrayList<>();
    Query query = Query.parse("none:m").betweenMillis(HOUR * 1000, (HOUR + 10) * 1000);
    for (Scan scan : db.engine().queries().select(query).scans()) {
      for (Row row :
          HeadCase.rows(db.engine().sealedStore(), db.engine().tables().points(), scan)) {
        lines.addAll(Admin.of(db).importLines().of(row).lines());
      }
    }

    assertThat(lines).hasSize(4).allMatch(line -> line.startsWith("m 150000120"));
  }

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  final void aFlushWritesOneCellForEachRow(Policy policy) {
    open(policy);
    for (int i = 0; i < 100; i++) {
      put(i * 37 % 3600, i);
    }

    db.flush();

    assertThat(told.stored).hasSize(100);
    assertThat(stored("m")).hasSize(1).allMatch(row -> row.size() == 1);
    assertThat(points("m", WEB01)).hasSize(100);
    assertThat(db.headStats())
        .satisfies(stats -> assertThat(stats.rows()).isZero())
        .satisfies(stats -> assertThat(stats.bytes()).isZero())
        .satisfies(stats -> assertThat(stats.journalBytes()).isZero());
  }

  /** Names that were looked up again give another object for the same series. */
  @ParameterizedTest
  @EnumSource
  final void twoHandlesOfOneSeriesLoseNothing(Policy policy) {
    open(policy);
    SeriesWriter one = db.writer().series("m", WEB01);
    db.dropCaches();
    SeriesWriter other = db.writer().series("m", WEB01);
    one.put(HOUR, 1, told, 1);
    other.put(HOUR, 2, told, 2);
    db.flush();
    one.put(HOUR + 1, 3, told, 3);
    other.put(HOUR + 2, 4, told, 4);
    letTheWriterCatchUp();
    assertThat(points("m", WEB01)).isEqualTo(Map.of(0L, "2", 1L, "3", 2L, "4"));
    db.flush();
    assertThat(told.times).isEqualTo(Map.of(1L, 1, 2L, 1, 3L, 1, 4L, 1));
    assertThat(told.stored).containsExactly(1L, 2L, 3L, 4L);
    assertThat(points("m", WEB01)).isEqualTo(Map.of(0L, "2", 1L, "3", 2L, "4"));
  }

  @ParameterizedTest
  @EnumSource
  final void ofOneTimestampTheNewestIsReadAndEachIsReported(Policy policy) {
    open(policy);
    db.writer().put("m", WEB01, HOUR, 300, told, 1);
    letTheWriterCatchUp();
    db.writer().put("m", WEB01, HOUR, 0.5, told, 2);
    db.writer().put("m", WEB01, HOUR + 1, 7, told, 3);
    letTheWriterCatchUp();
    assertThat(points("m", WEB01)).isEqualTo(Map.of(0L, "0.5", 1L, "7"));
    db.flush();
    assertThat(points("m", WEB01)).isEqualTo(Map.of(0L, "0.5", 1L, "7"));
    db.writer().put("m", WEB01, HOUR, 9, told, 4);
    letTheWriterCatchUp();
    assertThat(points("m", WEB01)).as("late").isEqualTo(Map.of(0L, "9", 1L, "7"));
    db.flush();
    assertThat(points("m", WEB01)).isEqualTo(Map.of(0L, "9", 1L, "7"));
    assertThat(told.times).isEqualTo(Map.of(1L, 1, 2L, 1, 3L, 1, 4L, 1));
  }

  @ParameterizedTest
  @EnumSource
  final void aDeletionFindsThem(Policy policy) {
    open(policy);
    put(0, 1);
    put(1, 2);
    put(2, 3);
    letTheWriterCatchUp();
    Query second = Query.parse("none:m").betweenMillis((HOUR + 1) * 1000, (HOUR + 1) * 1000 + 1);

    assertThat(db.delete(second)).isEqualTo(1);

    assertThat(points("m", WEB01)).isEqualTo(Map.of(0L, "1", 2L, "3"));
    db.close();
    db = Tsdb.over(store, db.engine().options());
    assertThat(points("m", WEB01)).isEqualTo(Map.of(0L, "1", 2L, "3"));
  }

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  final void beyondTheBoundsTheOldestRowsAreWritten(Policy policy) {
    open(policy);
    db.close();
    TsdbOptions bounded =
        options(policy)
            .with(MemorySettings.HEAD_BYTES, "8000")
            .with(MemorySettings.BUFFERED_POINTS, "" + MANY);
    db = Tsdb.over(store, bounded);
    for (int i = 0; i < 2 * MANY; i++) {
      db.writer().put("m", WEB01, HOUR + i * 40L, i, told, i);
    }
    letTheWriterCatchUp();

    assertThat(points("m", WEB01)).hasSize(2 * MANY);
    List<Row> early = stored("m");
    assertThat(early.size()).isBetween(1, 2 * MANY / 90);
    db.flush();
    List<Row> all = stored("m");
    assertThat(HeadCase.texts(all).subList(0, early.size())).isEqualTo(HeadCase.texts(early));
    assertThat(told.stored)
        .containsExactlyElementsOf(LongStream.range(0, 2 * MANY).boxed().toList());
    assertThat(points("m", WEB01)).hasSize(2 * MANY);
  }

  @ParameterizedTest
  @EnumSource
  final void closingWritesWhatIsOpen(Policy policy) {
    open(policy);
    put(0, 1);
    put(4000, 2);
    db.close();
    assertThat(told.stored).containsExactly(0L, 4000L);
    db = Tsdb.over(store, db.engine().options());
    assertThat(stored("m")).hasSize(2);
    assertThat(points("m", WEB01)).isEqualTo(Map.of(0L, "1", 4000L, "2"));
  }

  @ParameterizedTest
  @EnumSource
  final void metadataCountsEachPointOnce(Policy policy) {
    open(policy);
    db.close();
    db =
        Tsdb.over(
            store,
            options(policy)
                .with(Settings.META_TRACKING, "true")
                .with(Settings.META_REALTIME_TS, "true")
                .with(Settings.META_INCREMENTING, "true"));
    for (int i = 0; i < 5; i++) {
      put(i, i);
    }
    db.flush();

    byte[] tsuid = db.writer().series("m", WEB01).tsuid();
    List<Long> counts = new ArrayList<>();
    db.metadata()
        .series()
        .forEach((of, meta) -> counts.add(Arrays.equals(of, tsuid) ? meta.points() : -1));
    assertThat(counts).containsExactly(5L);
  }

  /** A point that was seen before it was acknowledged is not seen once it is reported as lost. */
  @ParameterizedTest
  @EnumSource(names = {"INTERVAL", "INTERVAL_OF_APPENDS"})
  final void aPointThatFailedIsNotReadAnyMore(Policy policy) {
    AtomicBoolean failing = new AtomicBoolean();
    db.close();
    TsdbOptions once = options(policy).with(MemorySettings.WRITE_ATTEMPTS, "1");
    db =
        Tsdb.over(
            new ForwardingStore(store) {
              @Override
              public void mutate(Family family, List<RowMutation> batch) {
                if (failing.get() && family.table().equals("tsdb")) {
                  throw new StoreException(Outcome.NOT_APPLIED, "as if");
                }
                super.mutate(family, batch);
              }

              /** The store behind stays open. */
              @Override
              public void close() {}
            },
            once);
    put(0, 1);
    letTheWriterCatchUp();
    assertThat(points("m", WEB01)).isEqualTo(Map.of(0L, "1"));

    failing.set(true);
    db.writer().flush();

    assertThat(told.times).isEqualTo(Map.of(0L, 1));
    assertThat(told.stored).isEmpty();
    assertThat(points("m", WEB01)).isEmpty();
    failing.set(false);
    put(0, 2);
    db.flush();
    assertThat(points("m", WEB01)).isEqualTo(Map.of(0L, "2"));
  }

  @ParameterizedTest
  @EnumSource
  final void readersMissNothingWhileRowsAreSealed(Policy policy) throws Exception {
    open(policy);
    AtomicLong acknowledged = new AtomicLong(-1);
    ConcurrentRunner.overlap(
        100,
        List.of(
            time -> {
              db.put("m", Instant.ofEpochSecond(HOUR + time), time, Tags.of(WEB01)).join();
              acknowledged.set(time);
            },
            time -> db.flush(),
            time -> {
              long atLeast = acknowledged.get();
              if (atLeast >= 0) {
                assertThat(points("m", WEB01).size()).isGreaterThan((int) atLeast);
              }
            }));
  }

  @ParameterizedTest
  @EnumSource
  final void whateverFailsEachPointIsReportedOnceAndNoneThatWasAcknowledgedIsMissing(
      Policy policy) {
    open(policy);
    db.close();
    for (long seed = 1; seed <= 4; seed++) {
      Random random = new Random(seed);
      FaultPlan plan = new FaultPlan(seed);
      Told all = new Told();
      String metric = "faulty" + seed;
      TsdbOptions options = options(policy).with(MemorySettings.WRITE_ATTEMPTS, "2");
      Set<Long> sent = new HashSet<>();
      try (Tsdb faulty = Tsdb.over(new FaultyStore(store, plan), options)) {
        faulty.uids().assign(UidKind.METRIC, metric);
        plan.failAll(0.1);
        for (long i = 0; i < 300; i++) {
          try {
            Map<String, String> tags = Map.of("host", "h" + i % 5);
            faulty.writer().put(metric, tags, HOUR + i * 20, i, all, i);
            sent.add(i);
          } catch (StoreException refused) {
            assertThat(refused.outcome()).isNotNull(); // told at once: nothing was taken
          }
          if (random.nextInt(10) == 0) {
            clock.advance(Duration.ofSeconds(random.nextInt(60)));
          }
          if (random.nextInt(50) == 0) {
            flushUnlessRowsStay(faulty);
          }
        }
        plan.calm();
      }
      assertThat(plan.injected()).describedAs("seed %d", seed).isPositive();
      assertThat(all.times.keySet()).describedAs("seed %d", seed).isEqualTo(sent);
      assertThat(all.times.values()).describedAs("seed %d", seed).containsOnly(1);
      try (Tsdb after = Tsdb.over(store, options)) {
        db = after;
        Map<Long, String> read = new TreeMap<>();
        for (int host = 0; host < 5; host++) {
          read.putAll(points(metric, Map.of("host", "h" + host)));
        }
        for (long i : all.stored) {
          assertThat(read).describedAs("seed %d", seed).containsEntry(i * 20, "" + i);
        }
      }
    }
  }

  private static void flushUnlessRowsStay(Tsdb faulty) {
    try {
      faulty.writer().flush();
    } catch (StoreException rowsStay) {
      assertThat(rowsStay.outcome()).isNotNull();
    }
  }
}
