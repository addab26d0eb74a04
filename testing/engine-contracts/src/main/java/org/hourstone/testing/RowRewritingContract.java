package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Trait;
import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionReport;
import org.hourstone.rewrite.CompactionScope;
import org.hourstone.testkit.ConcurrentRunner;
import org.hourstone.testkit.StoreFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * If a store passes this, points are read as they were written, in whatever form they were written
 * and however their rows are rewritten concurrently.
 */
public abstract class RowRewritingContract implements RepeatedCases {
  private static final int CASES = 150;

  private static final long FIRST_SEED = 20_130_101;

  @TempDir private Path directory;

  /** Opens the store under test, empty. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  /** {@code -Dhourstone.rewriting.seed=…} plays one case alone, {@code …cases=…} more of them. */
  @Test
  final void whateverIsWrittenAndRewrittenReadsAsAMapOfPoints() {
    StoreFixture fixture = StoreFixture.in(directory, 1);
    try (KeyValueStore store = open(fixture)) {
      Long only = Long.getLong("hourstone.rewriting.seed");
      int cases = only == null ? Integer.getInteger("hourstone.rewriting.cases", scaled(CASES)) : 1;
      long rewritten = 0;
      for (int i = 0; i < cases; i++) {
        long seed = only == null ? FIRST_SEED + i : only;
        try (RewritingCase one = new RewritingCase(store, fixture.clock(), seed)) {
          rewritten += one.play();
        }
      }
      assertThat(rewritten).describedAs("rewritten rows").isGreaterThan(cases);
    }
  }

  @Test
  @Timeout(300)
  final void noAcknowledgedPointIsLostWhileItsRowIsCompactedAgainAndAgain() throws Exception {
    StoreFixture fixture = StoreFixture.in(directory, 2);
    try (KeyValueStore store = open(fixture);
        Tsdb db =
            Tsdb.over(
                store,
                TsdbOptions.defaults()
                    .withClock(fixture.clock())
                    .with(Settings.CREATE_TABLES, "true")
                    .with(Settings.HEAD, "false") // points are in rows at once
                    .with(Settings.COMPACTION_BACKGROUND, "false"))) {
      overlapWritesAndCompactions(store, db, fixture);
    }
  }

  private void overlapWritesAndCompactions(KeyValueStore store, Tsdb db, StoreFixture fixture)
      throws Exception {
    int instants = 20;
    int times = Math.max(100, scaled(300));
    AtomicLongArray acknowledged = new AtomicLongArray(instants);
    AtomicLong rewritten = new AtomicLong();
    Semaphore compacted = new Semaphore(0);
    boolean exactTimes = store.traits().contains(Trait.MONOTONIC_WRITE_TIMES);
    long start = fixture.clock().millis() / 1000 - 2 * 3600;
    ConcurrentRunner.overlap(
        times,
        List.of(
            // An even value is an integer and an odd one a double: of a timestamp there are two
            // cells, and the newer of them is to be read.
            time -> {
              int i = time * 7 % instants;
              long value = acknowledged.get(i) + 1;
              Instant at = Instant.ofEpochSecond(start + i);
              Tags tags = Tags.of("host", "a");
              (value % 2 == 0
                      ? db.put("m", at, value, tags)
                      : db.put("m", at, (double) value, tags))
                  .join();
              acknowledged.set(i, value);
              // Later times come when the others may have ended: there may be no compaction any
              // more.
              if (exactTimes && time < times && time % 50 == 49) {
                compacted.acquire();
                int unused = compacted.drainPermits();
              }
            },
            time -> {
              fixture.clock().advance(Duration.ofMinutes(2));
              CompactionReport report =
                  db.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
              if (report.rewritten() > 0) {
                rewritten.addAndGet(report.rewritten());
                compacted.release();
              }
            },
            time -> {
              long[] atLeast = new long[instants];
              for (int i = 0; i < instants; i++) {
                atLeast[i] = acknowledged.get(i);
              }
              if (atLeast[0] > 0) {
                checkAtLeast(db, start, atLeast);
              }
            }));
  }

  private static void checkAtLeast(Tsdb db, long start, long[] atLeast) {
    Query query = Query.metric("m").betweenMillis(start * 1000, (start + 3600) * 1000);
    List<ResultSeries> found = new ArrayList<>();
    try (SeriesCursor series = db.query(query)) {
      series.forEach(found::add);
    }
    assertThat(found).hasSize(1);
    ResultSeries points = found.get(0);
    double[] read = new double[atLeast.length];
    for (int i = 0; i < points.size(); i++) {
      read[(int) (points.millis(i) / 1000 - start)] = points.doubleValue(i);
    }
    for (int i = 0; i < atLeast.length; i++) {
      assertThat(read[i]).describedAs("instant %s", i).isGreaterThanOrEqualTo((double) atLeast[i]);
    }
  }
}
