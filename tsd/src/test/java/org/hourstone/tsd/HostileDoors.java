package org.hourstone.tsd;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hourstone.tsd.HostileConnections.Manner;

/** Attacks by the protocols of OpenTelemetry and Prometheus, by many series, and by exports. */
final class HostileDoors {
  private static final String JSON = "application/json";
  private static final String OTLP = "/v1/metrics";
  private static final String WRITE = "/api/v1/write";
  private static final String TEXT = "/api/import/prometheus";
  private static final String POINTS =
      "{\"resourceMetrics\":[{\"scopeMetrics\":[{\"metrics\":[{\"name\":\"attack.o\",\"%s\":"
          + "{\"dataPoints\":[%s]}}]}]}]}";
  private static final String TIME = "\"timeUnixNano\":\"1500000000000000000\"";
  private static final int SERIES = 10_000;

  private HostileDoors() {}

  static List<AttackKind> all() {
    List<AttackKind> all = new ArrayList<>();
    all.addAll(ofOtlp());
    all.addAll(ofText());
    all.addAll(ofRemoteWrite());
    all.addAll(ofSeries());
    all.addAll(ofReaders());
    return all;
  }

  private static AttackKind halfBody(String name, String uri, String type, String begin) {
    String head =
        "POST "
            + uri
            + AttackKind.HOST
            + "Content-Type: "
            + type
            + "\r\nContent-Length: 15000000\r\n\r\n";
    return AttackKind.of(name, Manner.SILENT, head + begin);
  }

  private static AttackKind gzip(String name, String uri, String type, String body) {
    return AttackKind.compressed(name, uri, "gzip", type, AttackKind.gzip(body, 1));
  }

  private static String repeated(int times, IntFunction<String> part) {
    return IntStream.range(0, times).mapToObj(part).collect(Collectors.joining(","));
  }

  private static List<AttackKind> ofOtlp() {
    String nested = "{\"arrayValue\":{\"values\":[";
    String deep =
        "{"
            + TIME
            + ",\"asInt\":1,\"attributes\":[{\"key\":\"a\",\"value\":"
            + nested.repeat(30)
            + "]}}".repeat(30)
            + "}]}";
    String attributes =
        repeated(10_000, i -> "{\"key\":\"k" + i + "\",\"value\":{\"intValue\":1}}");
    String counts = "{" + TIME + ",\"scale\":20,\"positive\":{\"bucketCounts\":[%s]}}";
    String fields = "\n\u0000".repeat(200_000); // resources without metrics
    return List.of(
        halfBody("half bodies of OTLP", OTLP, AttackKind.PROTOBUF, "\n\u0000".repeat(20_000)),
        gzip(
            "empty data points of OTLP",
            OTLP,
            JSON,
            POINTS.formatted("gauge", repeated(200_000, i -> "{}"))),
        gzip(
            "endless attributes of OTLP",
            OTLP,
            JSON,
            POINTS.formatted(
                "gauge", "{" + TIME + ",\"asInt\":1,\"attributes\":[" + attributes + "]}")),
        gzip(
            "nested attributes of OTLP",
            OTLP,
            JSON,
            POINTS.formatted("gauge", repeated(300, i -> deep))),
        gzip(
            "endless buckets of OTLP",
            OTLP,
            JSON,
            POINTS.formatted(
                "exponentialHistogram", counts.formatted(repeated(200_000, i -> "1")))),
        gzip("empty resources of OTLP", OTLP, AttackKind.PROTOBUF, fields),
        gzip("scopes of a large resource of OTLP", OTLP, AttackKind.PROTOBUF, scopes()),
        AttackKind.compressed(
            "a body of 60 MB of OTLP in gzip",
            OTLP,
            "gzip",
            JSON,
            AttackKind.gzip(" ".repeat(1_000_000), 60)));
  }

  /** Each scope, and each metric in it, would have a megabyte of the resource's tags. */
  private static String scopes() {
    String name = message(1, "service.name") + message(2, message(1, "x".repeat(1_000_000)));
    String metric = message(2, message(1, "m") + message(5, ""));
    String scopes = message(2, "").repeat(200_000) + message(2, metric).repeat(100_000);
    return message(1, message(1, message(1, name)) + scopes);
  }

  private static List<AttackKind> ofRemoteWrite() {
    String sample = message(2, "\u0010\u0080\u0080\u00ba\u00bb\u00c8.");
    String name = message(1, message(1, "__name__") + message(2, "attack_w"));
    String series =
        IntStream.range(0, SERIES)
            .mapToObj(
                i -> message(1, name + message(1, message(1, "w") + message(2, "" + i)) + sample))
            .collect(Collectors.joining());
    String wrong = message(1, name + "\u0010\u0001").repeat(50_000);
    String symbols =
        message(4, "") + message(4, "__name__") + message(4, "m") + message(4, "x".repeat(60_000));
    String reference = message(5, message(1, "\u0001\u0002\u0002\u0003") + sample);
    String none = message(5, message(1, "\u0001\u0002\u0002\u0003"));
    String type = AttackKind.PROTOBUF + ";proto=io.prometheus.write.v2.Request";
    return List.of(
        halfBody("half bodies of remote write", WRITE, AttackKind.PROTOBUF, series),
        snappy("samples of a wrong type", AttackKind.PROTOBUF, wrong),
        snappy("many series of remote write", AttackKind.PROTOBUF, series),
        snappy("remote write 2.0 that is 1.0", type, series),
        snappy("large labels of remote write 2.0", type, symbols + reference.repeat(200_000)),
        snappy("labels without samples", type, symbols + none.repeat(1_000_000)));
  }

  private static AttackKind snappy(String name, String type, String body) {
    return AttackKind.compressed(name, WRITE, "snappy", type, AttackKind.snappy(body));
  }

  private static List<AttackKind> ofText() {
    return List.of(
        halfBody(
            "half bodies of Prometheus' text", TEXT, "text/plain", "m{a=\"1\"} 1\n".repeat(5_000)),
        gzip(
            "refused samples of a text",
            TEXT,
            "text/plain",
            "attack_p{a=\"1\"} x\n".repeat(30_000)),
        gzip(
            "endless labels of a text",
            TEXT,
            "text/plain",
            "m{" + repeated(80_000, i -> "a=\"b\"") + "} 1"),
        gzip("a label of 500 KB", TEXT, "text/plain", "m{a=\"" + "x".repeat(500_000) + "\"} 1"),
        AttackKind.compressed(
            "a text of 60 MB in gzip",
            TEXT,
            "gzip",
            "text/plain",
            AttackKind.gzip("#\n".repeat(500_000), 60)));
  }

  /** Each body has series of its own, all of which are made. */
  private static List<AttackKind> ofSeries() {
    String text =
        IntStream.range(0, SERIES)
            .mapToObj("attack_s{t=\"%d\"} 1 1500000000000\n"::formatted)
            .collect(Collectors.joining());
    String lines =
        IntStream.range(0, SERIES)
            .mapToObj("attack.s,l=%d f=1i 1500000000000000000\n"::formatted)
            .collect(Collectors.joining());
    String points =
        repeated(
            SERIES,
            i ->
                "{%s,\"asInt\":1,\"attributes\":[{\"key\":\"o\",\"value\":{\"intValue\":%d}}]}"
                    .formatted(TIME, i));
    return List.of(
        gzip("many series of a text", TEXT, "text/plain", text),
        gzip("many series of lines", "/write", "text/plain", lines),
        gzip("many series of OTLP", OTLP, JSON, POINTS.formatted("gauge", points)));
  }

  private static List<AttackKind> ofReaders() {
    String export = "GET /api/export%s" + AttackKind.HOST + "\r\n";
    String name = message(2, "__name__") + message(3, AttackKind.LONG);
    String selection =
        message(1, "\b\u0000\u0010\u0080\u0080\u00ba\u00bb\u00c8." + message(3, name));
    byte[] read = AttackKind.snappy(selection);
    return List.of(
        AttackKind.of("exports", Manner.READING, export.formatted("")),
        AttackKind.of("unread exports", Manner.DEAF, export.formatted("?format=json").repeat(100)),
        AttackKind.of("abandoned exports", Manner.LEAVING, export.formatted("?format=csv")),
        AttackKind.compressed("remote reads", "/api/v1/read", "snappy", AttackKind.PROTOBUF, read));
  }

  /** A field of a text or message of Protocol Buffers, each character a byte. */
  private static String message(int field, String content) {
    StringBuilder message = new StringBuilder().append((char) (field << 3 | 2));
    int rest = content.length();
    for (; rest >= 0x80; rest >>>= 7) {
      message.append((char) ((rest & 0x7f) | 0x80));
    }
    return message.append((char) rest).append(content).toString();
  }
}
