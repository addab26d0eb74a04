package org.hourstone.tsd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.hourstone.server.Client;
import org.hourstone.server.DebianPackage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A Prometheus scrapes a daemon: the alerts and the dashboard of the packages have their data. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class PrometheusTest {
  private static final Path RULES = Path.of("../dist/src/main/monitoring/hourstone.rules.yml");
  private static final Path DASHBOARD =
      Path.of("../dist/src/main/monitoring/hourstone.dashboard.json");
  private static final Path TESTS = Path.of("../dist/src/test/monitoring/hourstone.rules.test.yml");
  private static final Pattern METRIC = Pattern.compile("\\b(hourstone|process|jvm)_[a-z0-9_]+");

  @TempDir Path directory;

  private static Path program(String name) {
    return DebianPackage.program("prometheus", "/usr/bin/" + name);
  }

  private static void check(Path input, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(program("promtool").toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectInput(input.toFile());
    Process process = builder.start();
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
    if (arguments[1].equals("metrics")) {
      assertThat(printed).isEmpty();
    }
  }

  @Test
  void eachAlertFiresInTheStateThatItIsFor() throws Exception {
    Path tests = directory.resolve("tests.yml");
    Files.writeString(
        tests, Files.readString(TESTS).replace("RULES", RULES.toAbsolutePath().toString()));
    check(tests, "check", "rules", RULES.toString());
    check(tests, "test", "rules", tests.toString());
    List<String> alerts =
        Files.readAllLines(RULES).stream()
            .filter(line -> line.contains("- alert: "))
            .map(line -> line.replaceFirst(".*: ", ""))
            .toList();
    assertThat(Files.readString(TESTS))
        .contains(alerts.stream().map("- name: fires-%s\n"::formatted).toList())
        .contains(alerts.stream().map("alertname: %s}"::formatted).toList());
  }

  @Test
  void aScrapeHasAllThatAlertsAndDashboardAskFor() throws Exception {
    Path prometheus = program("prometheus");
    InetSocketAddress address = freePort();
    try (DaemonProcess daemon =
        DaemonProcess.start(
            "rocksdb:" + directory.resolve("store"),
            DaemonProcess.Launch.of(
                DaemonProcess.Launch.settings(
                    Map.of(
                        "hourstone.rollups.auto",
                        "1h",
                        "hourstone.retention",
                        "* raw 10y",
                        "hourstone.backup.directory",
                        directory.resolve("backups").toString(),
                        "hourstone.mirror",
                        "http://127.0.0.1:1",
                        "hourstone.mirror.directory",
                        directory.resolve("mirror").toString()))))) {
      String points =
          "[{\"metric\":\"m\",\"timestamp\":1500000000,\"value\":1,\"tags\":{\"h\":\"a\"}},"
              + "{\"metric\":\"m\",\"timestamp\":1500000000,\"value\":\"x\",\"tags\":{\"h\":\"a\"}}]";
      assertThat(Client.request(daemon.address(), "POST", "/api/put", points).status())
          .isEqualTo(400);
      String flush = "{\"command\":[\"flush\"]}";
      assertThat(Client.request(daemon.address(), "POST", "/api/admin/jobs", flush).status())
          .isEqualTo(202);
      while (!get(daemon.address(), "/metrics").contains("hourstone_jobs_total{")) {
        Thread.onSpinWait();
      }
      Path scraped = directory.resolve("metrics");
      Files.writeString(scraped, get(daemon.address(), "/metrics"));
      check(scraped, "check", "metrics");

      Path config = directory.resolve("prometheus.yml");
      Files.writeString(
          config,
          """
          global: {scrape_interval: 1s, evaluation_interval: 1s}
          rule_files: [%s]
          scrape_configs:
            - job_name: hourstone
              static_configs: [{targets: ['127.0.0.1:%d']}]
          """
              .formatted(RULES.toAbsolutePath(), daemon.address().getPort()));
      Process process =
          new ProcessBuilder(
                  prometheus.toString(),
                  "--config.file=" + config,
                  "--storage.tsdb.path=" + directory.resolve("tsdb"),
                  "--web.listen-address=127.0.0.1:" + address.getPort())
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("prometheus.log").toFile())
              .start();
      try {
        JsonNode up = query(address, "up{job=\"hourstone\"} == 1");
        while (up.isEmpty() && process.isAlive()) {
          up = query(address, "up{job=\"hourstone\"} == 1");
        }
        assertThat(metrics(address)).containsAll(asked());
        for (String expression : dashboard()) {
          query(address, expression);
        }
        assertThat(query(address, "hourstone_points_refused_total").toString()).contains("\"1\"");
        assertThat(json(address, "/api/v1/rules").findValuesAsText("health"))
            .isNotEmpty()
            .isSubsetOf("ok", "unknown");
      } finally {
        process.destroy();
        process.waitFor();
      }
    }
  }

  /** The metrics that the alerts and the dashboard name. */
  private static Set<String> asked() throws IOException {
    return METRIC
        .matcher(Files.readString(RULES) + Files.readString(DASHBOARD))
        .results()
        .map(found -> found.group())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The dashboard's expressions. */
  private static List<String> dashboard() throws IOException {
    return new ObjectMapper()
        .readTree(Files.readString(DASHBOARD)).findValuesAsText("expr").stream()
            .map(
                expression ->
                    expression
                        .replace("$job", "hourstone")
                        .replace("$instance", ".*")
                        .replace("$__rate_interval", "5m"))
            .toList();
  }

  private static Set<String> metrics(InetSocketAddress address) throws IOException {
    Set<String> all = new TreeSet<>();
    json(address, "/api/v1/label/__name__/values").path("data").forEach(n -> all.add(n.asText()));
    return all;
  }

  private static JsonNode query(InetSocketAddress address, String expression) throws IOException {
    JsonNode response =
        json(address, "/api/v1/query?query=" + URLEncoder.encode(expression, UTF_8));
    if (!response.isMissingNode()) {
      assertThat(response.path("status").asText()).as(expression).isEqualTo("success");
    }
    return response.path("data").path("result");
  }

  /** Missing while Prometheus starts. */
  private static JsonNode json(InetSocketAddress address, String uri) throws IOException {
    try {
      String body = get(address, uri); // "Service Unavailable" at first
      return body.startsWith("{")
          ? new ObjectMapper().readTree(body)
          : new ObjectMapper().missingNode();
    } catch (java.net.ConnectException e) {
      return new ObjectMapper().missingNode();
    }
  }

  private static String get(InetSocketAddress address, String uri) throws IOException {
    return Client.request(address, "GET", uri, "").body();
  }

  private static InetSocketAddress freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
    }
  }
}
