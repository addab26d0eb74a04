package org.hourstone.testkit.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.hourstone.ConfigKey;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.uid.NoSuchNameException;

/**
 * Plays a scenario on a store: every write through the engine in strict mode, one after the other,
 * and compares what was refused and what is stored with the recording.
 */
final class GoldenReplay {
  private static final Set<String> OPERATIONS = Set.of("put", "telnet");

  private final KeyValueStore store;
  private final Scenario scenario;

  GoldenReplay(KeyValueStore store, Scenario scenario) {
    this.store = store;
    this.scenario = scenario;
  }

  /** Whether the scenario is about plain points, without compactions, appends and metadata. */
  static boolean isPlain(Scenario scenario) {
    if (!isKnown(scenario.config())) {
      return false;
    }
    for (JsonNode stage : scenario.stages()) {
      if (stage.has("compact") || !isKnown(Scenario.config(stage.path("config")))) {
        return false;
      }
      for (JsonNode write : stage.path("writes")) {
        if (!OPERATIONS.contains(write.required("op").asText())) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Whether the scenario is about plain points that were compacted or appended afterwards, so that
   * their rows and names can be compared, but not the form of their cells.
   */
  static boolean isPlainButForItsCells(Scenario scenario) {
    for (JsonNode stage : scenario.stages()) {
      for (JsonNode write : stage.path("writes")) {
        if (!OPERATIONS.contains(write.required("op").asText())) {
          return false;
        }
      }
    }
    return !isPlain(scenario) && isKnown(withoutForm(scenario.config()));
  }

  private static Map<String, String> withoutForm(Map<String, String> config) {
    Map<String, String> without = new LinkedHashMap<>(config);
    without.remove("tsd.storage.enable_appends");
    return without;
  }

  private static boolean isKnown(Map<String, String> config) {
    return config.keySet().stream().allMatch(key -> ConfigKey.find(key).isPresent());
  }

  void play() {
    Map<String, String> config = scenario.config();
    int number = 0;
    for (JsonNode stage : scenario.stages()) {
      if (stage.has("config")) {
        config = Scenario.config(stage.path("config"));
      }
      try (Tsdb db = Tsdb.over(store, options(config))) {
        stage.path("writes").forEach(write -> play(db, write));
      }
      assertThat(GoldenCell.of(store))
          .describedAs("%s, cells after stage %d", scenario, number)
          .isEqualTo(GoldenCell.of(stage.required("cells")));
      number++;
    }
  }

  /** As {@link #play}, comparing points instead of cells, and the UID table as it is. */
  void playPoints() {
    TsdbOptions options = options(withoutForm(scenario.config()));
    for (JsonNode stage : scenario.stages()) {
      try (Tsdb db = Tsdb.over(store, options)) {
        stage.path("writes").forEach(write -> play(db, write));
      }
      List<GoldenCell> recorded = GoldenCell.of(stage.required("cells"));
      List<GoldenCell> stored = GoldenCell.of(store);
      assertThat(GoldenCell.outside("tsdb", stored))
          .describedAs("%s, names", scenario)
          .isEqualTo(GoldenCell.outside("tsdb", recorded));
      assertThat(GoldenCell.points("tsdb", stored))
          .describedAs("%s, points", scenario)
          .isEqualTo(GoldenCell.points("tsdb", recorded))
          .isNotEmpty();
    }
  }

  private static TsdbOptions options(Map<String, String> config) {
    TsdbOptions options =
        TsdbOptions.openTsdbDefaults()
            .with(ConfigKey.AUTO_CREATE_METRICS, "true")
            .with(ConfigKey.TIMEZONE, "UTC");
    for (Map.Entry<String, String> setting : config.entrySet()) {
      options = options.with(ConfigKey.find(setting.getKey()).orElseThrow(), setting.getValue());
    }
    return options;
  }

  private void play(Tsdb db, JsonNode write) {
    switch (write.required("op").asText()) {
      case "put" -> {
        Throwable failure = catchThrowable(() -> put(db, write));
        if (write.has("error")) {
          assertThat(failure).describedAs("%s: %s", scenario, write).isNotNull();
          assertThat(write.get("error").asText())
              .describedAs("%s: %s", scenario, write)
              .endsWith(": " + failure.getMessage());
        } else {
          assertThat(failure).describedAs("%s: %s", scenario, write).isNull();
        }
      }
      case "telnet" -> {
        String line = write.required("line").asText();
        Throwable failure = catchThrowable(() -> db.putLine(line).join());
        assertThat(telnetReply(failure))
            .describedAs("%s: %s", scenario, line)
            .isEqualTo(write.required("response").asText());
      }
      default -> throw new AssertionError("unknown operation: " + write);
    }
  }

  private static void put(Tsdb db, JsonNode write) {
    String metric = write.required("metric").asText();
    Map<String, String> tags = new LinkedHashMap<>();
    write
        .required("tags")
        .properties()
        .forEach(tag -> tags.put(tag.getKey(), tag.getValue().asText()));
    long timestamp = write.required("timestamp").asLong();
    String value = write.required("value").asText();
    SingleReceipt receipt = new SingleReceipt();
    switch (write.required("type").asText()) {
      case "int" -> db.writer().put(metric, tags, timestamp, Long.parseLong(value), receipt, 0);
      case "float" -> db.writer().put(metric, tags, timestamp, Float.parseFloat(value), receipt, 0);
      case "double" ->
          db.writer().put(metric, tags, timestamp, Double.parseDouble(value), receipt, 0);
      default -> throw new AssertionError("unknown type: " + write);
    }
    receipt.await();
  }

  /** What OpenTSDB answers a refused line; nothing for one that is stored. */
  private static String telnetReply(Throwable failure) {
    Throwable cause = failure instanceof CompletionException e ? e.getCause() : failure;
    if (cause == null) {
      return "";
    }
    String what =
        cause instanceof NumberFormatException
            ? "invalid value: "
            : cause instanceof NoSuchNameException ? "unknown metric: " : "illegal argument: ";
    return "put: " + what + cause.getMessage() + "\n";
  }
}
