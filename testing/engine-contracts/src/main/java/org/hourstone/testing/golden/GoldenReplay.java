package org.hourstone.testing.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.Api;
import org.hourstone.kv.KeyValueStore;

/**
 * Plays a scenario on a store: every write through the engine in strict mode, one after the other,
 * and compares refusals and stored cells with the recording.
 */
final class GoldenReplay {
  private static final String NULL_POINTER = "java.lang.NullPointerException";

  private final KeyValueStore store;
  private final Scenario scenario;
  private final List<GoldenCell> hiddenThen;
  private final boolean anyNames;
  private final Set<Deviation> deviations = EnumSet.noneOf(Deviation.class);
  private final GoldenQueries queries;
  private List<GoldenCell> before = List.of();

  /**
   * @param hiddenThen cells that were put and stayed hidden in the recording
   * @param anyNames whether names with letters beyond ISO-8859-1 are let in, as OpenTSDB does
   */
  GoldenReplay(
      KeyValueStore store, Scenario scenario, List<GoldenCell> hiddenThen, boolean anyNames) {
    this.store = store;
    this.scenario = scenario;
    this.hiddenThen = hiddenThen;
    this.anyNames = anyNames;
    this.queries = new GoldenQueries(scenario, hiddenThen.isEmpty() && !anyNames);
  }

  /**
   * Plays the scenario.
   *
   * @return how the store differs from the recording
   * @throws AssertionError if it differs in any other way
   */
  Set<Deviation> play() {
    Map<String, String> config = new LinkedHashMap<>(scenario.config());
    int number = 0;
    for (JsonNode stage : scenario.stages()) {
      config.putAll(Scenario.config(stage.path("config")));
      TsdbOptions options = GoldenConfig.options(config);
      try (Tsdb db = Tsdb.over(store, anyNames ? GoldenConfig.withAnyNames(options) : options)) {
        Api api = new Api(db);
        GoldenWrites writes = new GoldenWrites(db, api, scenario, anyNames, deviations);
        for (JsonNode write : stage.path("writes")) {
          writes.make(write);
          db.flush(); // a write is acknowledged before its metadata is stored
        }
        JsonNode compact = stage.path("compact");
        if (!compact.isMissingNode()) {
          compact(db, compact.path("errors"));
        }
        compare(stage.path("cells"), compact, "stage " + number);
        for (JsonNode query : stage.path("queries")) {
          queries.compare(query, api);
        }
        compare(
            stage.has("cells_after_queries")
                ? stage.get("cells_after_queries")
                : stage.path("cells"),
            compact,
            "stage " + number + " after its queries");
      }
      number++;
    }
    return deviations;
  }

  /**
   * Plays a scenario that names what Hourstone refuses to name. What is stored without it is not
   * what was recorded; only that it is refused is compared, and that it left nothing behind.
   */
  void playRefusing() {
    Map<String, String> config = new LinkedHashMap<>(scenario.config());
    for (JsonNode stage : scenario.stages()) {
      config.putAll(Scenario.config(stage.path("config")));
      try (Tsdb db = Tsdb.over(store, GoldenConfig.options(config))) {
        GoldenWrites writes = new GoldenWrites(db, new Api(db), scenario, false, deviations);
        for (JsonNode write : stage.path("writes")) {
          if (NamesBeyondLatin1.areIn(write)) {
            writes.make(write);
          }
        }
        String uids = db.engine().tables().uid();
        NamesBeyondLatin1.assertNone(
            GoldenRow.of(
                GoldenCell.of(store, Set.of()).stream()
                    .filter(cell -> cell.table().equals(uids) && cell.family().equals("id"))
                    .toList()));
      }
    }
  }

  private void compare(JsonNode cells, JsonNode compact, String when) {
    List<GoldenCell> recorded = GoldenCell.of(cells);
    Set<String> timed =
        recorded.stream()
            .filter(cell -> !cell.ts().isEmpty())
            .map(GoldenCell::table)
            .collect(Collectors.toSet());
    List<GoldenCell> actual = GoldenCell.of(store, timed);
    GoldenComparison comparison =
        new GoldenComparison(
            recorded,
            before,
            hiddenThen,
            GoldenConfig.duplicates(GoldenConfig.options(scenario.config())));
    List<GoldenCell> expected =
        comparison.expected(actual, hasNullPointer(compact.path("errors")), deviations);
    List<GoldenCell> missing = new ArrayList<>(expected);
    missing.removeAll(actual);
    List<GoldenCell> unexpected = new ArrayList<>(actual);
    unexpected.removeAll(expected);
    assertThat(missing.isEmpty() && unexpected.isEmpty())
        .describedAs(
            "%s, %s: recorded and not stored: %s; stored and not recorded: %s",
            scenario, when, missing, unexpected)
        .isTrue();
    before = actual;
  }

  private static boolean hasNullPointer(JsonNode errors) {
    for (JsonNode error : errors) {
      if (error.asText().startsWith(NULL_POINTER)) {
        return true;
      }
    }
    return false;
  }

  /** Flushes the compaction queue; a row that fails must have failed then, too. */
  private void compact(Tsdb db, JsonNode errors) {
    db.compactions().flush();
    boolean failed = false;
    for (JsonNode error : errors) {
      failed |= !error.asText().startsWith(NULL_POINTER);
    }
    assertThat(db.compactions().stats().failed() > 0)
        .describedAs("%s: %s, %s", scenario, errors, db.compactions().lastFailure())
        .isEqualTo(failed);
  }
}
