package org.hourstone.server.sender;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hourstone.DaemonSettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.server.Client;
import org.hourstone.server.Served;
import org.hourstone.write.FutureReceipt;
import org.hourstone.write.ImportListener;
import org.hourstone.write.ImportOptions;
import org.hourstone.write.SeriesPoints;
import org.hourstone.write.SeriesWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * By whichever door a point comes, the other server of a mirror has the same: integers are integers
 * there, decimals have the same bits, timestamps the same unit.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class MirroredDoorsTest {
  private static final long START = 1_500_000_000;

  private static final List<Long> INTEGERS =
      List.of(
          0L, -1L, 127L, 128L, -32769L, 1L << 31, (1L << 53) + 1, Long.MIN_VALUE, Long.MAX_VALUE);

  private static final List<Double> DECIMALS =
      List.of(
          0.0,
          -0.0,
          3.0,
          0.1,
          1 / 3.0,
          -1e-7,
          1e21,
          (double) 0.1f,
          1.0 + Math.ulp(1.0),
          Double.MIN_VALUE,
          Double.MAX_VALUE);

  private static final String ROLLUPS =
      "{\"aggregationIds\":{\"sum\":0,\"count\":1},\"intervals\":["
          + "{\"table\":\"tsdb\",\"preAggregationTable\":\"tsdb\",\"interval\":\"1m\","
          + "\"rowSpan\":\"1h\",\"defaultInterval\":true},"
          + "{\"table\":\"rollup-1h\",\"preAggregationTable\":\"rollup-1h\",\"interval\":\"1h\","
          + "\"rowSpan\":\"1d\"}]}";

  @TempDir Path directory;

  private Served second;
  private Served first;

  /** Writes points to a server. */
  private interface Writing {
    void to(Served server) throws Exception;
  }

  /**
   * A way in.
   *
   * @param exported what of it the export of both servers has to contain
   */
  private record Door(String name, Writing writing, List<String> exported) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** No line is rejected. */
  private static final class Strict implements ImportListener {
    @Override
    public void rejected(String place, String reason) {
      throw new AssertionError(place + ": " + reason);
    }

    @Override
    public void read(long lines) {}

    @Override
    public void stored(String file, long line) {}
  }

  @BeforeEach
  void start() throws IOException {
    TsdbOptions options =
        TsdbOptions.defaults()
            .with(Settings.AUTO_CREATE_METRICS, "true")
            .with(Settings.ROLLUPS_ENABLE, "true")
            .with(Settings.ROLLUPS_CONFIG, ROLLUPS)
            .with(Settings.HISTOGRAMS_CONFIG, "{\"net.opentsdb.core.SimpleHistogramDecoder\":42}");
    second = Served.start(options);
    first =
        Served.start(
            options
                .with(DaemonSettings.MIRROR, "http://127.0.0.1:" + second.address().getPort())
                .with(DaemonSettings.MIRROR_DIRECTORY, directory.resolve("queue").toString()));
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
  }

  /**
   * All points, without the letter that says that a decimal has 8 bytes that could have 4: HTTP
   * gives each decimal 8.
   */
  private static List<String> exported(Served of) throws IOException {
    of.db().flush();
    return of.get("/api/export")
        .body()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.replaceFirst("(\\d)d ", "$1 "))
        .sorted()
        .toList();
  }

  /** Each value at a second of its own, in a form of the door. */
  private static String joined(IntFunction<String> point, int points, String separator) {
    return IntStream.range(0, points).mapToObj(point).collect(Collectors.joining(separator));
  }

  /** Lines of the export for all values. */
  private static List<String> lines(String integers, String decimals, String tags) {
    Stream<String> whole =
        IntStream.range(0, integers.isEmpty() ? 0 : INTEGERS.size())
            .mapToObj(i -> integers + " " + (START + i) + " " + INTEGERS.get(i) + tags);
    Stream<String> broken =
        IntStream.range(0, DECIMALS.size())
            .mapToObj(i -> decimals + " " + (START + i) + " " + DECIMALS.get(i) + tags);
    return Stream.concat(whole, broken).toList();
  }

  private static void post(Served server, String uri, String type, byte[] body) throws IOException {
    Client.Response response =
        new SentRequest(
                "POST " + uri + " HTTP/1.1\nHost: localhost:4242\nContent-Type: " + type + "\n",
                body)
            .to(server);
    assertThat(response.status()).as(response.body()).isIn(200, 204);
  }

  private static void post(Served server, String uri, String body) throws IOException {
    post(server, uri, "text/plain", body.getBytes(UTF_8));
  }

  private static String json(String metric, long timestamp, Object value) {
    return "{\"metric\":\"%s\",\"timestamp\":%d,\"value\":%s,\"tags\":{\"h\":\"a\",\"dc\":\"b\"}}"
        .formatted(metric, timestamp, value);
  }

  private static String allJson() {
    return "["
        + joined(i -> json("i", START + i, INTEGERS.get(i)), INTEGERS.size(), ",")
        + ","
        + joined(i -> json("d", START + i, DECIMALS.get(i)), DECIMALS.size(), ",")
        + ","
        + json("i", START * 1000 + 250, 5)
        + "]";
  }

  private static String allLines(String put) {
    return joined(
            i -> put + "i " + (START + i) + " " + INTEGERS.get(i) + " h=a dc=b\n",
            INTEGERS.size(),
            "")
        + joined(
            i -> put + "d " + (START + i) + " " + DECIMALS.get(i) + " h=a dc=b\n",
            DECIMALS.size(),
            "")
        + put
        + "i "
        + (START * 1000 + 250)
        + " 5 h=a dc=b\n";
  }

  private static void telnet(Served server) throws IOException {
    try (Client client = server.connect()) {
      client.send(allLines("put ") + "version\n");
      assertThat(client.line()).startsWith("hourstone");
    }
  }

  private static byte[] remoteWrite(boolean isV2) throws IOException {
    ProtoFields request = new ProtoFields();
    ProtoFields series = new ProtoFields();
    List<String> symbols = List.of("", "__name__", "d", "h", "a/b c");
    if (isV2) {
      symbols.forEach(each -> request.text(4, each));
      for (int i = 1; i < symbols.size(); i++) {
        series.number(1, i);
      }
    } else {
      for (int i = 1; i < symbols.size(); i += 2) {
        series.message(1, new ProtoFields().text(1, symbols.get(i)).text(2, symbols.get(i + 1)));
      }
    }
    for (int i = 0; i < DECIMALS.size(); i++) {
      series.message(
          2, new ProtoFields().decimal(1, DECIMALS.get(i)).number(2, (START + i) * 1000));
    }
    series.message(2, new ProtoFields().decimal(1, 5).number(2, START * 1000 + 250));
    return SentRequest.snappy(request.message(isV2 ? 5 : 1, series).toBytes());
  }

  private static void remoteWrite(Served server, boolean isV2) throws IOException {
    String version = isV2 ? ";proto=io.prometheus.write.v2.Request" : "";
    Client.Response response =
        new SentRequest(
                """
                POST /api/v1/write HTTP/1.1
                Host: localhost:4242
                Content-Type: application/x-protobuf%s
                Content-Encoding: snappy
                """
                    .formatted(version),
                remoteWrite(isV2))
            .to(server);
    assertThat(response.status()).as(response.body()).isEqualTo(204);
  }

  private static ProtoFields otlpPoint(int second) {
    ProtoFields text = new ProtoFields().text(1, "a");
    return new ProtoFields()
        .fixed(3, (START + second) * 1_000_000_000)
        .message(7, new ProtoFields().text(1, "h").message(2, text));
  }

  private static byte[] otlp() {
    ProtoFields gauge = new ProtoFields();
    for (int i = 0; i < DECIMALS.size(); i++) {
      gauge.message(1, otlpPoint(i).decimal(4, DECIMALS.get(i)));
    }
    ProtoFields sum = new ProtoFields();
    for (int i = 0; i < INTEGERS.size(); i++) {
      sum.message(1, otlpPoint(i).fixed(6, INTEGERS.get(i)));
    }
    ProtoFields histogram =
        new ProtoFields()
            .fixed(3, START * 1_000_000_000 + 250_000_000)
            .fixed(4, 6)
            .decimal(5, 7.1)
            .fixed(6, 2)
            .fixed(6, 4)
            .decimal(7, 0.5);
    ProtoFields scope =
        new ProtoFields()
            .message(2, new ProtoFields().text(1, "d").message(5, gauge))
            .message(2, new ProtoFields().text(1, "i").message(7, sum.number(2, 2).number(3, 1)))
            .message(
                2,
                new ProtoFields()
                    .text(1, "latency")
                    .message(9, new ProtoFields().message(1, histogram).number(2, 2)));
    return new ProtoFields().message(1, new ProtoFields().message(2, scope)).toBytes();
  }

  private static String otlpJson() {
    String point =
        "{\"timeUnixNano\":\"%d000000000\",%s,\"attributes\":["
            + "{\"key\":\"h\",\"value\":{\"stringValue\":\"a\"}}]}";
    return "{\"resourceMetrics\":[{\"scopeMetrics\":[{\"metrics\":[{\"name\":\"d\",\"gauge\":"
        + "{\"dataPoints\":["
        + joined(
            i -> point.formatted(START + i, "\"asDouble\":" + DECIMALS.get(i)),
            DECIMALS.size(),
            ",")
        + "]}},{\"name\":\"i\",\"gauge\":{\"dataPoints\":["
        + joined(
            i -> point.formatted(START + i, "\"asInt\":\"" + INTEGERS.get(i) + "\""),
            INTEGERS.size(),
            ",")
        + "]}}]}]}]}";
  }

  private static void java(Tsdb db) {
    Tags tags = Tags.of("h", "a", "dc", "b");
    for (int i = 0; i < INTEGERS.size(); i++) {
      db.put("i", Instant.ofEpochSecond(START + i), INTEGERS.get(i), tags).join();
    }
    for (int i = 0; i < DECIMALS.size(); i++) {
      db.put("d", Instant.ofEpochSecond(START + i), DECIMALS.get(i), tags).join();
    }
    db.put("f", Instant.ofEpochSecond(START), 0.1f, tags).join();
    db.put("i", Instant.ofEpochMilli(START * 1000 + 250), 5, tags).join();
    db.putLine("put l " + START + " 7 h=a").join();
  }

  private static void handles(Tsdb db) {
    FutureReceipt stored = new FutureReceipt(db.writer());
    SeriesPoints points = db.writer().seriesPoints(stored);
    SeriesWriter integers = db.writer().series("i", Map.of("h", "a", "dc", "b"));
    SeriesWriter decimals = db.writer().series("d", Map.of("h", "a", "dc", "b"));
    for (int i = 0; i < INTEGERS.size(); i++) {
      points.add(integers, START + i, INTEGERS.get(i), 0);
    }
    for (int i = 0; i < DECIMALS.size(); i++) {
      points.add(decimals, START + i, DECIMALS.get(i), 0);
    }
    points.add(decimals, START * 1000 + 250, 0.1f, 0);
    points.send();
    db.flush();
  }

  private static void importLines(Tsdb db) {
    db.importer(new ImportOptions(false, true, true), new Strict())
        .run("lines", new ByteArrayInputStream(allLines("").getBytes(UTF_8)));
  }

  private static String influx() {
    return joined(i -> "m,h=a n=" + INTEGERS.get(i) + "i " + (START + i), INTEGERS.size(), "\n")
        + "\n"
        + joined(i -> "m,h=a x=" + DECIMALS.get(i) + " " + (START + i), DECIMALS.size(), "\n");
  }

  private static String prometheus(String unit) {
    return joined(
            i -> "d{h=\"a\"} " + DECIMALS.get(i) + " " + (START + i) + unit, DECIMALS.size(), "\n")
        + "\n";
  }

  static List<Door> doors() {
    String tags = " dc=b h=a";
    List<String> plain = lines("i", "d", tags);
    List<String> influx = lines("m.n", "m.x", " h=a");
    return List.of(
        new Door("telnet", MirroredDoorsTest::telnet, plain),
        new Door("/api/put", to -> post(to, "/api/put", allJson()), plain),
        new Door("/api/put?sync", to -> post(to, "/api/put?sync&details", allJson()), plain),
        new Door(
            "a large /api/put",
            to -> post(to, "/api/put", "[" + joined(i -> json("m", START + i, i), 8000, ",") + "]"),
            List.of("m " + (START + 7999) + " 7999" + tags)),
        new Door("/write", to -> post(to, "/write?precision=s", influx()), influx),
        new Door("/api/v2/write", to -> post(to, "/api/v2/write?precision=s", influx()), influx),
        new Door(
            "remote write 1.0", to -> remoteWrite(to, false), lines("", "d", " h=U__a/b_20_c")),
        new Door("remote write 2.0", to -> remoteWrite(to, true), lines("", "d", " h=U__a/b_20_c")),
        new Door(
            "OTLP",
            to -> post(to, "/v1/metrics", "application/x-protobuf", otlp()),
            lines("i", "d", " h=a")),
        new Door(
            "OTLP in JSON",
            to -> post(to, "/v1/metrics", "application/json", otlpJson().getBytes(UTF_8)),
            lines("i", "d", " h=a")),
        new Door(
            "Prometheus text",
            to -> post(to, "/api/import/prometheus", prometheus("000")),
            lines("", "d", " h=a")),
        new Door(
            "OpenMetrics",
            to ->
                post(
                    to,
                    "/api/import/prometheus",
                    "application/openmetrics-text",
                    prometheus("").getBytes(UTF_8)),
            lines("", "d", " h=a")),
        new Door("Tsdb.put", to -> java(to.db()), plain),
        new Door("series handles", to -> handles(to.db()), plain),
        new Door("the importer", to -> importLines(to.db()), plain));
  }

  @ParameterizedTest
  @MethodSource("doors")
  void theOtherServerHasTheSame(Door door) throws Exception {
    door.writing().to(first);
    first.db().flush();
    first.awaitMirrored();

    assertThat(exported(first)).containsAll(door.exported());
    assertThat(exported(second)).isEqualTo(exported(first));
    String metrics = first.get("/metrics").body();
    assertThat(metrics)
        .contains("hourstone_mirror_sent_points_total " + exported(first).size() + ".0\n")
        .contains("hourstone_mirror_skipped_points_total{reason=\"other_cell\"} 0.0\n")
        .contains("hourstone_mirror_failures_total 0.0\n");
  }

  static List<Door> doorsOfOtherCells() {
    String rollup =
        "{\"metric\":\"m\",\"timestamp\":1500000000,\"value\":1,\"tags\":{\"h\":\"a\"},";
    String histogram =
        "{\"metric\":\"m\",\"timestamp\":1500000000,\"tags\":{\"h\":\"a\"},\"buckets\":{\"0,1\":5}}";
    return List.of(
        new Door(
            "/api/rollup",
            to -> post(to, "/api/rollup", rollup + "\"interval\":\"1h\",\"aggregator\":\"sum\"}"),
            List.of()),
        new Door(
            "pre-aggregated",
            to -> post(to, "/api/rollup", rollup + "\"groupByAggregator\":\"sum\"}"),
            List.of()),
        new Door("/api/histogram", to -> post(to, "/api/histogram", histogram), List.of()),
        new Door(
            "telnet",
            to -> {
              try (Client client = to.connect()) {
                client.send("rollup 1h-sum m 1500000000 1 h=a\nversion\n");
                assertThat(client.line()).startsWith("hourstone");
              }
            },
            List.of()));
  }

  @ParameterizedTest
  @MethodSource("doorsOfOtherCells")
  void aCellThatIsNoPlainPointIsCounted(Door door) throws Exception {
    door.writing().to(first);
    first.db().flush();
    first.awaitMirrored();

    assertThat(first.get("/metrics").body())
        .contains("hourstone_mirror_skipped_points_total{reason=\"other_cell\"} 1.0\n")
        .contains("hourstone_mirror_queued_points_total 0.0\n");
    assertThat(exported(second)).isEmpty();
  }

  @Test
  void theLatestOfTwoValuesWins() throws Exception {
    for (int i = 0; i < 500; i++) {
      post(first, "/api/put", json("m", START + i % 3, i));
    }
    first.awaitMirrored();

    assertThat(exported(second))
        .isEqualTo(exported(first))
        .containsExactly(
            "m " + START + " 498 dc=b h=a",
            "m " + (START + 1) + " 499 dc=b h=a",
            "m " + (START + 2) + " 497 dc=b h=a");
  }
}
