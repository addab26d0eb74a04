package org.hourstone.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.endpoint.Failures;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.hourstone.api.request.Role;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.error.RequestException;
import org.hourstone.error.TsdbException;
import org.hourstone.error.TsdbException.Category;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.query.QueryLimitException;
import org.hourstone.query.QueryLimitException.Limit;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.uid.UidAssignmentException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What recordings don't show of points and queries by HTTP and telnet. */
class ApiTest {
  private static final String POINT =
      "{\"metric\":\"m\",\"timestamp\":1500001200,\"value\":1,\"tags\":{\"host\":\"a\"}}";

  /** Throws an exception at points once it is set, and at any read another one. */
  private static final class Full extends ForwardingStore {
    private boolean full;
    private @Nullable RuntimeException injected;
    private @Nullable RuntimeException ofReads;

    Full(KeyValueStore delegate) {
      super(delegate);
    }

    @Override
    public void mutate(Family family, List<RowMutation> batch) {
      if (full && family.table().equals("tsdb")) {
        throw new StoreException(Outcome.REJECTED, "the disk is full");
      }
      super.mutate(family, batch);
    }

    @Override
    public Row get(Family family, byte[] row, Columns columns) {
      if (ofReads != null) {
        throw ofReads;
      }
      return super.get(family, row, columns);
    }

    @Override
    public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
      if (ofReads != null) {
        throw ofReads;
      }
      return super.get(family, rows, columns);
    }

    @Override
    public RowCursor scan(Family family, Scan scan) {
      if (injected != null) {
        throw injected;
      }
      return super.scan(family, scan);
    }
  }

  private static final Map<RuntimeException, Integer> STATUSES =
      Map.of(
          new RequestException("why"), 400,
          new TsdbException(Category.NOT_FOUND, "why"), 400,
          new TsdbException(Category.LIMIT, "why"), 413,
          new QueryLimitException(Limit.TIME, "why"), 408,
          new TsdbException(Category.CANCELLED, "why"), 503,
          new TsdbException(Category.CORRUPTION, "why"), 500,
          new CorruptDataException("why"), 500,
          new TsdbException(Category.STORE, "why"), 503,
          new StoreException(Outcome.REJECTED, "why"), 503);

  private Full store;
  private Tsdb db;
  private Api api;

  @BeforeEach
  void open() {
    store = new Full(new ModelStore(new ManualClock(Instant.parse("2026-01-01T00:00:00Z"))));
    db =
        Tsdb.over(
            store,
            TsdbOptions.defaults()
                .with(Settings.COMPACTION_BACKGROUND, "false")
                .with(Settings.HEAD, "false"));
    api = new Api(db);
  }

  @AfterEach
  void close() {
    db.close();
    store.close();
  }

  private ApiResponse post(String path, String body) {
    return api.respond(ApiCall.of("POST", path, body));
  }

  private ApiResponse get(String uri) {
    return api.respond(ApiCall.of("GET", uri, ""));
  }

  @Test
  void aPointThatTheStoreRefusesIsReported() {
    assertThat(post("/api/put", POINT).status()).isEqualTo(204);
    store.full = true;
    assertThat(post("/api/put", POINT).status()).isEqualTo(503);
    assertThat(post("/api/put?details", POINT).body())
        .contains("\"success\":0,\"failed\":1", "\"error\":\"Storage exception: the disk is full");
    assertThat(new Telnet(db).respond("put m 1500001200 1 host=a").join())
        .isEqualTo("put: storage error: the disk is full\n");
  }

  /** Collectors drop points after 4xx, and send them again after 5xx. */
  @Test
  void theStatusTellsWhetherPointsMayBeStoredLater() {
    String wrong = POINT.replace("1500001200", "0");
    String both = "[" + wrong + "," + POINT + "]";
    String streamed = "[" + wrong + ("," + POINT).repeat(50_000) + "]";
    store.full = true;

    assertThat(post("/api/put", wrong).status()).isEqualTo(400);
    for (String parameters : List.of("", "?summary", "?details")) {
      assertThat(post("/api/put" + parameters, both).status()).isEqualTo(503);
    }
    assertThat(upload("/api/put", streamed).status()).isEqualTo(503);
    store.full = false;
    assertThat(upload("/api/put", streamed).status()).isEqualTo(400);
  }

  static List<RuntimeException> faultsOfTheServer() {
    return List.of(
        new IllegalStateException("a fault"),
        new CorruptDataException("why"),
        new TsdbException(Category.STORE, "why"));
  }

  /** Points that meet a fault of the server are none that a client should drop. */
  @ParameterizedTest
  @MethodSource("faultsOfTheServer")
  void aFaultOfTheServerIsNoFaultOfThePoints(RuntimeException fault) {
    store.ofReads = fault;
    assertThat(post("/api/put", POINT).status()).isEqualTo(503);
    store.ofReads = null;
    assertThat(post("/api/put", POINT).status()).isEqualTo(204);
  }

  @Test
  void pointsThatMeetADatabaseThatIsClosedMayBeSentAgain() {
    assertThat(post("/api/put", POINT).status()).isEqualTo(204);
    db.close();
    assertThat(post("/api/put", POINT).status()).isEqualTo(503);
  }

  /** Else a collector would send it again and again, and its other points would wait behind it. */
  @Test
  void aPointWhoseNameCanGetNoUidIsRefusedForGood() {
    store.ofReads = new UidAssignmentException("no UID is left");
    assertThat(post("/api/put", POINT).status()).isEqualTo(400);
  }

  @Test
  void pointsBeforeAFaultInABodyThatTheStoreRefusedMayBeSentAgain() {
    String broken = "[" + POINT + ("," + POINT).repeat(50_000) + ", nonsense";
    store.full = true;
    ApiResponse response = upload("/api/put", broken);
    assertThat(response.status()).isEqualTo(503);
    assertThat(response.body()).contains("0 points before that were stored, ");

    ApiUpload upload = api.upload("POST", "/api/put", new Disconnection(), Role.all());
    byte[] bytes = broken.getBytes(UTF_8);
    assertThat(upload.add(bytes, 0, bytes.length - 10)).isNull();
    assertThat(upload.brokenOff(413, "Too large", "").status()).isEqualTo(503);

    store.full = false;
    assertThat(upload("/api/put", broken).status()).isEqualTo(400);
  }

  private ApiResponse upload(String uri, String body) {
    ApiUpload upload = api.upload("POST", uri, new Disconnection(), Role.all());
    byte[] bytes = body.getBytes(UTF_8);
    ApiResponse early = upload.add(bytes, 0, bytes.length);
    return early == null ? upload.end() : early;
  }

  @Test
  void inStrictModeTheStatusIsTheSameWhateverTheReason() {
    store.full = true;
    try (Tsdb strict =
        Tsdb.over(
            store,
            TsdbOptions.openTsdbDefaults()
                .with(Settings.AUTO_CREATE_METRICS, "true")
                .with(Settings.COMPACTION_BACKGROUND, "false"))) {
      ApiResponse response = new Api(strict).respond(ApiCall.of("POST", "/api/put", POINT));
      assertThat(response.status()).isEqualTo(400);
    }
  }

  /** Any client can send a body of millions of them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/put",
        "/api/put?details",
        "/api/query",
        "/api/query/exp",
        "/api/query/last",
        "/api/search/lookup",
        "/api/annotation",
        "/api/annotation/bulk",
        "/api/suggest",
        "/api/tree",
        "/api/tree/rule",
        "/api/tree/rules",
        "/api/uid/assign",
        "/api/uid/rename",
        "/api/uid/uidmeta",
        "/api/uid/tsmeta"
      })
  void aBodyThatNestsDeepIsRefused(String uri) {
    for (String part : new String[] {"[", "{\"a\":", "[{\"tags\":", "{\"queries\":["}) {
      assertThat(post(uri, part.repeat(100_000)).status()).as(part).isEqualTo(400);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/put", "/api/put?summary", "/api/put?details"})
  void badPointsTakeLittleMemory(String uri) {
    int points = 50_000;
    String body = "[" + "{},".repeat(points - 1) + "{}]";
    assertThat(post(uri, body).status()).isEqualTo(413); // loads the classes
    var thread = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = thread.getCurrentThreadAllocatedBytes();

    post(uri, body);

    assertThat((thread.getCurrentThreadAllocatedBytes() - before) / points).isLessThan(100);
  }

  /** It is in a block of a body, of which the memory is not counted. */
  @Test
  void aMisspeltMemberOfAPointTakesLittleMemory() {
    int elements = 50_000;
    String body =
        POINT.replace("{\"metric", "{\"Tags\":[" + "{},".repeat(elements) + "{}],\"metric");
    assertThat(post("/api/put?details", body).body()).contains("Tags: unknown");
    var thread = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = thread.getCurrentThreadAllocatedBytes();

    post("/api/put?details", body);

    assertThat((thread.getCurrentThreadAllocatedBytes() - before) / elements).isLessThan(50);
  }

  /** The name of a list is not repeated for each of its elements. */
  @Test
  void aListWithALongNameTakesLittleMemory() {
    int elements = 2_000;
    String name = "x".repeat(49_000);
    String body = "{\"" + name + "\":[" + "1,".repeat(elements) + "1]}";
    assertThat(post("/api/uid/assign", body).status()).isEqualTo(400); // loads the classes
    var thread = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = thread.getCurrentThreadAllocatedBytes();

    post("/api/uid/assign", body);

    assertThat((thread.getCurrentThreadAllocatedBytes() - before) / elements).isLessThan(20_000);
    assertThat(post("/api/uid/assign", "{\"" + name + "\":[[1]]}").body().length())
        .isLessThan(3 * name.length());
  }

  @Test
  void detailsListThePointsThatAreNotStored() {
    assertThat(post("/api/put?details", "[{}," + POINT + ",null]").body())
        .isEqualTo(
            "{\"success\":1,\"failed\":2,\"errors\":["
                + "{\"datapoint\":{\"timestamp\":0},\"error\":\"Metric name was empty\"},"
                + "{\"datapoint\":null,"
                + "\"error\":\"Unexpected null datapoint encountered in set.\"}]}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[" + POINT + ",{]",
        "[" + POINT + ",{\"a\":}]",
        POINT + "," + POINT,
        POINT + " " + POINT + "]",
        "[" + POINT + "] {this is not JSON}",
        POINT + " true",
        "[" + POINT
      })
  void aBodyThatCannotBeReadStoresNothing(String body) {
    ApiResponse response = post("/api/put?details", body);
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.body())
        .contains("Unable to parse the given JSON", "(line 1, column ")
        .doesNotContain("Source");
    assertThat(get("/api/query?start=1500000000&end=1500009999&m=sum:m").body())
        .contains("No such name for 'metrics': 'm'");
  }

  /** Of a known series and a new one, in a body that is scanned and one that is parsed. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "1e-400",
        "\"1e-400\"",
        "-1e-400",
        "\"-1E-400\"",
        "0.0000001e-399",
        "\"0xa.0p-2000\"",
        "2.4e-324",
        "\"2.4e-324\""
      })
  void aDecimalTooCloseToZeroIsRefusedUnlessItMayVanish(String value) {
    String small = POINT.replace("1200,", "1201,").replace(":1,", ":" + value + ",");
    String scanned = "[" + POINT + "," + small + "," + small.replace("host", "dc") + "]";
    String parsed = scanned.replace("\"value\"", "\"more\":0,\"value\"");
    String error = "\"a\"}},\"error\":\"Unable to parse value to a number\"}";
    String query = "/api/query?start=1500000000&end=1500009999&m=none:m";
    for (String body : List.of(scanned, parsed)) {
      assertThat(post("/api/put?details", body).body())
          .startsWith("{\"success\":1,\"failed\":2,")
          .contains("{\"host\":" + error, "{\"dc\":" + error);
      assertThat(get(query).body()).containsOnlyOnce("\"dps\":").contains("{\"1500001200\":1}");
    }

    db.close();
    db = Tsdb.over(store, db.engine().options().with(Settings.STRICT, "points"));
    api = new Api(db);
    String zero = "\"1500001201\":" + (value.contains("-1") ? "-0.0" : "0.0") + "}";
    for (String body : List.of(scanned, parsed)) {
      assertThat(post("/api/put", body).status()).isEqualTo(204);
      assertThat(get(query).body())
          .contains("\"dps\":{\"1500001200\":1," + zero, "\"dps\":{" + zero);
    }
  }

  @Test
  void pointsComeBackByEitherFormOfAQuery() {
    post("/api/put", POINT);
    String response =
        "[{\"metric\":\"m\",\"tags\":{\"host\":\"a\"},\"aggregateTags\":[],"
            + "\"tsuids\":[\"000001000001000001\"],\"dps\":{\"1500001200000\":1}}]";
    String range = "start=1500000000&end=1500009999";
    assertThat(get("/api/query?" + range + "&m=sum:m{host=*}&ms&show_tsuids").body())
        .isEqualTo(response);
    assertThat(
            post(
                    "/api/query",
                    "{\"start\":1500000000,\"end\":1500009999,\"msResolution\":true,"
                        + "\"showTSUIDs\":true,\"queries\":[{\"aggregator\":\"sum\","
                        + "\"metric\":\"m\",\"filters\":[{\"type\":\"wildcard\","
                        + "\"tagk\":\"host\",\"filter\":\"*\",\"groupBy\":true}]}]}")
                .body())
        .isEqualTo(response);
    assertThat(get("/api/query?" + range + "&m=sum:m&m=sum:m").body())
        .describedAs("a query that stands twice is answered once")
        .isEqualTo(get("/api/query?" + range + "&m=sum:m").body());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|Missing start time",
        "{\"start\":1}|Missing queries",
        "{\"start\":1,\"queries\":[{\"metric\":\"m\"}]}|Missing the aggregation function",
        "{\"start\":1,\"queries\":[{\"aggregator\":\"sum\"}]}|Missing the metric or tsuids",
        "{\"start\":1,\"queries\":[{\"aggregator\":\"x\",\"metric\":\"m\"}]}|No such aggregation",
        "{\"start\":9,\"end\":8,\"queries\":[{\"aggregator\":\"sum\",\"metric\":\"m\"}]}|End time",
        "{\"start\":1,\"delete\":true}|Deleting data is not enabled",
        "[]|Unable to parse the given JSON"
      })
  void aQueryThatIsWrongIsAnsweredByWhatIsWrong(String body, String message) {
    ApiResponse response = post("/api/query", body);
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.body()).contains(message);
  }

  @Test
  void aForeseenFailureHasTheStatusOfItsCategory() {
    STATUSES.forEach(
        (failure, status) -> {
          store.injected = failure;
          assertThat(get("/api/suggest?type=metrics"))
              .isEqualTo(
                  new ApiResponse(
                      status, "{\"error\":{\"code\":" + status + ",\"message\":\"why\"}}"));
        });
    assertThat(STATUSES.keySet().stream().flatMap(ApiTest::category)).contains(Category.values());
  }

  private static Stream<Category> category(RuntimeException failure) {
    return failure instanceof TsdbException ours ? Stream.of(ours.category()) : Stream.of();
  }

  @Test
  void aFaultOfTheServerIsNotBlamedOnTheClient() {
    post("/api/put", POINT);
    String query = "/api/query?start=1500000000&end=1500009999&m=sum:m";
    assertThat(get(query).status()).isEqualTo(200);
    RuntimeException fault = new IllegalArgumentException("offset of 4000 s");
    store.injected = fault;

    for (String uri : List.of("/api/suggest?type=metrics", query)) {
      ApiResponse response = get(uri);
      assertThat(response.status()).isEqualTo(500);
      assertThat(response.body())
          .contains("Internal error")
          .doesNotContain("offset", "Illegal", "org.hourstone");
    }
    assertThat(Failures.reply("put", fault)).startsWith("put: internal error: ");
    assertThat(Failures.ofPoint(fault)).isEqualTo("Unexpected exception");
  }
}
