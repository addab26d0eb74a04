package org.hourstone.testing.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.StoreFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * If a store passes this, queries over it have the answers of a second implementation that was
 * written from the description alone, on random points, and with a limit have these or are refused
 * for it. How many queries are made is said by the system property {@code reference.cases}, which
 * ones by {@code reference.seed}.
 */
public abstract class ReferenceContract {
  private static final int QUERIES_OF_THE_SAME_POINTS = 40;
  private static final int QUERIES_WITH_A_LIMIT = 10;

  /** Fewer can't be expected to have every feature. */
  private static final int CASES = Integer.getInteger("reference.cases", 2000);

  /** Few, so that slices are cut short. */
  private static final int SLICE_ROWS = 40;

  private static final long SEED = Long.getLong("reference.seed", 1);

  @TempDir private Path directory;

  /** Opens the store under test, empty. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  @Test
  final void answersInStrictModeAreThoseOfTheReference() {
    compare(TsdbOptions.openTsdbDefaults(), Mode.STRICT);
  }

  @Test
  final void answersAreThoseOfTheReference() {
    compare(TsdbOptions.defaults(), Mode.DEFAULT);
  }

  private void compare(TsdbOptions base, Mode mode) {
    TsdbOptions options =
        base.with(Settings.AUTO_CREATE_METRICS, "true")
            .with(Settings.CREATE_TABLES, "true")
            .with(Settings.COMPACTION_BACKGROUND, "false")
            .with(QuerySettings.TIMEZONE, "UTC");
    Features features = new Features();
    RandomPoints.declare(features);
    RandomQuery.declare(features);
    features.know("queries", List.of("one", "several"));
    RandomLimit.declare(features);
    Group.declare(features);
    Result.declare(features);
    for (int number = 0; number * QUERIES_OF_THE_SAME_POINTS < CASES; number++) {
      compare(options, mode, SEED + number, features);
    }
    System.out.println(mode + ", " + CASES + " queries:\n" + features.table());
    List<String> missing = new ArrayList<>(features.missing());
    if (!mode.heldFirstRate()) {
      missing.remove("missing first-rate-held");
    }
    if (!mode.repeatedSeconds()) {
      missing.remove("answer same-second");
    }
    assertThat(missing).describedAs("features that were not drawn").isEmpty();
  }

  private void compare(TsdbOptions options, Mode mode, long seed, Features features) {
    Random random = new Random(seed);
    String metric = "m" + seed;
    RandomPoints points = RandomPoints.draw(metric, random, features);
    TsdbOptions sliced =
        options
            .with(QuerySettings.QUERY_SLICE_ROWS, String.valueOf(1 + random.nextInt(SLICE_ROWS)))
            .with(QuerySettings.QUERY_THREADS, String.valueOf(1 + random.nextInt(3)));
    List<JsonNode> requests = new ArrayList<>();
    try (KeyValueStore store = open(fixture())) {
      Comparison comparison;
      try (Tsdb db = Tsdb.over(store, sliced)) {
        comparison =
            new Comparison(db, mode, points.lines(), what -> features.count("missing", what));
        for (int i = 0; i < QUERIES_OF_THE_SAME_POINTS; i++) {
          JsonNode request = new RandomQuery(random, features, points).drawSome(metric);
          requests.add(request);
          String difference =
              comparison.difference(request, what -> features.count("answer", what));
          if (!difference.isEmpty()) {
            throw failure(sliced, mode, seed, points.lines(), request);
          }
        }
      }
      RandomLimit limit = RandomLimit.draw(random, points.lines().size());
      try (Tsdb limited = Tsdb.over(store, limit.in(sliced))) {
        Comparison within = comparison.with(limited);
        for (JsonNode request : requests.subList(0, QUERIES_WITH_A_LIMIT)) {
          Set<String> seen = new HashSet<>();
          String difference = within.difference(request, limit.setting().key(), seen::add);
          features.count(
              "limit", limit.name() + (seen.contains("refused") ? "-exceeded" : "-kept"));
          if (!difference.isEmpty()) {
            throw new AssertionError(
                "-Dreference.seed=%d, %s: %s%nof %s is %s"
                    .formatted(seed, mode, limit, request, difference));
          }
        }
        assertThat(limited.runningQueries().memoryBytes()).isZero();
      }
    }
  }

  /** Leaves out all points that the difference doesn't need. */
  private AssertionError failure(
      TsdbOptions options, Mode mode, long seed, List<String> lines, JsonNode request) {
    List<String> needed = new ArrayList<>(lines);
    for (int size = lines.size() / 2; size > 0; size /= 2) {
      for (int from = 0; from + size <= needed.size(); ) {
        List<String> fewer = new ArrayList<>(needed);
        fewer.subList(from, from + size).clear();
        if (fewer.isEmpty() || difference(options, mode, fewer, request).isEmpty()) {
          from += size;
        } else {
          needed = fewer;
        }
      }
    }
    needed.sort(null);
    return new AssertionError(
        "-Dreference.seed=%d -Dreference.cases=1, %s:%n%s%nof%n%s%nis %s"
            .formatted(
                seed,
                mode,
                request,
                String.join("\n", needed),
                difference(options, mode, needed, request)));
  }

  private String difference(TsdbOptions options, Mode mode, List<String> lines, JsonNode request) {
    try (KeyValueStore store = open(fixture());
        Tsdb db = Tsdb.over(store, options)) {
      return new Comparison(db, mode, lines, what -> {}).difference(request, what -> {});
    }
  }

  private StoreFixture fixture() {
    try {
      return StoreFixture.in(Files.createTempDirectory(directory, "reference"), SEED);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
