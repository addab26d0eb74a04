package org.hourstone.tsd;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.airlift.compress.snappy.SnappyCompressor;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLContext;
import org.hourstone.tsd.HostileConnections.Manner;

/**
 * A way in which clients could take all of a daemon's memory, threads or time.
 *
 * @param tls whether the daemon must have a certificate
 */
record AttackKind(String name, boolean tls, Start start) {
  /** The metric whose points {@link #QUERY} asks for. */
  static final String LONG = "attack.long";

  static final long START = 1_500_000_000;
  static final int POINTS = 20_000;
  private static final int TLS_CLIENTS = 8;
  static final String PROTOBUF = "application/x-protobuf";
  static final String HOST = " HTTP/1.1\r\nHost: localhost\r\n";
  private static final String QUERY =
      "GET /api/query?start=%d&end=%d&m=none:%s%s\r\n".formatted(START, START + 2_000, LONG, HOST);
  private static final String ASSET = "GET /s/uPlot.iife.min.js" + HOST + "\r\n";

  /** Begins an attack. */
  interface Start {
    /**
     * @param context of a client that trusts the daemon's certificate
     * @return ends it
     */
    Closeable begin(InetSocketAddress server, int clients, SSLContext context) throws IOException;
  }

  private static AttackKind of(String name, Manner manner, byte[] bytes, int repeatedFrom) {
    return new AttackKind(
        name,
        false,
        (server, clients, context) ->
            new HostileConnections(server, clients, manner, bytes, repeatedFrom));
  }

  /** With fewer connections, since each gets its turn for a second. */
  private static AttackKind ofFew(String name, Manner manner, String text) {
    byte[] bytes = text.getBytes(ISO_8859_1);
    return new AttackKind(
        name,
        false,
        (server, clients, context) ->
            new HostileConnections(server, (clients + 9) / 10, manner, bytes, 0));
  }

  static AttackKind of(String name, Manner manner, String text) {
    return of(name, manner, text.getBytes(ISO_8859_1), 0);
  }

  /** All of them; those with TLS are last. */
  static List<AttackKind> all() {
    List<AttackKind> all = new ArrayList<>();
    all.addAll(ofLines());
    all.addAll(ofHeads());
    all.addAll(ofBodies());
    all.addAll(HostileLines.all());
    all.addAll(HostileDoors.all());
    all.addAll(ofResponses());
    all.addAll(CostlyRequests.all());
    all.add(together(List.copyOf(all)));
    all.addAll(ofTls());
    return all;
  }

  /** All at once, each with a tenth of the connections. */
  private static AttackKind together(List<AttackKind> kinds) {
    return new AttackKind(
        "all together",
        false,
        (server, clients, context) -> {
          List<Closeable> begun = new ArrayList<>();
          for (AttackKind kind : kinds) {
            begun.add(kind.start().begin(server, Math.max(1, clients / 10), context));
          }
          return new Closeable() {
            @Override
            public void close() throws IOException {
              for (Closeable each : begun) {
                each.close();
              }
            }

            @Override
            public String toString() {
              return begun.toString();
            }
          };
        });
  }

  private static List<AttackKind> ofLines() {
    String lines =
        IntStream.range(0, POINTS)
            .mapToObj(k -> "put attack.m%d %d %d h=a\n".formatted(k % 7, START + k, k))
            .collect(Collectors.joining());
    return List.of(
        of("valid lines in bulk", Manner.DEAF, lines),
        of("valid lines in bulk, replies read", Manner.READING, lines),
        of("refused lines in bulk", Manner.DEAF, "put a b c\n".repeat(50_000)),
        of("stats by telnet", Manner.DEAF, "stats\n".repeat(50_000)),
        of("version by telnet", Manner.DEAF, "version\n".repeat(50_000)),
        of("half lines", Manner.SILENT, "put " + "a".repeat(60_000)),
        of("dripping lines", Manner.DRIPPING, lines),
        of("a line without an end", Manner.DEAF, "put ".repeat(100_000)));
  }

  private static List<AttackKind> ofHeads() {
    String fields = "a:\r\n".repeat(197); // each takes more on the heap than it does here
    String body =
        "POST /api/suggest" + HOST + "Content-Length: 270000\r\n\r\n" + " ".repeat(270_000);
    String before = body + ASSET.repeat(100); // reads become large, and responses are not read
    String head = "GET /api/version" + HOST;
    return List.of(
        of(
            "requests sent ahead",
            Manner.DEAF,
            (before + (head + fields + "\r\n").repeat(100)).getBytes(ISO_8859_1),
            before.length()),
        of(
            "small requests sent ahead",
            Manner.DEAF,
            (before + "A / HTTP/1.1\r\n\r\n".repeat(10_000)).getBytes(ISO_8859_1),
            before.length()),
        of("requests sent ahead, responses read", Manner.READING, (head + "\r\n").repeat(1_000)),
        of("half heads", Manner.SILENT, head + "a: " + "x".repeat(30_000)),
        of("half request lines", Manner.SILENT, "GET /" + "x".repeat(60_000)),
        of("dripping heads", Manner.DRIPPING, head + "a: " + "x".repeat(30_000)),
        of("nothing", Manner.SILENT, ""));
  }

  private static List<AttackKind> ofBodies() {
    int large = 60_000_000;
    String post = "POST %s" + HOST + "%sContent-Length: %d\r\n\r\n%s";
    String points =
        IntStream.range(0, 1_000)
            .mapToObj(
                k ->
                    "{\"metric\":\"attack.b\",\"timestamp\":%d,\"value\":1,\"tags\":{\"h\":\"a\"}}"
                        .formatted(START + k))
            .collect(Collectors.joining(","));
    String puts = post.formatted("/api/put", "", 2 + points.length(), "[" + points + "]");
    String empty = "[" + "{},".repeat(340_000) + "{}]";
    String dull = "[" + "{\"metric\":[],\"timestamp\":1},".repeat(30_000) + "{}]";
    String many = "[" + (points + ",").repeat(20) + points + "]";
    String query = "POST /api/query" + HOST + "Content-Length: " + large + "\r\n\r\n";
    String put = "POST /api/put" + HOST + "Content-Length: " + large + "\r\n\r\n[";
    String note = "x".repeat(1_000_000);
    String annotation = "{\"startTime\":%d,\"description\":\"d\",\"notes\":\"" + note + "\"}";
    StringBuilder annotations = new StringBuilder();
    for (int i = 0; i < 5; i++) {
      String json = annotation.formatted(START + i);
      annotations
          .append(post.formatted("/api/annotation", "", json.length(), json))
          .append(
              "GET /api/annotations?start_time=%d&end_time=%d%s\r\n"
                  .formatted(START, START + 100, HOST));
    }
    return List.of(
        of("points by HTTP", Manner.READING, puts),
        of(
            "empty points",
            Manner.READING,
            post.formatted("/api/rollup", "", empty.length(), empty)),
        of(
            "wrong points",
            Manner.DEAF,
            post.formatted("/api/put?details", "", dull.length(), dull)),
        of(
            "points as rollups",
            Manner.DEAF,
            post.formatted("/api/rollup?details", "", many.length(), many)),
        of(
            "large bodies",
            Manner.READING,
            (query + " ".repeat(1 << 20)).getBytes(ISO_8859_1),
            query.length()),
        of(
            "large bodies of points",
            Manner.READING,
            (put + points + ",").getBytes(ISO_8859_1),
            put.length()),
        of("half bodies", Manner.SILENT, query + "[".repeat(50_000)),
        of("dripping bodies", Manner.DRIPPING, query + " ".repeat(10_000)),
        of(
            "deep JSON",
            Manner.READING,
            post.formatted("/api/put", "", 100_000, "[".repeat(100_000))),
        compressed(
            "a body of 60 MB in gzip", "/api/query", "gzip", gzip(" ".repeat(1_000_000), 60)),
        compressed("points of 60 MB in gzip", "/api/put", "gzip", gzip(" ".repeat(1_000_000), 60)),
        compressed("many parts in gzip", "/api/put", "gzip", parts(30_000)),
        compressed(
            "series without samples in snappy",
            "/api/v1/write",
            "snappy",
            PROTOBUF,
            snappy("\n\0".repeat(30_000_000))),
        compressed(
            "queries in snappy",
            "/api/v1/read",
            "snappy",
            PROTOBUF,
            snappy("\n\0".repeat(30_000_000))),
        compressed(
            "a length of 4 GB in snappy",
            "/api/v1/write",
            "snappy",
            PROTOBUF,
            new byte[] {-1, -1, -1, -1, 15}),
        of("large annotations", Manner.READING, annotations.toString()));
  }

  static AttackKind compressed(String name, String uri, String encoding, byte[] body) {
    return compressed(name, uri, encoding, "text/plain", body);
  }

  static AttackKind compressed(String name, String uri, String encoding, String type, byte[] body) {
    byte[] head =
        ("POST "
                + uri
                + HOST
                + "Content-Encoding: "
                + encoding
                + "\r\nContent-Type: "
                + type
                + "\r\nContent-Length: "
                + body.length
                + "\r\n\r\n")
            .getBytes(ISO_8859_1);
    byte[] request = Arrays.copyOf(head, head.length + body.length);
    System.arraycopy(body, 0, request, head.length, body.length);
    return of(name, Manner.READING, request, 0);
  }

  static byte[] gzip(String text, int times) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    byte[] bytes = text.getBytes(UTF_8);
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      for (int i = 0; i < times; i++) {
        out.write(bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }

  static byte[] snappy(String text) {
    byte[] plain = text.getBytes(ISO_8859_1);
    SnappyCompressor compressor = new SnappyCompressor();
    byte[] block = new byte[compressor.maxCompressedLength(plain.length)];
    return Arrays.copyOf(
        block, compressor.compress(plain, 0, plain.length, block, 0, block.length));
  }

  private static byte[] parts(int count) {
    byte[] one = gzip("", 0);
    byte[] all = new byte[count * one.length];
    for (int i = 0; i < count; i++) {
      System.arraycopy(one, 0, all, i * one.length, one.length);
    }
    return all;
  }

  private static List<AttackKind> ofResponses() {
    String regex =
        "GET /api/query?start=%d&end=%d&m=sum:%s%%7Bh=regexp((.*a)%%7B12%%7Db)%%7D%s\r\n"
            .formatted(START, START + POINTS, LONG, HOST);
    return List.of(
        of("unread responses", Manner.DEAF, QUERY.repeat(100)),
        of("unread pages", Manner.DEAF, ASSET.repeat(100)),
        of("responses", Manner.READING, QUERY),
        of("abandoned queries", Manner.LEAVING, QUERY),
        of("abandoned puts", Manner.LEAVING, "POST /api/put" + HOST + "Content-Length: 9\r\n\r\n["),
        of("regular expressions", Manner.READING, regex),
        ofFew("large queries", Manner.READING, largeQueries()),
        of(
            "refused requests",
            Manner.READING,
            "GET /nosuch HTTP/1.1\r\nHost: evil.example\r\n\r\n"));
  }

  private static String largeQueries() {
    String range = "start=%d&end=%d".formatted(START, START + POINTS);
    String tsuids =
        IntStream.range(1, 1_000)
            .mapToObj("000001000001%06X"::formatted)
            .collect(Collectors.joining(","));
    Stream<String> gets =
        Stream.of(
                "/api/query?" + range + "&m=none:1ms-avg-zero:" + LONG,
                "/api/query?" + range + ("&m=none:" + LONG).repeat(10),
                "/api/query?" + range + "&m=sum:" + LONG + "&explain&explain_at=" + START,
                "/api/query/gexp?" + range + "&exp=movingAverage(sum:" + LONG + ",999999999)",
                "/api/query/gexp?" + range + ("&exp=scale(sum:" + LONG + ",2)").repeat(30),
                "/api/query/last?back_scan=400000&timeseries=" + LONG,
                "/api/query/last?back_scan=900&tsuids=" + tsuids,
                "/q?" + range + "&m=sum:" + LONG + "&wxh=2000x2000&png",
                "/api/suggest?type=tagv&max=1000000",
                "/api/search/lookup?m=" + LONG + "&limit=0&use_meta=false",
                "/api/search/lookup?m=%7Bh=a%7D&limit=0&use_meta=false",
                "/metrics")
            .map(uri -> "GET " + uri + HOST + "\r\n");
    Stream<String> posts =
        Stream.of(
            post("/api/query", queries(50, ",\"downsample\":\"%ds-avg\"")),
            post("/api/query", queries(1_000, ",\"rateOptions\":{\"counterMax\":%d}")),
            post("/api/query/exp", formulas(64)));
    return Stream.concat(posts, gets).collect(Collectors.joining());
  }

  static String post(String uri, String body) {
    return "POST " + uri + HOST + "Content-Length: " + body.length() + "\r\n\r\n" + body;
  }

  /** Many queries in one body, which differ by an option. */
  private static String queries(int count, String option) {
    String part = "{\"metric\":\"" + LONG + "\",\"aggregator\":\"none\",\"rate\":true";
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> part + option.formatted(i) + "}")
        .collect(
            Collectors.joining(
                ",",
                "{\"start\":%d,\"end\":%d,\"queries\":[".formatted(START, START + POINTS),
                "]}"));
  }

  /** A chain: each formula needs all before it. */
  private static String formulas(int count) {
    String chain =
        IntStream.range(1, count)
            .mapToObj(
                i ->
                    "{\"id\":\"f%d\",\"expr\":\"%s+a\"}".formatted(i, i == 1 ? "a" : "f" + (i - 1)))
            .collect(Collectors.joining(","));
    return "{\"time\":{\"start\":\"%d\",\"end\":\"%d\",\"aggregator\":\"none\"},"
            .formatted(START, START + POINTS)
        + "\"filters\":[{\"id\":\"x\",\"tags\":[{\"type\":\"wildcard\",\"tagk\":\"h\","
        + "\"filter\":\"*\",\"groupBy\":true}]}],"
        + "\"metrics\":[{\"id\":\"a\",\"metric\":\""
        + LONG
        + "\",\"filter\":\"x\",\"fillPolicy\":{\"policy\":\"zero\"}}],\"expressions\":["
        + chain
        + "]}";
  }

  private static AttackKind ofRecords(String name, String protocol, HostileHandshakes.Step step) {
    return new AttackKind(
        name,
        true,
        (server, clients, context) ->
            new HostileHandshakes(server, context, protocol, Math.min(TLS_CLIENTS, clients), step));
  }

  private static AttackKind ofHello(String name, Manner manner) {
    return new AttackKind(
        name,
        true,
        (server, clients, context) ->
            new HostileConnections(server, clients, manner, HostileHandshakes.hello(context), 0));
  }

  private static List<AttackKind> ofTls() {
    return List.of(
        ofHello("half handshakes", Manner.SILENT),
        ofHello("handshakes that are left", Manner.LEAVING),
        ofHello("dripping handshakes", Manner.DRIPPING),
        ofRecords("renegotiation", "TLSv1.2", HostileHandshakes::renegotiate),
        ofRecords("records of one byte", "TLSv1.3", HostileHandshakes::sendRecord));
  }

  @Override
  public String toString() {
    return name;
  }
}
