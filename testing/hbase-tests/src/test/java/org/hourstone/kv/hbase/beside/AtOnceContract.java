package org.hourstone.kv.hbase.beside;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Both give UIDs to the same names, and write and compact the same rows, at the same time. */
abstract class AtOnceContract extends ReadAlikeContract {
  private static final int NAMES = 40;

  @Test
  final void bothGiveANewNameTheSameUid() throws Exception {
    CyclicBarrier together = new CyclicBarrier(4);
    List<Callable<@Nullable Void>> tasks = new ArrayList<>();
    try (Tsdb another = sides().oursWith(Settings.ENABLE_COMPACTION, "false")) {
      for (int writer = 0; writer < 4; writer++) {
        long time = HOUR + writer;
        Tsdb ours = writer == 2 ? sides().tsdb() : another;
        boolean theirs = writer < 2;
        tasks.add(
            () -> {
              for (int name = 0; name < NAMES; name++) {
                together.await(2, TimeUnit.MINUTES);
                String metric = "uid.metric" + name;
                String host = "uid.host" + name;
                if (theirs) {
                  assertThat(put(List.of(point(metric, time, "1", host)))).isEqualTo(1);
                } else {
                  ours.put(metric, Instant.ofEpochSecond(time), 1, host(host)).join();
                }
              }
              return null;
            });
      }
      atOnce(tasks);
    }

    for (int name = 0; name < NAMES; name++) {
      assertReadAlike("uid.metric" + name, 4);
    }
    for (UidKind kind : UidKind.values()) {
      assertOneUidForOneName(kind);
    }
  }

  /** Of all names in the tables. */
  private void assertOneUidForOneName(UidKind kind) {
    Tsdb tsdb = sides().tsdb();
    tsdb.dropCaches();
    Map<String, String> names = new HashMap<>();
    tsdb.uids()
        .forEach(
            kind,
            (name, uid) -> {
              String hex = HexFormat.of().withUpperCase().formatHex(uid);
              assertThat(names.put(hex, name)).as("%s %s", kind, hex).isNull();
              assertThat(tsdb.uids().name(kind, uid)).isEqualTo(name);
            });
    assertThat(names).isNotEmpty();
    names.forEach(
        (uid, name) -> {
          String get =
              "/api/uid/uidmeta?type=" + kind.name().toLowerCase(Locale.ROOT) + "&uid=" + uid;
          assertThat(sides().theirs("GET", get, "").body().path("name").asText())
              .as(get)
              .isEqualTo(name);
        });
  }

  @Test
  final void noAcknowledgedPointIsLostWhenBothWriteAndCompactTheSameRows() throws Exception {
    // With a quiet time a row must be older than the servers' clocks may differ.
    try (Tsdb another = sides().oursWith(Settings.COMPACTION_QUIET, "0")) {
      Race race = new Race(this, "race", another, !appends());
      assertNothingIsLost(race);
      assertThat(race.rewritten()).isPositive();
    }
  }

  @Test
  final void noAcknowledgedPointIsLostInRowsOfSingleAndAppendedPoints() throws Exception {
    String other = appends() ? "false" : "true";
    try (Tsdb otherwise = sides().oursWith(Settings.ENABLE_APPENDS, other)) {
      assertNothingIsLost(new Race(this, "race.mixed", otherwise, false));
    }
  }

  private void assertNothingIsLost(Race race) throws Exception {
    race.putFirst();
    atOnce(race.tasks());
    race.checkOurs();
    race.checkTheirs();
    assertReadAlike(race.metric(), race.points());
  }

  /** Does all and waits for it; fails if one fails. */
  private static void atOnce(List<Callable<@Nullable Void>> tasks) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      List<Future<@Nullable Void>> running = new ArrayList<>();
      tasks.forEach(task -> running.add(threads.submit(task)));
      for (Future<@Nullable Void> each : running) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
