package org.hourstone.testing.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/** Finds writes of names with letters that ISO-8859-1 lacks. */
final class NamesBeyondLatin1 {
  private static final int LAST_OF_LATIN1 = 0xFF;
  private static final String ALREADY_MAPPED = "already mapped to";
  private static final String REFUSAL = "not in ISO-8859-1";

  /** Requests whose body names metrics and tags; in others such letters are text. */
  private static final List<String> NAMING =
      List.of("/api/put", "/api/rollup", "/api/histogram", "/api/uid/assign", "/api/uid/rename");

  private NamesBeyondLatin1() {}

  static boolean areIn(Scenario scenario) {
    for (JsonNode stage : scenario.stages()) {
      for (JsonNode write : stage.path("writes")) {
        if (areIn(write)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether a write gives such a name to something. A telnet line can't: its bytes are Latin-1. */
  static boolean areIn(JsonNode write) {
    String names =
        switch (write.path("op").asText()) {
          case "put", "rows", "batch" -> write.path("metric").asText() + write.path("tags");
          case "http" ->
              NAMING.stream().anyMatch(write.path("path").asText()::startsWith)
                  ? write.path("body").asText() + write.path("body")
                  : "";
          default -> "";
        };
    return names.chars().anyMatch(c -> c > LAST_OF_LATIN1);
  }

  /** Whether OpenTSDB refused the write because its cache had another name for the UID. */
  static boolean wereOnceRefused(JsonNode write) {
    return write.toString().contains(ALREADY_MAPPED);
  }

  /** The message of a write that Hourstone refuses. */
  static void assertRefusal(String what, String told) {
    assertThat(told).describedAs(what).contains(REFUSAL);
  }

  /** No name with a question mark, which stands for such a letter, has got a UID. */
  static void assertNone(Map<String, GoldenRow> uidRows) {
    assertThat(uidRows.keySet()).noneMatch(place -> place.matches(".* (..)*3f(..)*"));
  }
}
