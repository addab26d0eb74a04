package org.hourstone.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Family;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ActingStore;
import org.hourstone.testkit.store.ModelStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * Databases over a store on the heap whose changes can be stopped and made to fail, and what their
 * writers report.
 */
@Timeout(60)
abstract class WriterCase {
  static final String POINTS = "tsdb";
  static final String METADATA = "tsdb-meta";
  static final String JOURNAL = "tsdb-journal";
  static final long HOUR = 1_356_998_400L;
  static final Map<String, String> A = Map.of("h", "a");

  /** What a thread does that has no memory left. */
  static final Runnable DIE =
      () -> {
        throw new OutOfMemoryError("as if");
      };

  final ManualClock clock = new ManualClock(Instant.ofEpochSecond(HOUR));
  final HookedStore store = new HookedStore();
  final Told told = new Told();

  private Thread.@Nullable UncaughtExceptionHandler handler;
  final List<Throwable> reported = new ArrayList<>();

  @BeforeEach
  void catchWhatIsReported() {
    handler = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, thrown) -> {
          synchronized (reported) {
            reported.add(thrown);
          }
          throw new IllegalStateException("a handler that throws");
        });
  }

  @AfterEach
  void restore() {
    Thread.setDefaultUncaughtExceptionHandler(handler);
    store.before = family -> {};
  }

  /** A store on the heap, with something to be done before each batch. */
  static final class HookedStore extends ActingStore {
    interface Hook {
      void call(Family family) throws InterruptedException;
    }

    volatile Hook before = family -> {};
    final AtomicInteger batches = new AtomicInteger();

    HookedStore() {
      super(new ModelStore(InstantSource.system()));
    }

    /** From now on each change of the table waits at the gate, and does this when it opens. */
    Gate gate(String table, Runnable then) {
      Gate gate = new Gate();
      before =
          family -> {
            if (family.table().equals(table)) {
              gate.reached.countDown();
              gate.open.await();
              then.run();
            }
          };
      return gate;
    }

    @Override
    protected void beforeChange(Family family) {
      try {
        before.call(family);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StoreException(Outcome.UNKNOWN, "interrupted", e);
      }
    }

    @Override
    public void mutate(Family family, List<RowMutation> batch) {
      if (family.table().equals(POINTS)) {
        batches.incrementAndGet();
      }
      super.mutate(family, batch);
    }
  }

  /** Where changes of a table wait. */
  static final class Gate {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);

    void awaitReached() throws InterruptedException {
      reached.await();
    }

    void open() {
      open.countDown();
    }
  }

  /** Counts the notifications of each point. */
  static final class Told implements Receipt {
    final Map<Long, Integer> stored = new ConcurrentHashMap<>();
    final Map<Long, Integer> failed = new ConcurrentHashMap<>();

    @Override
    public void stored(long token) {
      stored.merge(token, 1, Integer::sum);
    }

    @Override
    public void failed(long token, RuntimeException reason) {
      failed.merge(token, 1, Integer::sum);
    }
  }

  final Tsdb open(TsdbOptions options) {
    return Tsdb.over(
        store,
        options
            .withClock(clock)
            .with(MemorySettings.WRITE_THREADS, "1")
            .with(MemorySettings.WRITE_QUEUE, "16")
            .with(Settings.COMPACTION_BACKGROUND, "false"));
  }

  static TsdbOptions held() {
    return TsdbOptions.defaults().with(Settings.FLUSH_INTERVAL, "60");
  }

  static TsdbOptions unheld() {
    return TsdbOptions.defaults().with(Settings.FLUSH_INTERVAL, "0");
  }

  static TsdbOptions counting() {
    return unheld()
        .with(Settings.META_TRACKING, "true")
        .with(Settings.META_REALTIME_TS, "true")
        .with(Settings.META_INCREMENTING, "true");
  }

  /** A flush fails with points that end with an error if the thread takes them together. */
  static void flushThoughItMayFail(Tsdb db) {
    try {
      db.flush();
    } catch (StoreException e) {
      assertThat(e).hasMessageContaining("as if");
    }
  }

  static CompletableFuture<?> put(Tsdb db, int second) {
    return db.put("m", Instant.ofEpochSecond(HOUR + second), 1L, Tags.of("h", "a"));
  }
}
