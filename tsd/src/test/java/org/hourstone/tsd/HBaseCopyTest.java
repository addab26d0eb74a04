package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.annotation.Annotation;
import org.hourstone.hbase.HBaseProcess;
import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.Change;
import org.hourstone.kv.RowMutation;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionReport;
import org.hourstone.rewrite.CompactionScope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From HBase to a laptop, on to the heap, and back to HBase. */
@NeedsHBase
class HBaseCopyTest {
  private static final long HOUR = 1_500_001_200;

  private static final Map<Setting<?>, String> SETTINGS =
      Map.of(
          Settings.CREATE_TABLES, "true",
          Settings.SALT_WIDTH, "1",
          Settings.SALT_BUCKETS, "4",
          Settings.META_REALTIME_UID, "true",
          Settings.META_REALTIME_TS, "true",
          Settings.META_TRACKING, "true",
          Settings.META_INCREMENTING, "true",
          Settings.COMPACTION_BACKGROUND, "false");

  @TempDir private Path directory;

  private static TsdbOptions options() {
    TsdbOptions options = TsdbOptions.defaults();
    for (Map.Entry<Setting<?>, String> setting : SETTINGS.entrySet()) {
      options = options.with(setting.getKey(), setting.getValue());
    }
    return options;
  }

  private static CommandRun run(String... words) {
    List<String> args = new ArrayList<>();
    SETTINGS.forEach((key, value) -> args.addAll(List.of("--set", key.key() + "=" + value)));
    args.addAll(List.of(words));
    return CommandRun.now(args.toArray(String[]::new));
  }

  private static String newTables() {
    String prefix = "copy" + UUID.randomUUID().toString().replace("-", "") + "_";
    return HBaseProcess.sharedUri() + "?prefix=" + prefix;
  }

  private static void copy(String from, String to, String... words) {
    List<String> args = new ArrayList<>(List.of("copy", from, to));
    args.addAll(List.of(words));
    CommandRun run = run(args.toArray(String[]::new));
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
  }

  private static List<String> cells(String store) {
    List<String> all = new ArrayList<>();
    for (String table : List.of("data", "meta", "tree")) {
      all.addAll(run("--store", store, "cells", table, "--write-time").outLines());
    }
    all.addAll(run("--store", store, "cells", "uid").outLines());
    return all;
  }

  /** Salted, with single, appended and compacted cells, annotations and metadata. */
  private static void fill(String store) {
    put(store, options(), "plain");
    put(store, options(), "compacted");
    put(store, options().with(Settings.ENABLE_APPENDS, "true"), "appended");
    try (Tsdb db = Tsdb.open(store, options().with(Settings.COMPACTION_QUIET, "0"))) {
      CompactionReport report =
          db.compactor()
              .run(
                  CompactionScope.everything().ofMetric("compacted"),
                  new CompactionListener() {
                    @Override
                    public void skipped(String reason) {
                      throw new AssertionError(reason);
                    }
                  });
      assertThat(report.rewritten()).isPositive();
      db.annotations().save(annotation("000001000001000001"), false);
      db.annotations().save(annotation(""), false);
      byte[] empty = {};
      db.engine()
          .store()
          .mutate(
              db.engine().tables().trees(),
              List.of(new RowMutation(new byte[] {0, 1}, new Change.Put(new byte[] {1}, empty))));
    }
  }

  private static Annotation annotation(String tsuid) {
    return new Annotation(tsuid, HOUR + 5, 0L, "deployed", "", Map.of());
  }

  private static void put(String store, TsdbOptions options, String metric) {
    try (Tsdb db = Tsdb.open(store, options)) {
      for (int host = 0; host < 5; host++) {
        for (int i = 0; i < 50; i++) {
          Instant time = Instant.ofEpochSecond(HOUR + i * 150L);
          db.put(metric, time, i, Tags.of("host", "web" + host));
          db.flush();
        }
      }
    }
  }

  @Test
  void theCellsAreTheSameAllTheWayRound() {
    String production = newTables();
    fill(production);
    String laptop = "rocksdb:" + directory.resolve("copy");
    String heap = CommandRun.newStore();
    String back = newTables();

    copy(production, laptop);
    copy(laptop, heap);
    copy(heap, back);

    List<String> cells = cells(production);
    assertThat(cells)
        .hasSizeGreaterThan(300)
        .anyMatch(cell -> cell.contains("\"qualifier\":\"050000\"")) // appended
        .anyMatch(cell -> cell.matches(".*\"qualifier\":\"[0-9a-f]{96}\".*")) // compacted
        .anyMatch(cell -> cell.contains("\"qualifier\":\"010005\"")); // an annotation
    assertThat(cells(laptop)).isEqualTo(cells);
    assertThat(cells(heap)).isEqualTo(cells);
    assertThat(cells(back)).isEqualTo(cells);
    copy(production, back, "--verify-only");

    String some = CommandRun.newStore();
    String start = Long.toString(HOUR);
    String end = Long.toString(HOUR + 3599);
    copy(production, some, "--metric", "appended{host=web3}", "--end", end);
    String[] query = {"query", "--json", start, end, "none:appended{host=web3}"};
    assertThat(answer(some, query)).isEqualTo(answer(production, query)).contains("dps");
    assertThat(cells(some).stream().filter(cell -> cell.contains("\"tsdb\""))).hasSize(2);
  }

  @Test
  void aCopySinceTheLastOneTakesWhatWasWrittenInBetweenBothWays() {
    String production = newTables();
    String other = "rocksdb:" + directory.resolve("copy");
    put(production, options(), "before");
    String there = directory.resolve("there").toString();
    String back = directory.resolve("back").toString();
    copy(production, other, "--since", there);

    put(production, options(), "after");
    assertThat(copied(production, other, there)).doesNotContain(" 0 put and read back");
    assertThat(cells(other)).isEqualTo(cells(production));
    assertThat(copied(production, other, there)).contains(" 0 put and read back");

    put(other, options(), "home");
    assertThat(copied(other, production, back)).doesNotContain(" 0 put and read back");
    assertThat(cells(production)).isEqualTo(cells(other));
  }

  /** What a copy says that it has copied. */
  private static String copied(String from, String to, String since) {
    CommandRun run = run("copy", from, to, "--since", since);
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    return run.out();
  }

  private static String answer(String store, String... query) {
    List<String> words = new ArrayList<>(List.of("--store", store));
    words.addAll(List.of(query));
    return run(words.toArray(String[]::new)).out();
  }
}
