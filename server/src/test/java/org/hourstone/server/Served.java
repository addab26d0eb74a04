package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.Build;
import org.hourstone.api.request.JobCommands;
import org.hourstone.api.request.Plotter;
import org.hourstone.server.Client.Response;

/** A server over an empty database in memory. */
public record Served(Tsdb db, Server server) implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  public static Served start() throws IOException {
    return start(TsdbOptions.defaults().with(Settings.AUTO_CREATE_METRICS, "true"));
  }

  public static Served start(TsdbOptions options) throws IOException {
    return start(options, ServerTest.options(InetAddress.getLoopbackAddress()));
  }

  static Served start(TsdbOptions options, ServerOptions limits) throws IOException {
    return start(options, limits, JobCommands.none());
  }

  static Served start(TsdbOptions options, ServerOptions limits, JobCommands commands)
      throws IOException {
    Tsdb db = Tsdb.open("memory:", options);
    return new Served(db, Server.start(db, Build.of("1.2.3"), limits, Plotter.none(), commands));
  }

  public InetSocketAddress address() {
    return server.address();
  }

  public Client connect() throws IOException {
    return new Client(address());
  }

  public Response get(String uri) throws IOException {
    return Client.request(address(), "GET", uri, "");
  }

  public Response post(String uri, String body) throws IOException {
    return Client.request(address(), "POST", uri, body);
  }

  /**
   * All points of some series, as {@code metric{tag=value} time value}, sorted.
   *
   * @param series a metric and maybe filters
   */
  public List<String> points(String series) throws IOException {
    db.flush();
    List<String> points = new ArrayList<>();
    String uri = "/api/query?start=0&end=4000000000&ms&m=none:" + series;
    for (JsonNode result : JSON.readTree(get(uri.replace("+", "%2B")).body())) {
      Map<String, String> tags = new TreeMap<>();
      result.path("tags").properties().forEach(t -> tags.put(t.getKey(), t.getValue().asText()));
      for (Map.Entry<String, JsonNode> point : result.path("dps").properties()) {
        String time = point.getKey().replaceFirst("000$", "");
        points.add(
            result.path("metric").asText() + tags + " " + time + " " + point.getValue().asText());
      }
    }
    points.sort(null);
    return points;
  }

  /** Waits until its mirror has sent all that was put. */
  public void awaitMirrored() throws InterruptedException {
    assertThat(Objects.requireNonNull(server.mirror()).awaitSent(Duration.ofSeconds(60))).isTrue();
  }

  @Override
  public void close() {
    server.close();
    db.close();
  }
}
