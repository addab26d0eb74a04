package org.hourstone.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.hourstone.DaemonSettings;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.TsdbOptions;
import org.hourstone.api.Telnet;
import org.hourstone.api.request.Refusals;
import org.hourstone.api.request.ServerInfo.Statistic;
import org.hourstone.api.status.RecentFigures;
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
                      "# TYPE [a-z_]+ (counter|gauge|histogram|summary)|# HELP [a-z_]+ .+"
                          + "|[a-z_]+(\\{([a-z_]+=\"[^\"\\\\]*\",?)+\\})? -?[0-9.]+(E-?[0-9]+)?"))
          .contains(
              "# TYPE hourstone_connections_accepted_total counter",
              "# HELP hourstone_connections_accepted_total Connections that were accepted",
              "hourstone_connections_accepted_total 1.0",
              "hourstone_http_responses_total{status=\"404\"} 1.0",
              "hourstone_http_request_seconds_bucket{endpoint=\"/api/version\",le=\"+Inf\"} 2",
              "hourstone_http_request_seconds_count{endpoint=\"/api/version\"} 2",
              "hourstone_http_request_seconds_count{endpoint=\"other\"} 1",
              "hourstone_http_queue_seconds_count 4",
              "hourstone_decoded_cells 0.0",
              "hourstone_decoded_cells_hits_total 0.0",
              "hourstone_ready 1.0",
              "# TYPE process_open_fds gauge",
              "# TYPE process_start_time_seconds gauge",
              "# TYPE jvm_gc_collection_seconds summary")
          .anyMatch(line -> line.startsWith("hourstone_build_info{"))
          .doesNotHaveDuplicates();
      assertThat(get(client, "/api/stats").body())
          .containsPattern("\"tsd.http.requests\",\"timestamp\":\\d+,\"value\":\"1\"")
          .contains("\"endpoint\":\"pages\"");
    }
  }

  @Test
  void newSeriesSlowQueriesAndTheJournalAreFigures() throws IOException {
    try (Served served =
        Served.start(
            TsdbOptions.defaults()
                .with(Settings.AUTO_CREATE_METRICS, "true")
                .with(QuerySettings.QUERY_SLOW, "1"))) {
      for (int i = 0; i < 3; i++) { // a series that is known is not new
        served.db().put("m", Instant.ofEpochSecond(1_500_000_000 + i), i, Tags.of("h", "a")).join();
        served.db().put("m", Instant.ofEpochSecond(1_500_000_000 + i), i, Tags.of("h", "b")).join();
      }
      String metrics = served.get("/metrics").body();
      assertThat(metrics)
          .contains("hourstone_new_series_total 2.0", "hourstone_points_stored_total 6.0")
          .contains("hourstone_journal_bytes ", "hourstone_journal_age_seconds ")
          .contains("hourstone_store_calls_total{operation=\"write\",table=\"tsdb-uid\"} ")
          .contains("hourstone_store_table_errors_total{operation=\"read\",table=\"tsdb-uid\"} 0.0")
          .contains("hourstone_uid_cache_misses_total{kind=\"tagv\"} ")
          .contains("hourstone_queries_slow_total 0.0");
      do { // the first ones may be fast, or the clock coarse
        assertThat(served.get("/api/query?start=1400000000&m=sum:1s-avg:m").status())
            .isEqualTo(200);
      } while (served.get("/metrics").body().contains("hourstone_queries_slow_total 0.0"));
      assertThat(served.get("/metrics").body())
          .contains("hourstone_index_reads_total ", "hourstone_index_scans_total 0.0")
          .contains("hourstone_index_metrics 1.0", "hourstone_index_evicted_metrics_total 0.0");
      String growth = "hourstone_new_series_last_hour{metric=\"m\"} 2.0";
      while (!served.get("/metrics").body().contains(growth)) {
        Thread.onSpinWait(); // it is read again after some seconds
      }
    }
  }

  @Test
  void theLastHourIsKept() throws IOException {
    AtomicLong seconds = new AtomicLong(1_500_000_000);
    try (Served served = Served.start();
        RecentFigures figures =
            new RecentFigures(
                served.db(),
                new Refusals(),
                () -> Instant.ofEpochSecond(seconds.incrementAndGet()))) {
      figures.sample();
      served.db().put("m", Instant.ofEpochSecond(1_500_000_000), 1, Tags.of("h", "a")).join();
      for (int i = 0; i < RecentFigures.MOST + 5; i++) {
        figures.sample();
      }
      JsonNode hour = new ObjectMapper().readTree(figures.text());
      assertThat(hour.path("times").size()).isBetween(1, RecentFigures.MOST);
      assertThat(hour.path("storedPerSecond")).hasSameSizeAs(hour.path("times"));
      assertThat(served.get(RecentFigures.PATH).status()).isEqualTo(200);
    }
  }

  private static Response get(Client client, String uri) throws IOException {
    client.sendRequest("GET", uri, "", new byte[0]);
    return client.response();
  }

  @Test
  void latenciesAreCountedByTheirBounds() {
    PrometheusRegistry meters = new PrometheusRegistry();
    HttpMetrics metrics = new HttpMetrics(meters);
    metrics.waited(Duration.ofMillis(1).toNanos());
    metrics.waited(Duration.ofMillis(1).toNanos() + 1);
    metrics.waited(Duration.ofMinutes(1).toNanos());

    String text = PrometheusTextFormatWriter.create().toDebugString(meters.scrape());
    assertThat(text.lines().filter(line -> line.contains("_bucket")))
        .hasSize(15)
        .startsWith(
            "hourstone_http_queue_seconds_bucket{le=\"0.001\"} 1",
            "hourstone_http_queue_seconds_bucket{le=\"0.0025\"} 2")
        .endsWith(
            "hourstone_http_queue_seconds_bucket{le=\"30.0\"} 2",
            "hourstone_http_queue_seconds_bucket{le=\"+Inf\"} 3");
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
