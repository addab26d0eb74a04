package org.hourstone.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.server.sender.ProtoFields;
import org.jspecify.annotations.Nullable;

/**
 * A way into a server. The requests of doors for points are for one point of the series {@code
 * mmm{h=a}}, or {@code mmm.f{h=a}} by the line protocol.
 *
 * @param name as in {@link RefusalTableTest}
 * @param path of the endpoint; a word of a line for telnet
 * @param good accepted by a server with default settings; null if it needs others
 * @param wrong refused by every server, whatever its state
 * @param noNumber has a value that is not a number; null if there is no such request
 */
record RefusingDoor(
    String name, String path, byte @Nullable [] good, byte[] wrong, byte @Nullable [] noNumber) {
  private static final String TAGS = "\"tags\":{\"h\":\"a\"}";
  private static final String PROTOBUF = "application/x-protobuf";
  private static final String JSON = "application/json";
  private static final long MILLIS = 1_500_000_000_000L;

  boolean isTelnet() {
    return !path.startsWith("/");
  }

  /** All of them, but for the methods of one endpoint that have the same purpose. */
  static List<RefusingDoor> all() {
    List<RefusingDoor> all = new ArrayList<>();
    all.addAll(ofTelnet());
    all.addAll(ofPoints());
    all.addAll(ofOtherProtocols());
    all.addAll(ofChanges());
    all.addAll(ofTrees());
    all.addAll(ofAdministration());
    all.addAll(ofQueries());
    all.addAll(ofReads());
    return all;
  }

  private static RefusingDoor line(
      String name, @Nullable String good, String wrong, @Nullable String noNumber) {
    return new RefusingDoor(
        "telnet " + name,
        name,
        good == null ? null : utf8(good),
        utf8(wrong),
        noNumber == null ? null : utf8(noNumber));
  }

  private static byte[] utf8(String line) {
    return (line + "\n").getBytes(UTF_8);
  }

  private static byte[] http(String method, String uri, String type, byte[] body) {
    byte[] head =
        (method
                + " "
                + uri
                + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + (type.isEmpty() ? "" : "Content-Type: " + type + "\r\n")
                + (body.length == 0 ? "" : "Content-Length: " + body.length + "\r\n")
                + "\r\n")
            .getBytes(UTF_8);
    byte[] all = new byte[head.length + body.length];
    System.arraycopy(head, 0, all, 0, head.length);
    System.arraycopy(body, 0, all, head.length, body.length);
    return all;
  }

  private static RefusingDoor post(
      String uri, @Nullable String good, String wrong, @Nullable String noNumber) {
    String name = "POST " + uri.split("\\?", 2)[0];
    return of(name, "POST", uri, "", body(good), wrong.getBytes(UTF_8), body(noNumber));
  }

  private static byte @Nullable [] body(@Nullable String text) {
    return text == null ? null : text.replace('\'', '"').getBytes(UTF_8);
  }

  private static RefusingDoor of(
      String name,
      String method,
      String uri,
      String type,
      byte @Nullable [] good,
      byte[] wrong,
      byte @Nullable [] noNumber) {
    return new RefusingDoor(
        name,
        uri.split("\\?", 2)[0],
        good == null ? null : http(method, uri, type, good),
        http(method, uri, type, wrong),
        noNumber == null ? null : http(method, uri, type, noNumber));
  }

  private static RefusingDoor get(String path, String good, String wrong) {
    return request("GET", path, good, wrong);
  }

  private static RefusingDoor request(String method, String path, String good, String wrong) {
    return new RefusingDoor(
        method + " " + path,
        path,
        http(method, path + good, "", new byte[0]),
        http(method, path + wrong, "", new byte[0]),
        null);
  }

  /** An endpoint that only another method is refused by. */
  private static RefusingDoor ofMethod(String method, String path) {
    byte[] wrong = http("PUT", path, "", new byte[0]);
    return new RefusingDoor(
        method + " " + path, path, http(method, path, "", new byte[0]), wrong, null);
  }

  private static List<RefusingDoor> ofTelnet() {
    return List.of(
        line("put", "put mmm 1500000000 1 h=a", "put mmm 1500000000 1", "put mmm 1500000000 x h=a"),
        line(
            "rollup",
            "rollup 1h-sum mmm 1500001200 1 h=a",
            "rollup 1h-sum mmm",
            "rollup 1h-sum mmm 1500001200 x h=a"),
        line("histogram", "histogram mmm 1500000000 0,1=1 h=a", "histogram mmm 1500000000", null),
        line("unknown", null, "unknown command", null),
        line("stats", "stats", "stats.mmm", null),
        line("version", "version", "version.mmm", null),
        line("help", "help", "help.mmm", null),
        line("dropcaches", "dropcaches", "dropcaches.mmm", null),
        line("status", "status", "status.mmm", null));
  }

  private static List<RefusingDoor> ofPoints() {
    String point = "{\"metric\":\"mmm\",\"timestamp\":1500000000,\"value\":%s," + TAGS + "}";
    String rollup =
        "{\"metric\":\"mmm\",\"timestamp\":1500001200,\"value\":%s,"
            + "\"interval\":\"1h\",\"aggregator\":\"sum\","
            + TAGS
            + "}";
    String histogram =
        "{\"metric\":\"mmm\",\"timestamp\":1500000000,\"buckets\":{\"0,1\":1}," + TAGS + "}";
    return List.of(
        post("/api/put", point.formatted("1"), "{\"metric\":\"mmm\"}", point.formatted("\"x\"")),
        post(
            "/api/rollup",
            rollup.formatted("1"),
            "{\"metric\":\"mmm\"}",
            rollup.formatted("\"x\"")),
        post("/api/histogram", histogram, "{\"metric\":\"mmm\"}", null));
  }

  private static List<RefusingDoor> ofOtherProtocols() {
    byte[] number = remoteWrite(MILLIS);
    String otlp =
        "{\"resourceMetrics\":[{\"scopeMetrics\":[{\"metrics\":[{\"name\":\"mmm\",\"gauge\":{"
            + "\"dataPoints\":[{\"timeUnixNano\":\"1500000000000000000\",%s"
            + "\"attributes\":[{\"key\":\"h\",\"value\":{\"stringValue\":\"a\"}}]}]}}]}]}]}";
    return List.of(
        of(
            "POST /v1/metrics in JSON",
            "POST",
            "/v1/metrics",
            JSON,
            otlp.formatted("\"asInt\":\"1\",").getBytes(UTF_8),
            otlp.formatted("").getBytes(UTF_8),
            null),
        of(
            "POST /v1/metrics in protobuf",
            "POST",
            "/v1/metrics",
            PROTOBUF,
            otlp(true),
            otlp(false),
            null),
        of("POST /api/write", "POST", "/api/write", PROTOBUF, number, remoteWrite(-1), null),
        post("/api/import/prometheus", "mmm{h='a'} 1 1500000000000\n", "mmm{h=\"a\"} x\n", null),
        post("/write?precision=s", "mmm,h=a f=1i 1500000000", "mmm,h=a f=x", null),
        post("/api/v2/write?precision=s", "mmm,h=a f=1i 1500000000", "mmm,h=a f=x", null),
        post("/query?q=SHOW+DATABASES", "", "q=DROP+DATABASE+mmm", null));
  }

  private static byte[] remoteWrite(long millis) {
    return new ProtoFields()
        .message(1, ProtoFields.series(1, millis, "__name__", "mmm", "h", "a"))
        .toBytes();
  }

  private static byte[] otlp(boolean hasValue) {
    ProtoFields point =
        new ProtoFields()
            .fixed(3, MILLIS * 1_000_000)
            .message(7, new ProtoFields().text(1, "h").message(2, new ProtoFields().text(1, "a")));
    ProtoFields gauge = new ProtoFields().message(1, hasValue ? point.fixed(6, 1) : point);
    ProtoFields metric = new ProtoFields().text(1, "mmm").message(5, gauge);
    ProtoFields scope = new ProtoFields().message(2, metric);
    return new ProtoFields().message(1, new ProtoFields().message(2, scope)).toBytes();
  }

  private static List<RefusingDoor> ofChanges() {
    String annotation = "{'startTime':1500000000,'description':'mmm'}";
    return List.of(
        post("/api/annotation", annotation, "{\"startTime\":", null),
        post("/api/annotation/bulk", "[" + annotation + "]", "[{\"notes\":\"mmm\"}]", null),
        post("/api/uid/assign", "{'metric':['mmm.new']}", "{\"metric\":[\"mmm(\"]}", null),
        post(
            "/api/uid/rename",
            "{'metric':'mmm.old','name':'mmm.renamed'}",
            "{\"metric\":\"nosuch\",\"name\":\"mmm.x\"}",
            null),
        post(
            "/api/uid/uidmeta",
            "{'uid':'000001','type':'metric','displayName':'d'}",
            "{\"uid\":\"000001\"}",
            null),
        post("/api/uid/tsmeta?m=mmm.old{h=a}&create=true", "{'displayName':'d'}", "{", null));
  }

  private static List<RefusingDoor> ofTrees() {
    return List.of(
        post("/api/tree", "{'name':'new'}", "{", null),
        post(
            "/api/tree/rule",
            "{'treeId':1,'level':0,'order':0,'type':'METRIC'}",
            "{\"treeId\":77}",
            null),
        post(
            "/api/tree/rules",
            "[{'treeId':1,'level':1,'order':0,'type':'METRIC'}]",
            "[{\"treeId\":77}]",
            null),
        get("/api/tree/branch", "?treeid=1", "?treeid=x"),
        get("/api/tree/test", "?treeid=1&tsuids=000001000001000001", "?treeid=x"),
        get("/api/tree/collisions", "?treeid=1", "?treeid=x"),
        get("/api/tree/notmatched", "?treeid=1", "?treeid=x"));
  }

  private static List<RefusingDoor> ofAdministration() {
    return List.of(
        post("/api/admin/backup", null, "{", null),
        post("/api/admin/jobs", null, "{\"command\":[\"nosuch\"]}", null),
        ofMethod("POST", "/api/admin/reload"),
        ofMethod("GET", "/api/dropcaches"),
        ofMethod("GET", "/ping"),
        ofMethod("GET", "/health"),
        get("/logs", "", "?level=ALL"),
        request("DELETE", "/api/query/running", "?id=77", "?id=x"));
  }

  private static List<RefusingDoor> ofQueries() {
    String range = "start=1400000000&end=1600000000";
    String exp =
        "{'time':{'start':'1400000000','end':'1600000000','aggregator':'sum'},"
            + "'metrics':[{'id':'a','metric':'mmm'}],"
            + "'expressions':[{'id':'e','expr':'a+1'}]}";
    ProtoFields matcher = new ProtoFields().number(1, 0).text(2, "__name__").text(3, "mmm");
    ProtoFields query = new ProtoFields().number(1, 0).number(2, MILLIS + 1000).message(3, matcher);
    byte[] read = new ProtoFields().message(1, query).toBytes();
    return List.of(
        get("/api/query", "?" + range + "&m=sum:mmm", "?start=mmm&m=sum:mmm"),
        get("/q", "?" + range + "&m=sum:mmm&ascii", "?start=mmm&m=sum:mmm&ascii"),
        post("/api/query/exp", exp, "{\"mmm\":1}", null),
        get("/api/query/gexp", "?" + range + "&exp=absolute(sum:mmm)", "?" + range + "&exp=f("),
        get("/api/query/last", "?timeseries=mmm{h=a}", "?timeseries=nosuch"),
        get("/api/export", "", "?start=mmm"),
        of("POST /api/read", "POST", "/api/read", PROTOBUF, read, new byte[] {1}, null));
  }

  private static List<RefusingDoor> ofReads() {
    List<RefusingDoor> all = new ArrayList<>();
    for (String path :
        List.of(
            "/aggregators",
            "/stats",
            "/version",
            "/api/aggregators",
            "/api/config",
            "/api/config/filters",
            "/api/stats",
            "/api/stats/jvm",
            "/api/stats/query",
            "/api/stats/region_clients",
            "/api/stats/threads",
            "/api/status",
            "/api/version")) {
      all.add(get(path, "", "?mmm"));
    }
    all.add(get("/suggest", "?type=metrics", "?type=mmm"));
    all.add(get("/api/suggest", "?type=metrics", "?type=mmm"));
    all.add(get("/api/search/lookup", "?m=mmm", "?mmm"));
    all.add(get("/api/cardinality", "?metric=mmm", "?mmm"));
    all.add(get("/api/annotations", "?start=1400000000", "?start=mmm"));
    return all;
  }
}
