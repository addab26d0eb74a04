package org.hourstone.tsd.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Instant;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class LogLinesTest {
  private static LogRecord logged(String message, Object... parameters) {
    LogRecord logged = new LogRecord(Level.WARNING, message);
    logged.setInstant(Instant.parse("2026-01-02T03:04:05.678Z"));
    logged.setLoggerName("org.hourstone.query.slow");
    logged.setParameters(parameters);
    return logged;
  }

  @Test
  void aMessageIsALineOfText() {
    assertThat(new LogLines(false).format(logged("{0} rows, {1}", 7, "sum:m")))
        .isEqualTo("2026-01-02T03:04:05.678Z WARNING org.hourstone.query.slow: 7 rows, sum:m\n");
  }

  @Test
  void aMessageIsAnObject() throws IOException {
    LogRecord logged = logged("{0} of \"{1}\"", 7, "a\r\nb");
    logged.setThrown(new IllegalStateException("broken\nhere"));

    String line = new LogLines(true).format(logged);

    assertThat(line).endsWith("\n").doesNotContain("\r");
    assertThat(line.lines()).hasSize(1);
    JsonNode json = new ObjectMapper().readTree(line);
    assertThat(json.path("time").asText()).isEqualTo("2026-01-02T03:04:05.678Z");
    assertThat(json.path("level").asText()).isEqualTo("WARNING");
    assertThat(json.path("logger").asText()).isEqualTo("org.hourstone.query.slow");
    assertThat(json.path("message").asText()).isEqualTo("7 of \"a\r\nb\"");
    assertThat(json.path("exception").asText())
        .startsWith("java.lang.IllegalStateException: broken\nhere")
        .contains("aMessageIsAnObject");
  }

  @Test
  void aClientCannotBeginALine() {
    LogRecord logged = logged("query {0}", "a\r\n2026 SEVERE b\u001b[31m\u2028c");

    assertThat(new LogLines(false).format(logged).lines().toList())
        .containsExactly(
            "2026-01-02T03:04:05.678Z WARNING org.hourstone.query.slow:"
                + " query a  2026 SEVERE b [31m c");
  }

  @Test
  void anExceptionFollowsItsMessage() {
    LogRecord logged = logged("failed");
    logged.setThrown(new IllegalStateException("broken"));

    assertThat(new LogLines(false).format(logged).lines().toList())
        .satisfies(lines -> assertThat(lines.get(0)).endsWith(": failed"))
        .satisfies(
            lines -> assertThat(lines.get(1)).isEqualTo("java.lang.IllegalStateException: broken"))
        .hasSizeGreaterThan(3);
  }
}
