package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.logging.LogRecord;
import org.hourstone.server.Client.Response;
import org.junit.jupiter.api.Test;

/** {@code /logs}. */
class RecentLogTest {
  private static final System.Logger LOG = System.getLogger("org.hourstone.test");

  @Test
  void theLatestLinesComeFirstEachOnALineOfItsOwn() throws IOException {
    try (Served served = Served.start()) {
      LOG.log(Level.WARNING, "the first");
      LOG.log(Level.ERROR, "a\nforged line", new IllegalStateException("with a trace"));

      Response text = served.get("/logs");

      assertThat(text.headers()).containsEntry("content-type", "text/plain; charset=UTF-8");
      assertThat(text.body().lines().limit(2))
          .satisfiesExactly(
              line ->
                  assertThat(line)
                      .matches(
                          "20\\S+Z\tSEVERE\torg.hourstone.test\ta forged line: .*with a trace"),
              line -> assertThat(line).endsWith("WARNING\torg.hourstone.test\tthe first"));
      assertThat(served.get("/logs?json").body()).startsWith("[\"20").contains("the first\"");
    }
  }

  @Test
  void onlyTheLatestLinesAreKept() {
    try (RecentLog log = RecentLog.open()) {
      for (int i = 0; i < 1_010; i++) {
        log.publish(new LogRecord(java.util.logging.Level.WARNING, "line " + i));
      }

      assertThat(log.lines()).hasSize(1_000);
      assertThat(log.lines().get(0)).endsWith("line 1009");
    }
  }

  @Test
  void aRequestChangesNoLevel() throws IOException {
    try (Served served = Served.start()) {
      assertThat(served.get("/logs?level=DEBUG").status()).isEqualTo(400);
    }
  }
}
