package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.hourstone.MemorySettings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.StoreException;
import org.hourstone.query.SeriesCursor;
import org.hourstone.testkit.store.FaultPlan;
import org.hourstone.testkit.store.FaultPlan.Fault;
import org.hourstone.testkit.store.FaultyStore;
import org.hourstone.uid.UidKind;
import org.hourstone.write.Receipt;
import org.hourstone.write.SeriesWriter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Points and names when any call fails, and with any number of concurrent writers. */
public abstract class TsdbFailureContract extends TsdbCase implements RepeatedCases {
  @Test
  final void oneNameGetsOneUidWhateverTheRace() throws Exception {
    int threads = 8;
    int names = 60;
    List<Tsdb> databases = new ArrayList<>();
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<Map<String, String>>> tasks = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        // Half of the threads have a database of their own, as other processes would.
        Tsdb mine = t % 2 == 0 ? db : Tsdb.over(store, db.engine().options());
        databases.add(mine);
        tasks.add(
            () -> {
              Map<String, String> uids = new TreeMap<>();
              for (int i = 0; i < names; i++) {
                uids.put(
                    "n" + i,
                    HexFormat.of().formatHex(mine.uids().uidForWriting(UidKind.TAGV, "n" + i)));
              }
              return uids;
            });
      }
      Set<Map<String, String>> answers = new HashSet<>();
      for (Future<Map<String, String>> answer : executor.invokeAll(tasks)) {
        answers.add(answer.get());
      }
      assertThat(answers).hasSize(1);
      assertThat(new HashSet<>(answers.iterator().next().values())).hasSize(names);
      db.dropCaches();
      db.uids()
          .forEach(
              UidKind.TAGV,
              (name, uid) -> assertThat(db.uids().name(UidKind.TAGV, uid)).isEqualTo(name));
    } finally {
      executor.shutdownNow();
      databases.forEach(Tsdb::close);
    }
  }

  @Test
  final void manyThreadsWriteAtOnceAndNothingIsLost() throws Exception {
    int threads = 4;
    int points = 3000;
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        Tags tags = Tags.of("host", "h" + t);
        tasks.add(
            () -> {
              for (int i = 0; i < points; i++) {
                db.put("m", START.plusSeconds(i), 1, tags);
              }
              return null;
            });
      }
      for (Future<Void> task : executor.invokeAll(tasks)) {
        task.get();
      }
    } finally {
      executor.shutdownNow();
    }
    db.flush();
    assertThat(ask(query("sum:1h-count:m"))).containsExactly("m{}[host]: 0=12000.0");
  }

  @Test
  final void whateverFailsNoAcknowledgedPointIsMissing() {
    for (long seed = 1; seed <= scaled(6); seed++) {
      long run = seed;
      String metric = "faulty" + seed;
      FaultPlan plan = new FaultPlan(seed);
      Map<String, CompletableFuture<@Nullable Void>> sent = new TreeMap<>();
      // Two attempts, so that some points fail for good.
      TsdbOptions options = db.engine().options().with(MemorySettings.WRITE_ATTEMPTS, "2");
      Tsdb faulty = Tsdb.over(new FaultyStore(store, plan), options);
      plan.failAll(0.07);
      Random random = new Random(seed);
      for (int i = 0; i < 400; i++) {
        int host = random.nextInt(12);
        try {
          Instant time = START.plusSeconds(i * 20L);
          sent.put(
              "h" + host + " " + time.toEpochMilli() + " " + i,
              faulty.put(metric, time, i, Tags.of("host", "h" + host)));
        } catch (StoreException refused) {
          assertThat(refused.outcome()).isNotNull(); // told at once: nothing was taken
        }
      }
      plan.calm();
      closeIgnoringFailures(faulty);
      db.dropCaches();
      Set<String> stored = new HashSet<>(pointsOf(metric));
      assertThat(plan.injected()).describedAs("seed %d", seed).isPositive();
      sent.forEach(
          (point, future) -> {
            assertThat(future).isDone();
            if (!future.isCompletedExceptionally()) {
              assertThat(stored).describedAs("seed %d", run).contains(point);
            }
          });
      assertThat(sent.keySet()).describedAs("seed %d", seed).containsAll(stored);
    }
    checkNames();
  }

  private static void closeIgnoringFailures(Tsdb database) {
    try {
      database.close();
    } catch (StoreException e) {
      assertThat(e).hasMessageContaining("not stored"); // its future reports each, too
    }
  }

  private List<String> pointsOf(String metric) {
    List<String> lines = new ArrayList<>();
    try (SeriesCursor cursor = db.query(query("none:" + metric))) {
      cursor.forEach(
          series -> {
            for (int i = 0; i < series.size(); i++) {
              lines.add(
                  series.tags().get("host") + " " + series.millis(i) + " " + series.longValue(i));
            }
          });
    }
    return lines;
  }

  /** Names and UIDs are each other's inverse, whatever failed. */
  private void checkNames() {
    for (UidKind kind : UidKind.values()) {
      Set<String> uids = new HashSet<>();
      db.uids()
          .forEach(
              kind,
              (name, uid) -> {
                assertThat(uids.add(HexFormat.of().formatHex(uid))).describedAs(name).isTrue();
                assertThat(db.uids().name(kind, uid)).isEqualTo(name);
              });
      assertThat((long) uids.size()).isLessThanOrEqualTo(db.uids().usage(kind).assigned());
    }
  }

  @Test
  final void whicheverCallFailsANameGetsOneUid() {
    for (Fault fault : Fault.values()) {
      for (int call = 1; call <= 12; call++) {
        String name = "n." + fault + "." + call;
        FaultPlan plan = new FaultPlan(call).failCall(call, fault);
        try (Tsdb faulty = Tsdb.over(new FaultyStore(store, plan), db.engine().options())) {
          byte[] uid = faulty.uids().uidForWriting(UidKind.METRIC, name);
          db.dropCaches();
          assertThat(db.uids().uid(UidKind.METRIC, name)).isEqualTo(uid);
        } catch (StoreException refused) {
          db.dropCaches(); // a name that was not assigned can be assigned now
          assertThat(db.uids().uidForWriting(UidKind.METRIC, name)).hasSize(3);
        }
      }
    }
    checkNames();
  }

  @Test
  final void aReceiptThatThrowsKeepsNoOtherFromBeingCalled() {
    List<Long> told = Collections.synchronizedList(new ArrayList<>());
    Receipt receipt =
        new Receipt() {
          @Override
          public void stored(long token) {
            told.add(token);
            throw new IllegalStateException("thrown by the test's receipt");
          }

          @Override
          public void failed(long token, RuntimeException reason) {
            told.add(-token);
          }
        };
    SeriesWriter series = db.writer().series("m", WEB01.asMap());
    for (int i = 1; i <= 10; i++) {
      series.put(HOUR + i, i, receipt, i);
    }
    db.flush();
    assertThat(told).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
  }

  @Test
  final void whatWouldWaitForItselfIsRefused() {
    CompletableFuture<Void> flushed = new CompletableFuture<>();
    SeriesWriter series = db.writer().series("m", WEB01.asMap());
    series.put(
        HOUR,
        1,
        new Receipt() {
          @Override
          public void stored(long token) {
            try {
              db.flush();
              flushed.complete(null);
            } catch (IllegalStateException e) {
              flushed.completeExceptionally(e);
            }
          }

          @Override
          public void failed(long token, RuntimeException reason) {
            flushed.completeExceptionally(reason);
          }

          @Override
          public boolean isAwaited() {
            return true;
          }
        },
        0);
    assertThatThrownBy(flushed::join).hasMessageContaining("use thenRunAsync");
  }
}
