package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.hourstone.tsd.DaemonProcess.Launch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The log of a daemon from its start to its end. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class DaemonLogTest {
  @TempDir Path directory;

  private Launch launch(Path log, String format) {
    Map<String, String> settings =
        Map.of(
            "hourstone.log.format", format, "tsd.nosuch", "1", "hourstone.query.slow_millis", "77");
    return new Launch(
        "256m", Map.of(), Launch.settings(settings), ProcessBuilder.Redirect.to(log.toFile()));
  }

  /** Starts a daemon, and stops it once it serves. */
  private List<String> log(String format) throws IOException, InterruptedException {
    Path log = directory.resolve("log");
    Process process = DaemonProcess.begin("rocksdb:" + directory.resolve("s"), launch(log, format));
    try (BufferedReader printed = process.inputReader()) {
      boolean isJson = format.equals("json");
      if (isJson) {
        while (process.isAlive() && !Files.readString(log).contains("serving ")) {
          Thread.onSpinWait();
        }
      } else {
        assertThat(printed.readLine()).startsWith("serving rocksdb:");
      }
      assertThat(process.toHandle().destroy()).isTrue(); // which leaves its output open
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
      assertThat(printed.readLine()).as("nothing else is printed").isNull();
    } finally {
      process.destroyForcibly();
    }
    return Files.readAllLines(log);
  }

  @Test
  void allLinesAreJsonIfThatIsSet() throws IOException, InterruptedException {
    List<String> messages = new ArrayList<>();
    for (String line : log("json")) {
      JsonNode json = new ObjectMapper().readTree(line);
      assertThat(json.path("logger").asText()).as(line).startsWith("org.hourstone.");
      messages.add(json.path("message").asText());
    }
    assertThat(messages)
        .anyMatch(line -> line.startsWith("hourstone ") && line.contains(" on Java "))
        .contains("--set: unknown setting tsd.nosuch is ignored")
        .anyMatch(line -> line.matches("heap: 2\\d\\d MB, processors: \\d+"))
        .contains("store: rocksdb:" + directory.resolve("s"))
        .contains("setting: hourstone.query.slow_millis=77")
        .anyMatch(line -> line.startsWith("serving rocksdb:"))
        .endsWith("stopping by a signal", "stopped");
  }

  @Test
  void textHasTheSame() throws IOException, InterruptedException {
    assertThat(log("text"))
        .contains("hourstone: --set: unknown setting tsd.nosuch is ignored")
        .anyMatch(line -> line.endsWith("setting: hourstone.query.slow_millis=77"))
        .anyMatch(line -> line.endsWith("INFO org.hourstone.tsd: stopping by a signal"))
        .last()
        .asString()
        .endsWith("INFO org.hourstone.tsd: stopped");
  }
}
