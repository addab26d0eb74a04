package org.hourstone.tsd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.server.Client;
import org.hourstone.server.DebianPackage;

/** A running Prometheus with a configuration. */
record PrometheusProcess(Process process, InetSocketAddress address, Path log)
    implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Starts one, and waits until it answers. */
  static PrometheusProcess start(Path directory, String config) throws IOException {
    Files.createDirectories(directory);
    Path file = directory.resolve("prometheus.yml");
    Files.writeString(file, config);
    Path log = directory.resolve("log");
    InetSocketAddress address = freePort();
    Process process =
        new ProcessBuilder(
                DebianPackage.program("prometheus", "/usr/bin/prometheus").toString(),
                "--config.file=" + file,
                "--storage.tsdb.path=" + directory.resolve("tsdb"),
                "--web.listen-address=127.0.0.1:" + address.getPort())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    PrometheusProcess started = new PrometheusProcess(process, address, log);
    while (!started.isReady()) {
      assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
    }
    return started;
  }

  private static InetSocketAddress freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
    }
  }

  private boolean isReady() throws IOException {
    try {
      return Client.request(address, "GET", "/-/ready", "").status() == 200;
    } catch (ConnectException e) {
      return false;
    }
  }

  /** The values of an expression at a time, by their labels. */
  Map<String, String> instant(String expression, long millis) throws IOException {
    Map<String, String> values = new TreeMap<>();
    for (JsonNode each : query("query?time=" + millis / 1000.0, expression)) {
      values.put(labels(each), each.path("value").path(1).asText());
    }
    return values;
  }

  /** The labels of the series that a selector has at a time. */
  List<String> labelsOf(String selector, long millis) throws IOException {
    return List.copyOf(instant(selector, millis).keySet());
  }

  /** The points of an expression, each as time and value, by their labels. */
  Map<String, List<String>> range(String expression, long from, long to) throws IOException {
    Map<String, List<String>> series = new TreeMap<>();
    String range = "query_range?step=7&start=" + from / 1000.0 + "&end=" + to / 1000.0;
    for (JsonNode each : query(range, expression)) {
      List<String> points = new ArrayList<>();
      each.path("values").forEach(p -> points.add(p.path(0).asText() + " " + p.path(1).asText()));
      series.put(labels(each), points);
    }
    return series;
  }

  private static String labels(JsonNode series) {
    Map<String, String> labels = new TreeMap<>();
    series.path("metric").properties().forEach(e -> labels.put(e.getKey(), e.getValue().asText()));
    return labels.toString();
  }

  private JsonNode query(String path, String expression) throws IOException {
    String uri = "/api/v1/" + path + "&query=" + URLEncoder.encode(expression, UTF_8);
    JsonNode response = JSON.readTree(Client.request(address, "GET", uri, "").body());
    assertThat(response.path("status").asText())
        .as("%s: %s %s", expression, response, Files.readString(log))
        .isEqualTo("success");
    assertThat(response.path("warnings")).as(expression).isEmpty();
    return response.path("data").path("result");
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
