package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.IntStream;
import org.hourstone.DaemonSettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.Build;
import org.hourstone.api.request.Plotter;
import org.hourstone.testkit.LoggedBy;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers, of which one sends what it is given to the other. */
class MirrorServerTest {
  @TempDir Path directory;

  private static TsdbOptions options() {
    return TsdbOptions.defaults().with(Settings.AUTO_CREATE_METRICS, "true");
  }

  private TsdbOptions mirroring(String url) {
    return options()
        .with(DaemonSettings.MIRROR, url)
        .with(DaemonSettings.MIRROR_DIRECTORY, directory.resolve("queue").toString());
  }

  private static String url(InetSocketAddress address) {
    return "http://127.0.0.1:" + address.getPort();
  }

  private static Served at(InetSocketAddress address, TsdbOptions options) throws IOException {
    ServerOptions usual = ServerTest.options(InetAddress.getLoopbackAddress());
    return Served.start(
        options,
        new ServerOptions(
            address,
            usual.maxConnections(),
            usual.bodies(),
            usual.maxLine(),
            usual.requests(),
            usual.patience()));
  }

  /** A statistic of {@code /metrics}; 0 without it. */
  private static long metric(Served of, String name) {
    try {
      return of.get("/metrics")
          .body()
          .lines()
          .filter(line -> line.startsWith(name + " "))
          .mapToLong(line -> (long) Double.parseDouble(line.substring(name.length() + 1)))
          .sum();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String puts(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(
            i ->
                "{\"metric\":\"m\",\"timestamp\":%d,\"value\":%d,\"tags\":{\"h\":\"http\"}}"
                    .formatted(1_500_000_000 + i, i))
        .toList()
        .toString();
  }

  @Test
  void anOutageLosesNothingAndIsLoggedOnce() throws Exception {
    Served second = Served.start(options());
    InetSocketAddress address = second.address();
    try (LoggedBy log = LoggedBy.anyThread("org.hourstone.mirror");
        Served first = Served.start(mirroring(url(address)))) {
      first.post("/api/put", puts(0, 10));
      first.awaitMirrored();
      assertThat(metric(first, "hourstone_mirror_sent_points_total")).isEqualTo(10);
      second.close();

      first.post("/api/put", puts(10, 1000));
      log.await(1);
      assertThat(metric(first, "hourstone_mirror_failing")).isEqualTo(1);
      assertThat(metric(first, "hourstone_mirror_queue_bytes")).isGreaterThan(990 * 17);

      try (Served back = at(address, options())) {
        first.awaitMirrored();
        assertThat(metric(first, "hourstone_mirror_sent_points_total")).isEqualTo(1000);
        assertThat(back.points("m")).hasSizeBetween(990, 1000);
        assertThat(metric(first, "hourstone_mirror_failing")).isEqualTo(0);
        assertThat(metric(first, "hourstone_mirror_queue_bytes")).isEqualTo(0);
        assertThat(log.lines()).hasSize(2);
        assertThat(log.lines().get(0))
            .startsWith("WARNING mirror " + url(address) + ": points can't be sent");
        assertThat(log.lines().get(1))
            .startsWith("INFO mirror " + url(address) + ": points are sent again");
      }
    }
  }

  @Test
  void theQueueIsContinuedAfterARestart() throws Exception {
    Served second = Served.start(options());
    InetSocketAddress address = second.address();
    second.close();
    try (LoggedBy log = LoggedBy.anyThread("org.hourstone.mirror");
        Served first = Served.start(mirroring(url(address)))) {
      first.post("/api/put", puts(0, 1000));
      log.await(1);
      first.server().close();
      first.db().put("m", Instant.ofEpochSecond(1_500_009_999), 1, Tags.of("h", "late")).join();

      try (Server again = Server.start(first.db(), build(), local(), plotter());
          Served back = at(address, options())) {
        assertThat(Objects.requireNonNull(again.mirror()).awaitSent(Duration.ofSeconds(60)))
            .isTrue();
        assertThat(back.points("m{h=*}")).hasSize(1001);
        assertThat(again.address().getPort()).isNotEqualTo(address.getPort());
      }
    }
  }

  private static Build build() {
    return Build.of("1.2.3");
  }

  private static ServerOptions local() {
    return ServerTest.options(InetAddress.getLoopbackAddress());
  }

  private static Plotter plotter() {
    return Plotter.none();
  }

  /** The second creates no metrics: it refuses those that it does not know. */
  @Test
  void refusedPointsAreCountedAndBlockNothing() throws Exception {
    try (LoggedBy log = LoggedBy.anyThread("org.hourstone.mirror");
        Served second =
            Served.start(TsdbOptions.defaults().with(Settings.AUTO_CREATE_METRICS, "false"));
        Served first = Served.start(mirroring(url(second.address())))) {
      second.db().uids().assign(UidKind.METRIC, "m");
      String unknown = puts(0, 10).replace("\"m\"", "\"unknown\"");
      first.post("/api/put", unknown);
      first.post("/api/put", puts(0, 10));

      first.awaitMirrored();
      assertThat(metric(first, "hourstone_mirror_sent_points_total")).isEqualTo(10);
      assertThat(second.points("m")).hasSize(10);
      assertThat(metric(first, "hourstone_mirror_refused_points_total{reason=\"unknown_metrics\"}"))
          .isEqualTo(10);
      assertThat(metric(first, "hourstone_mirror_failing")).isEqualTo(0);
      assertThat(log.lines()).hasSize(1);
      assertThat(log.lines().get(0))
          .contains("refuses a point: Unknown metric")
          .contains("unknown");
    }
  }

  /** Names are looked up when a point is sent, and are known by then. */
  @Test
  void aRenamedMetricHasItsNewName() throws Exception {
    try (Served second = Served.start(options());
        Served first = Served.start(mirroring(url(second.address())))) {
      first.post("/api/put", puts(0, 10));
      first.awaitMirrored();
      first.db().uids().rename(UidKind.METRIC, "m", "renamed");
      first.post("/api/put", puts(10, 15).replace("\"m\"", "\"renamed\""));
      first.awaitMirrored();

      assertThat(second.points("m")).hasSize(10);
      assertThat(second.points("renamed")).hasSize(5);
    }
  }

  /** Each is the mirror of the other. */
  @Test
  void pointsOfAMirrorAreNotMirroredBack() throws Exception {
    Served unused = Served.start(options());
    InetSocketAddress address = unused.address();
    unused.close();
    try (Served first = Served.start(mirroring(url(address)));
        Served second =
            at(
                address,
                mirroring(url(first.address()))
                    .with(DaemonSettings.MIRROR_DIRECTORY, directory.resolve("2").toString()))) {
      first.post("/api/put", puts(0, 100));
      first.awaitMirrored();
      assertThat(metric(first, "hourstone_mirror_sent_points_total")).isEqualTo(100);
      second.post("/api/put", puts(100, 200));
      second.awaitMirrored();
      assertThat(metric(second, "hourstone_mirror_sent_points_total")).isEqualTo(100);

      assertThat(first.points("m")).hasSize(200);
      assertThat(second.points("m")).hasSize(200);
      assertThat(metric(first, "hourstone_mirror_queued_points_total")).isEqualTo(100);
      assertThat(metric(second, "hourstone_mirror_queued_points_total")).isEqualTo(100);
    }
  }

  /** A wrong password is an outage, not a refusal: the points wait until it is right. */
  @Test
  void itHasAnAccountOfTheOtherServer() throws Exception {
    Path accounts =
        Files.writeString(
            directory.resolve("accounts"), Accounts.userLine("alice", "write", "secret"));
    TsdbOptions closed =
        options()
            .with(DaemonSettings.AUTHENTICATION, "true")
            .with(DaemonSettings.ACCOUNTS, accounts.toString());
    Path credentials = directory.resolve("credentials");
    try (Served second = Served.start(closed)) {
      TsdbOptions settings =
          mirroring(url(second.address()))
              .with(
                  DaemonSettings.MIRROR_CREDENTIALS,
                  Files.writeString(credentials, "alice:wrong\n").toString());
      try (LoggedBy log = LoggedBy.anyThread("org.hourstone.mirror");
          Served first = Served.start(settings)) {
        first.post("/api/put", puts(0, 10));
        log.await(1);
        assertThat(log.lines().get(0)).contains("status 401");
        first.server().close();

        Files.writeString(credentials, "alice:secret\n");
        try (Served again =
            new Served(
                first.db().borrowed(), Server.start(first.db(), build(), local(), plotter()))) {
          again.awaitMirrored();
          assertThat(metric(again, "hourstone_mirror_sent_points_total")).isEqualTo(10);
        }
      }
    }
  }
}
