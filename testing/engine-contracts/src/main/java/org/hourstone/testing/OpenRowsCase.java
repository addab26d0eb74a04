package org.hourstone.testing;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.common.util.concurrent.Uninterruptibles;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Trait;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.write.Receipt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A database with one writing thread, whose rows stay open, and what it reports of points. Its
 * clock does not move until a test moves it, so nothing is written by time alone unless a test
 * means it.
 */
@Timeout(300)
abstract class OpenRowsCase {
  static final long HOUR = 1_500_001_200;
  static final Map<String, String> WEB01 = Map.of("host", "web01");

  /** Until when rows stay open, and how they are written. */
  enum Policy {
    JOURNAL,
    JOURNAL_OF_APPENDS,
    INTERVAL,
    INTERVAL_OF_APPENDS,
    NONE;

    boolean isJournal() {
      return this == JOURNAL || this == JOURNAL_OF_APPENDS;
    }

    boolean isInterval() {
      return this == INTERVAL || this == INTERVAL_OF_APPENDS;
    }

    boolean appends() {
      return this == JOURNAL_OF_APPENDS || this == INTERVAL_OF_APPENDS;
    }

    TsdbOptions of(TsdbOptions options) {
      return options
          .with(Settings.HEAD, String.valueOf(isJournal()))
          .with(Settings.FLUSH_INTERVAL, isInterval() ? "60" : "0")
          .with(Settings.ENABLE_APPENDS, String.valueOf(appends()));
    }
  }

  @TempDir private Path directory;
  final ManualClock clock = new ManualClock(Instant.ofEpochSecond(HOUR));
  final Told told = new Told();
  KeyValueStore store;
  Tsdb db;
  private int marks;

  /** Opens the store under test, empty. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  @BeforeEach
  final void openStore() {
    store = open(StoreFixture.in(directory, 1));
    db = Tsdb.over(store, options(Policy.NONE));
  }

  @AfterEach
  final void close() {
    db.close();
    store.close();
  }

  final TsdbOptions options(Policy policy) {
    return policy.of(
        TsdbOptions.defaults()
            .withClock(clock)
            .with(Settings.CREATE_TABLES, "true")
            .with(Settings.COMPACTION_BACKGROUND, "false")
            .with(MemorySettings.WRITE_THREADS, "1"));
  }

  /** Opens the database again, with a policy that is for the store. */
  final void open(Policy policy) {
    if (policy.isJournal()) {
      assumeThat(store.traits()).as("a journal is for one process").doesNotContain(Trait.SHARED);
    }
    if (policy == Policy.JOURNAL_OF_APPENDS) {
      assumeThat(store.traits())
          .as("appends are ordered by write times")
          .contains(Trait.MONOTONIC_WRITE_TIMES);
    }
    db.close();
    db = Tsdb.over(store, options(policy));
  }

  /** Counts the notifications of each point. */
  static final class Told implements Receipt {
    final Set<Long> stored = new ConcurrentSkipListSet<>();
    final Map<Long, Integer> times = new ConcurrentHashMap<>();
    private final Map<Long, CountDownLatch> latches = new ConcurrentHashMap<>();
    volatile boolean awaited;

    @Override
    public void stored(long token) {
      stored.add(token);
      tell(token);
    }

    @Override
    public void failed(long token, RuntimeException reason) {
      tell(token);
    }

    private void tell(long token) {
      times.merge(token, 1, Integer::sum);
      latch(token).countDown();
    }

    private CountDownLatch latch(long token) {
      return latches.computeIfAbsent(token, t -> new CountDownLatch(1));
    }

    @Override
    public boolean isAwaited() {
      return awaited;
    }

    void await(long token) {
      assertThat(Uninterruptibles.awaitUninterruptibly(latch(token), 60, TimeUnit.SECONDS))
          .describedAs("%d", token)
          .isTrue();
    }
  }

  /** Puts a point whose receipt is notified with the second of its hour. */
  final void put(int second, long value) {
    db.writer().put("m", WEB01, HOUR + second, value, told, second);
  }

  /** Returns when all that was handed in has been taken up by the one thread that writes. */
  final void letTheWriterCatchUp() {
    for (int i = 0; i < 2; i++) { // what is done with the first has been done by the second
      db.put("marker", Instant.ofEpochSecond(HOUR + marks++), 1, Tags.of("host", "a")).join();
    }
  }

  /** Value by second of the hour. */
  final Map<Long, String> points(String metric, Map<String, String> tags) {
    Map<Long, String> points = new TreeMap<>();
    Query query =
        Query.metric(metric)
            .betweenMillis((HOUR - 3600) * 1000, (HOUR + 864_000) * 1000)
            .groupBy("host", requireNonNull(tags.get("host")));
    try (SeriesCursor all = db.query(query)) {
      all.forEach(
          series -> {
            for (int i = 0; i < series.size(); i++) {
              String before = points.put(series.millis(i) / 1000 - HOUR, series.text(i));
              assertThat(before).as("another point of this second").isNull();
            }
          });
    }
    return points;
  }
}
