package org.hourstone.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.hourstone.DaemonSettings;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.hourstone.api.Telnet;
import org.hourstone.api.request.ServerInfo.Statistic;
import org.hourstone.server.Client.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the server tells about itself and its requests. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MetricsTest {
  @Test
  void prometheusGetsTheStatisticsAndHistograms() throws IOException {
    // On one connection a request is handled when the one before it has ended and is counted.
    try (Served served = Served.start();
        Client client = served.connect()) {
      get(client, "/api/version");
      get(client, "/api/v1/version?x");
      get(client, "/api/nosuch\"endpoint");

      Response metrics = get(client, "/metrics");

      assertThat(metrics.headers())
          .containsEntry("content-type", "text/plain; version=0.0.4; charset=utf-8");
      assertThat(metrics.body().lines())
          .allMatch(
              line ->
                  line.matches(
                      "# TYPE [a-z_]+ (gauge|histogram)|# HELP [a-z_]+ [A-Za-z_./ -]+"
                          + "|[a-z_]+(\\{([a-z_]+=\"[^\"\\\\]*\",?)+\\})? [0-9.]+(E-?[0-9]+)?"))
          .contains(
              "tsd_connectionmgr_connections{type=\"total\"} 1.0",
              "tsd_http_requests{endpoint=\"/api/version\"} 2.0",
              "tsd_http_requests{endpoint=\"other\"} 1.0",
              "tsd_http_responses{status=\"404\"} 1.0",
              "tsd_http_request_seconds_bucket{endpoint=\"/api/version\",le=\"+Inf\"} 2",
              "tsd_http_request_seconds_count{endpoint=\"/api/version\"} 2",
              "tsd_http_queue_seconds_count 4",
              "tsd_query_decoded_cells_kept 0.0",
              "tsd_query_decoded_cells_bytes 0.0",
              "tsd_query_decoded_cells_hits 0.0",
              "tsd_query_decoded_cells_misses 0.0")
          .doesNotHaveDuplicates();
      assertThat(get(client, "/api/stats").body())
          .containsPattern("\"tsd.http.requests\",\"timestamp\":\\d+,\"value\":\"1\"")
          .contains("\"endpoint\":\"pages\"");
    }
  }

  private static Response get(Client client, String uri) throws IOException {
    client.sendRequest("GET", uri, "", new byte[0]);
    return client.response();
  }

  @Test
  void latenciesAreCountedByTheirBounds() {
    PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    HttpMetrics metrics = new HttpMetrics(meters);
    metrics.waited(Duration.ofMillis(1).toNanos());
    metrics.waited(Duration.ofMillis(1).toNanos() + 1);
    metrics.waited(Duration.ofMinutes(1).toNanos());

    assertThat(meters.scrape().lines().filter(line -> line.contains("_bucket")))
        .hasSize(15)
        .startsWith(
            "tsd_http_queue_seconds_bucket{le=\"0.001\"} 1",
            "tsd_http_queue_seconds_bucket{le=\"0.0025\"} 2")
        .endsWith(
            "tsd_http_queue_seconds_bucket{le=\"30.0\"} 2",
            "tsd_http_queue_seconds_bucket{le=\"+Inf\"} 3");
    assertThat(metrics.statistics())
        .containsExactly(new Statistic("http.queue.millis", 60_002, Map.of()));
  }

  @Test
  void requestsHaveIds() throws IOException {
    try (Served served = Served.start();
        Client client = served.connect()) {
      client.sendRequest("GET", "/api/version", "X-Request-Id: abc-1.2\r\n", new byte[0]);
      assertThat(client.response().headers()).containsEntry("x-request-id", "abc-1.2");
      client.sendRequest("GET", "/nosuch", "X-Request-Id: a, forged: b\r\n", new byte[0]);
      assertThat(client.response().headers().get("x-request-id")).matches("[0-9a-f]{16}");
      client.sendRequest("GET", "/", "", new byte[0]);
      assertThat(client.response().headers().get("x-request-id")).matches("[0-9a-f]{16}");
      client.send("NONSENSE\r\n\r\n");
      assertThat(client.response().headers().get("x-request-id")).matches("[0-9a-f]{16}");
    }
  }

  @Test
  void aSlowQueryIsOneLineWithItsClientAndRequest() throws IOException {
    StringBuilder log = new StringBuilder();
    Logger logger = Logger.getLogger("org.hourstone.query.slow");
    Handler handler =
        new Handler() {
          @Override
          public synchronized void publish(LogRecord record) {
            log.append(new SimpleFormatter().formatMessage(record)).append('\n');
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    try (Served served =
            Served.start(
                TsdbOptions.defaults()
                    .with(Settings.AUTO_CREATE_METRICS, "true")
                    .with(QuerySettings.QUERY_SLOW, "1"));
        Client client = served.connect()) {
      for (int i = 0; i < 50; i++) {
        client.send("put m " + (1_500_000_000 + 3_600 * i) + " 1 h=a\n");
      }
      client.endOfInput();
      client.rest();
      try (Client reader = served.connect()) {
        while (log.isEmpty()) { // the first ones may be fast, or the clock coarse
          reader.sendRequest(
              "POST",
              "/api/query",
              "X-Request-Id: id-1\r\n",
              ("{\"start\":1500000000,\"queries\":[{\"metric\":\"m\",\"aggregator\":\"sum\","
                      + "\"filters\":[{\"type\":\"regexp\",\"tagk\":\"h\","
                      + "\"filter\":\"a|b\\nslow query: forged\"}]}]}")
                  .getBytes(UTF_8));
          assertThat(reader.response().status()).isEqualTo(200);
        }
      }
    } finally {
      logger.removeHandler(handler);
      logger.setUseParentHandlers(true);
    }
    assertThat(log.toString().lines())
        .allMatch(
            line ->
                line.matches(
                    "slow query: \\d+ ms, \\d+ rows, \\d+ bytes, \\d+ points, \\d+ series"
                        + "(, ended early)?, from 127.0.0.1:\\d+ request id-1: sum:m.*"));
  }

  @Test
  void theServerWritesItsStatisticsIntoItself() throws IOException {
    try (Served served = Served.start();
        SelfMonitor monitor = new SelfMonitor(new Telnet(served.db()), Duration.ZERO)) {
      monitor.write();

      assertThat(served.points("tsd.datapoints.added")).hasSize(1);
    }
    try (Served served =
        Served.start(
            TsdbOptions.defaults()
                .with(Settings.AUTO_CREATE_METRICS, "true")
                .with(DaemonSettings.SELF_MONITOR, "1"))) {
      while (served.points("tsd.connectionmgr.connections").isEmpty()) {
        Thread.onSpinWait(); // until the interval has passed
      }
    }
  }
}
