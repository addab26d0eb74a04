package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.hourstone.Tags;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** VictoriaMetrics' vmctl reads all series from a server, and writes them into its database. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class VmctlTest {
  private static final int HOURS = 3;
  private static final int SERIES = 4;

  private final HttpClient http = HttpClient.newHttpClient();

  @TempDir Path directory;

  @Test
  void allPointsAreMigrated() throws Exception {
    Path vmctl = DebianPackage.program("victoria-metrics", "/usr/bin/vmctl");
    Path victoria = DebianPackage.program("victoria-metrics", "/usr/bin/victoria-metrics");
    String address = "127.0.0.1:" + freePort();
    Instant end = Instant.now().truncatedTo(ChronoUnit.HOURS);
    try (Served served = Served.start()) {
      for (int series = 0; series < SERIES; series++) {
        for (int minute = 0; minute < HOURS * 60; minute++) {
          served
              .db()
              .put(
                  "migrated.points",
                  end.minus(HOURS, ChronoUnit.HOURS).plus(minute, ChronoUnit.MINUTES),
                  100 * series + minute + 0.5,
                  Tags.of("host", "web0" + series, "dc", "lga"));
        }
      }
      served.db().flush();
      Process database =
          new ProcessBuilder(
                  victoria.toString(),
                  "-storageDataPath=" + directory.resolve("data"),
                  "-httpListenAddr=" + address,
                  "-retentionPeriod=100y")
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("victoria.log").toFile())
              .start();
      try {
        while (database.isAlive()
            && !Thread.currentThread().isInterrupted()
            && !answers("http://" + address + "/health")) {
          Thread.onSpinWait();
        }

        String printed = migrate(vmctl, served, address, end);

        get("http://" + address + "/internal/force_flush");
        String exported =
            get("http://" + address + "/api/v1/export?match%5B%5D=%7B__name__!%3D%22%22%7D");
        assertThat(exported.lines()).as(printed + exported).hasSize(SERIES);
        assertThat(exported.lines().mapToInt(VmctlTest::points).sum())
            .isEqualTo(SERIES * HOURS * 60);
        assertThat(exported).contains("\"dc\":\"lga\"", "\"host\":\"web03\"", "479.5");
      } finally {
        database.destroy();
        database.waitFor();
      }
    }
  }

  private static String migrate(Path vmctl, Served served, String address, Instant end)
      throws Exception {
    Process process =
        new ProcessBuilder(
                vmctl.toString(),
                "opentsdb",
                "-s",
                "--otsdb-addr=http://127.0.0.1:" + served.address().getPort(),
                "--otsdb-retentions=sum-1m-avg:1h:1d",
                "--otsdb-filters=m",
                "--otsdb-hard-ts-start=" + end.getEpochSecond(),
                "--vm-addr=http://" + address,
                "--vm-disable-progress-bar")
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
    return printed;
  }

  private static int points(String series) {
    String values = series.replaceFirst(".*\"values\":\\[", "").replaceFirst("].*", "");
    return values.split(",").length;
  }

  private boolean answers(String url) throws InterruptedException {
    try {
      get(url);
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  private String get(String url) throws IOException, InterruptedException {
    return http.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
        .body();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
