package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.hourstone.testing.golden.GoldenContract;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Cells that OpenTSDB has stored, loaded as they are, give the points that were put. */
class GoldenCellsTest {
  private static final List<String> RECORDINGS = List.of("cells", "ints", "floats", "tags");

  @TestFactory
  Stream<DynamicTest> recordedCellsGiveTheRecordedPoints() {
    return RECORDINGS.stream()
        .flatMap(recording -> scenarios(recording).stream())
        .filter(GoldenCellsTest::isPlain)
        .map(
            scenario ->
                DynamicTest.dynamicTest(
                    scenario.required("scenario").asText(), () -> check(scenario)));
  }

  private static List<JsonNode> scenarios(String recording) {
    String file = recording + ".json";
    try (InputStream json = GoldenContract.class.getResourceAsStream(file)) {
      List<JsonNode> scenarios = new ArrayList<>();
      new ObjectMapper().readTree(json).forEach(scenarios::add);
      return scenarios;
    } catch (IOException e) {
      throw new AssertionError(file, e);
    }
  }

  private static boolean isPlain(JsonNode scenario) {
    for (JsonNode stage : scenario.required("stages")) {
      if (stage.has("compact") || stage.has("config")) {
        return false;
      }
      for (JsonNode write : stage.path("writes")) {
        if (!write.required("op").asText().equals("put")) {
          return false;
        }
      }
    }
    return scenario.path("config").isEmpty();
  }

  private static void check(JsonNode scenario) {
    JsonNode stages = scenario.required("stages");
    List<String> lines = new ArrayList<>();
    stages.get(stages.size() - 1).required("cells").forEach(cell -> lines.add(cell.toString()));
    String store = CommandRun.newStore();
    String input = String.join("\n", lines) + "\n";

    CommandRun load = CommandRun.withInput(input, "--store", store, "load-cells", "-");

    assertThat(load.err()).doesNotContain("hourstone:");
    assertThat(CommandRun.of("--store", store, "cells").outLines())
        .containsExactlyInAnyOrderElementsOf(lines);
    compare(scenario, store);
  }

  /** Every point that was put has a line, and none else has one. */
  private static void compare(JsonNode scenario, String store) {
    Map<String, Set<Double>> put = new HashMap<>();
    Set<String> metrics = new HashSet<>();
    for (JsonNode stage : scenario.required("stages")) {
      for (JsonNode write : stage.path("writes")) {
        if (!write.has("error")) {
          metrics.add(write.required("metric").asText());
          put.computeIfAbsent(key(write), key -> new HashSet<>()).add(value(write));
        }
      }
    }
    Map<String, Set<Double>> read = new HashMap<>();
    for (String metric : metrics) {
      CommandRun scan =
          CommandRun.of("--store", store, "scan", "--import", "0", "2106/02/07", "sum:" + metric);
      assertThat(scan.err()).isEmpty();
      for (String line : scan.outLines()) {
        String[] words = line.split(" ", 4);
        read.computeIfAbsent(words[0] + ' ' + words[1] + ' ' + words[3], key -> new HashSet<>())
            .add(Double.parseDouble(words[2]));
      }
    }
    assertThat(read.keySet()).isEqualTo(put.keySet());
    read.forEach((key, values) -> assertThat(put.get(key)).containsAll(values));
  }

  private static String key(JsonNode write) {
    Map<String, String> tags = new TreeMap<>();
    write
        .required("tags")
        .properties()
        .forEach(tag -> tags.put(tag.getKey(), tag.getValue().asText()));
    StringBuilder key = new StringBuilder(write.required("metric").asText());
    key.append(' ').append(write.required("timestamp").asText());
    tags.forEach((tagk, tagv) -> key.append(' ').append(tagk).append('=').append(tagv));
    return key.toString();
  }

  private static double value(JsonNode write) {
    String text = write.required("value").asText();
    return write.required("type").asText().equals("float")
        ? Float.parseFloat(text)
        : Double.parseDouble(text);
  }
}
