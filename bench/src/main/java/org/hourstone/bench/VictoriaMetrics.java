package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.List;

/** VictoriaMetrics with its listeners for OpenTSDB's telnet and HTTP. */
final class VictoriaMetrics extends Peer {
  private final int telnetPort;
  private final int putPort;

  private VictoriaMetrics(Process process, int port, int telnetPort, int putPort, Path data) {
    super(process, port, data);
    this.telnetPort = telnetPort;
    this.putPort = putPort;
  }

  static VictoriaMetrics start(String program, Path directory) throws IOException {
    int port = freePort();
    int telnetPort = freePort();
    int putPort = freePort();
    Path data = directory.resolve("data");
    Process process =
        start(
            List.of(
                program,
                "-storageDataPath=" + data,
                "-httpListenAddr=127.0.0.1:" + port,
                "-opentsdbListenAddr=127.0.0.1:" + telnetPort,
                "-opentsdbHTTPListenAddr=127.0.0.1:" + putPort,
                "-influxMeasurementFieldSeparator=.",
                "-retentionPeriod=100y",
                "-search.latencyOffset=0s",
                "-search.disableAutoCacheReset",
                "-search.maxPointsPerTimeseries=100000",
                "-selfScrapeInterval=0"),
            directory.resolve("log"));
    VictoriaMetrics started = new VictoriaMetrics(process, port, telnetPort, putPort, data);
    started.awaitPorts(port, telnetPort, putPort);
    return started;
  }

  @Override
  int telnetPort() {
    return telnetPort;
  }

  @Override
  int putPort() {
    return putPort;
  }

  @Override
  long stored() throws IOException {
    return (long)
        new String(get("/metrics"), UTF_8)
            .lines()
            .filter(line -> line.startsWith("vm_rows_inserted_total"))
            .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
            .sum();
  }

  /** Makes what it has received visible to queries, as it does by itself within a second. */
  void flush() throws IOException {
    byte[] unused = get("/internal/force_flush");
  }

  @Override
  void merge() throws IOException {
    byte[] unused = get("/internal/force_merge");
  }

  @Override
  byte[] request(PeerQuestion question, int seconds) {
    String one = "{__name__=\"" + PeerQuestion.METRIC + "\",host=\"" + PeerQuestion.HOST + "\"}";
    String all = "{__name__=\"" + PeerQuestion.METRIC + "\"}";
    return switch (question) {
      case Q1 -> raw(one, Math.min(3600, seconds));
      case Q2 -> raw(one, seconds);
      case Q3 -> range("sum(avg_over_time(" + all + "[5m]))", 300, seconds);
      case Q4 -> range("avg_over_time(" + all + "[5m])", 300, seconds);
      case Q5 ->
          range("avg_over_time({__name__=~\"cpu.usage_.+\"}[5m]) keep_metric_names", 300, seconds);
      case Q6 -> range("max(max_over_time(" + all + "[1h])) by (region)", 3600, seconds);
    };
  }

  private static byte[] raw(String selector, int seconds) {
    return HttpConnection.get(
        "/api/v1/query?query="
            + encoded(selector + "[" + seconds + "s]")
            + "&time="
            + (DevopsWorkload.START + seconds - 1));
  }

  /**
   * Its windows end at their timestamps, inclusive: shifted by a step of the workload less than a
   * window, they hold the points of OpenTSDB's intervals.
   */
  private static byte[] range(String query, int window, int seconds) {
    long first = DevopsWorkload.START + window - DevopsWorkload.STEP_SECONDS;
    return range(query, first, DevopsWorkload.START + seconds - 1, window);
  }

  /** The request for a query's values at some timestamps, as far apart as its window is long. */
  static byte[] range(String query, long first, long last, int window) {
    return HttpConnection.get(
        "/api/v1/query_range?nocache=1&query=%s&start=%d&end=%d&step=%d"
            .formatted(encoded(query), first, last, window));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  @Override
  PeerAnswer sum(JsonNode answer) {
    long values = 0;
    double sum = 0;
    for (JsonNode series : answer.at("/data/result")) {
      for (JsonNode point : series.get("values")) {
        values++;
        sum += Double.parseDouble(point.get(1).asText());
      }
    }
    return new PeerAnswer(values, sum);
  }

  @Override
  public String toString() {
    return "VictoriaMetrics";
  }
}
