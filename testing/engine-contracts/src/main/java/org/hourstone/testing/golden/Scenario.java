package org.hourstone.testing.golden;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One recorded scenario: on fresh tables some stages of writes, each with the cells that were there
 * after it.
 *
 * @param file the recording it is from
 * @param name unique within the file
 * @param config the settings that differ from the recordings' base
 * @param stages in order
 */
record Scenario(String file, String name, Map<String, String> config, List<JsonNode> stages) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The scenarios of a recording. */
  static List<Scenario> read(String file, InputStream json) {
    try {
      List<Scenario> scenarios = new ArrayList<>();
      JsonNode recording = JSON.readTree(json);
      if (!recording.isArray() || recording.isEmpty()) {
        throw new AssertionError("recording " + file + ": not an array of scenarios");
      }
      for (JsonNode scenario : recording) {
        List<JsonNode> stages = new ArrayList<>();
        scenario.required("stages").forEach(stages::add);
        scenarios.add(
            new Scenario(
                file,
                scenario.required("scenario").asText(),
                config(scenario.path("config")),
                stages));
        if (stages.isEmpty()) {
          throw new AssertionError(
              "recording " + file + ": a scenario without stages: " + scenario);
        }
      }
      return scenarios;
    } catch (IOException e) {
      throw new UncheckedIOException("recording " + file, e);
    }
  }

  static Map<String, String> config(JsonNode config) {
    Map<String, String> settings = new LinkedHashMap<>();
    config
        .properties()
        .forEach(setting -> settings.put(setting.getKey(), setting.getValue().asText()));
    return settings;
  }

  @Override
  public String toString() {
    return file + ": " + name;
  }
}
