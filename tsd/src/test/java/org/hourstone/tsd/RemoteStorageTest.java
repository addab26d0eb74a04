package org.hourstone.tsd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a Prometheus has written to us gives another Prometheus, that reads it from us, the results
 * that the first one finds in its own files.
 */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class RemoteStorageTest {
  private static final int SCRAPES = 150;
  private static final long STEP = 3_000;
  private static final double EXACT = 1e-9;

  private static final List<String> METRICS =
      List.of(
          "test_requests_total",
          "test_latency_seconds_bucket",
          "test_latency_seconds_sum",
          "test_latency_seconds_count",
          "test_owner",
          "test_temperature",
          "test:ratio");

  @TempDir private Path directory;

  @Test
  void remoteReadGivesWhatRemoteWriteStored() throws Exception {
    TsdbOptions options =
        TsdbOptions.defaults()
            .with(Settings.AUTO_CREATE_METRICS, "true")
            .with(Settings.MAX_TAGS, "12");
    try (Tsdb db = Tsdb.open("memory:", options);
        ServerPort port = ServerPort.of(db);
        Exposition exposition = new Exposition();
        PrometheusProcess writer = writer(exposition, port)) {
      long begin = exposition.awaitScrapes();
      try (PrometheusProcess reader = reader(port)) {
        long end = begin + SCRAPES * STEP;
        for (String metric : METRICS) {
          String count = "sum(count_over_time(" + metric + "[2h]))";
          Map<String, String> written = writer.instant(count, end);
          assertThat(written).hasSize(1);
          while (!reader.instant(count, end).equals(written)) {
            Thread.onSpinWait(); // until all of it is sent
          }
        }
        int withResults = 0;
        for (String expression : expressions()) {
          Map<String, List<String>> own = writer.range(expression, begin, end);
          withResults += own.isEmpty() ? 0 : 1;
          assertSame(expression, own, reader, begin, end);
        }
        assertThat(withResults).isGreaterThan(90);
        assertThat(reader.labelsOf("test_requests_total", begin + 30 * STEP))
            .isEqualTo(writer.labelsOf("test_requests_total", begin + 30 * STEP))
            .anyMatch(labels -> labels.contains("/a b:ü"));
      }
      assertThat(port.http("GET", "/api/stats", Map.of(), "").body())
          .contains("door.skipped", "\"type\":\"nan\"", "\"type\":\"infinity\"");
    }
  }

  private static void assertSame(
      String expression,
      Map<String, List<String>> own,
      PrometheusProcess reader,
      long from,
      long to)
      throws IOException {
    Map<String, List<String>> read = reader.range(expression, from, to);
    assertThat(read.keySet()).as(expression).isEqualTo(own.keySet());
    own.forEach(
        (labels, points) -> {
          List<String> others = read.getOrDefault(labels, List.of());
          assertThat(others).as("%s %s", expression, labels).hasSameSizeAs(points);
          for (int i = 0; i < points.size(); i++) {
            assertThat(isSame(points.get(i), others.get(i)))
                .as("%s %s: %s, %s", expression, labels, points.get(i), others.get(i))
                .isTrue();
          }
        });
  }

  /** Sums depend on their order a little. */
  private static boolean isSame(String point, String other) {
    String[] one = point.split(" ");
    String[] two = other.split(" ");
    double a = number(one[1]);
    double b = number(two[1]);
    return one[0].equals(two[0])
        && (Double.compare(a, b) == 0 || Math.abs(a - b) <= EXACT * Math.max(1, Math.abs(a)));
  }

  private static double number(String text) {
    return Double.parseDouble(text.replace("+Inf", "Infinity").replace("-Inf", "-Infinity"));
  }

  private static List<String> expressions() {
    List<String> all = new ArrayList<>();
    String[] selectors = {
      "test_requests_total",
      "test_requests_total{code=\"500\"}",
      "test_requests_total{code!=\"200\"}",
      "test_requests_total{path=~\"/a.*\"}",
      "test_requests_total{path!~\"/a.*|/b\"}",
      "test_requests_total{method=\"\"}",
      "test_requests_total{method!=\"\",code=~\"2..|404\"}",
      "{__name__=~\"test_requests_.*\",code=~\"200|500\"}",
      "test_requests_total{path=~\".*[[:upper:]]\"}",
      "test_requests_total{method=~\"GET|\"}",
    };
    for (String selector : selectors) {
      all.add(selector);
      all.add("rate(" + selector + "[2m])");
      all.add("sum by (code) (rate(" + selector + "[5m]))");
      all.add("increase(" + selector + "[1m] offset 3m)");
      all.add("count(" + selector + ") or vector(0)");
      all.add("max_over_time(rate(" + selector + "[1m])[5m:30s])");
      all.add("topk(2, " + selector + ")");
    }
    String[] gauges = {
      "test_temperature", "test_temperature{room=~\"k.*\"}", "test:ratio", "-test_temperature"
    };
    for (String gauge : gauges) {
      all.add("avg(" + gauge + ")");
      all.add("stddev by (room) (" + gauge + ")");
      all.add("quantile(0.9, " + gauge + ")");
      all.add(gauge + " > bool 20");
    }
    String buckets = "rate(test_latency_seconds_bucket[5m])";
    for (String quantile : List.of("0.1", "0.5", "0.99")) {
      all.add("histogram_quantile(" + quantile + ", sum by (le) (" + buckets + "))");
      all.add("histogram_quantile(" + quantile + ", sum by (le, path) (" + buckets + "))");
    }
    all.add("deriv(test_temperature[5m])");
    all.add("delta(test_temperature[3m])");
    all.add("predict_linear(test_temperature[5m], 60)");
    all.add("changes(test_temperature[4m])");
    all.add("resets(test_requests_total[10m])");
    all.add("absent(test_nothing{a=\"b\"})");
    all.add("absent(test_temperature{room=\"attic\"})");
    all.add("absent_over_time(test_temperature{room=\"cellar\"}[2m])");
    all.add("present_over_time(test_temperature{room=\"cellar\"}[2m])");
    all.add("timestamp(test_temperature)");
    all.add("rate(test_latency_seconds_sum[2m]) / rate(test_latency_seconds_count[2m])");
    all.add("test_requests_total * on (path) group_left (owner) test_owner");
    all.add("label_replace(test_temperature, \"r\", \"$1\", \"room\", \"(.).*\")");
    all.add("sum without (room) (test_temperature) unless test:ratio");
    return all;
  }

  private PrometheusProcess writer(Exposition exposition, ServerPort port) throws IOException {
    return PrometheusProcess.start(
        directory.resolve("writer"),
        """
        scrape_configs:
          - job_name: test
            scrape_interval: 100ms
            scrape_timeout: 100ms
            static_configs: [{targets: ['127.0.0.1:%d']}]
        remote_write:
          - url: http://127.0.0.1:%d/api/v1/write
            queue_config: {batch_send_deadline: 100ms}
        """
            .formatted(exposition.port(), port.address().getPort()));
  }

  private PrometheusProcess reader(ServerPort port) throws IOException {
    return PrometheusProcess.start(
        directory.resolve("reader"),
        """
        remote_read:
          - url: http://127.0.0.1:%d/api/v1/read
            read_recent: true
        """
            .formatted(port.address().getPort()));
  }

  /**
   * A program that is scraped; each scrape has the samples of a later time. All are after the start
   * of the Prometheus, since it writes no earlier ones, and less than the ten minutes later that it
   * takes.
   */
  private static final class Exposition implements AutoCloseable {
    private final HttpServer server;
    private final AtomicLong begin = new AtomicLong();
    private final AtomicInteger scrapes = new AtomicInteger();

    Exposition() throws IOException {
      this.server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext("/metrics", this::respond);
      server.start();
    }

    int port() {
      return server.getAddress().getPort();
    }

    /** Waits until all samples were scraped; returns the time of the first ones. */
    long awaitScrapes() {
      while (scrapes.get() < SCRAPES) {
        Thread.onSpinWait();
      }
      return begin.get();
    }

    private void respond(HttpExchange exchange) throws IOException {
      int scrape = Math.min(scrapes.get(), SCRAPES - 1);
      begin.compareAndSet(0, System.currentTimeMillis() / STEP * STEP + 2 * STEP);
      byte[] body = text(scrape, begin.get() + scrape * STEP).getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
      scrapes.incrementAndGet();
    }

    private static String text(int scrape, long millis) {
      StringBuilder text = new StringBuilder();
      int request = 0;
      for (String path : List.of("/a", "/a b:ü", "/b", "/C", "U__x")) {
        for (String code : List.of("200", "404", "500")) {
          request++;
          String method =
              request % 4 == 0 ? "" : ",method=\"" + (code.equals("200") ? "GET\"" : "PUT\"");
          long sinceReset = scrape % (40 + 7 * request);
          add(
              text,
              "test_requests_total{path=\"" + path + "\",code=\"" + code + "\"" + method + "}",
              (double) (sinceReset * request),
              millis + request);
        }
        for (String le : List.of("0.1", "0.5", "2.5", "+Inf")) {
          long below = le.equals("+Inf") ? 7 : (long) (Double.parseDouble(le) * 2);
          String labels = "{path=\"" + path + "\",le=\"" + le + "\"}";
          add(text, "test_latency_seconds_bucket" + labels, (double) (below * scrape), millis);
        }
        add(text, "test_latency_seconds_sum{path=\"" + path + "\"}", scrape * 1.7, millis);
        add(text, "test_latency_seconds_count{path=\"" + path + "\"}", 7 * scrape, millis);
        add(text, "test_owner{path=\"" + path + "\",owner=\"o" + path + "\"}", 1, millis);
      }
      for (String room : List.of("kitchen", "kids_room", "cellar", "Küche")) {
        if (!room.equals("cellar") || scrape % 50 < 30) {
          double value = 20 + Math.sin(scrape / 9.0 + room.length()) * room.length() * 5;
          add(text, "test_temperature{room=\"" + room + "\"}", value, millis + 333);
        }
      }
      add(text, "test:ratio", scrape / 150.0, millis);
      add(text, "other_nan", Double.NaN, millis);
      text.append("other_infinity +Inf ").append(millis).append('\n');
      return text.toString();
    }

    private static void add(StringBuilder text, String series, double value, long millis) {
      text.append(String.format(Locale.ROOT, "%s %s %d%n", series, value, millis));
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }
}
