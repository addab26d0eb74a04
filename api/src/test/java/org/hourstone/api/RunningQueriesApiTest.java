package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.query.RunningQuery;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RunningQueriesApiTest {
  private static final Instant START = Instant.ofEpochSecond(1_500_001_200);
  private static final String RANGE = "start=1500001200&end=1500004800";
  private static final String QUERY = "/api/query?" + RANGE + "&m=sum:m";

  /** A request for the points. */
  private enum Request {
    PLAIN("GET", QUERY, ""),
    EXP(
        "POST",
        "/api/query/exp",
        "{'time':{'start':'1500001200','end':'1500004800','aggregator':'sum'},"
            + "'metrics':[{'id':'x','metric':'m'}],'expressions':[{'id':'q','expr':'x + 1'}]}"),
    GEXP("GET", "/api/query/gexp?" + RANGE + "&exp=sum(sum:m,scale(sum:m,2))", "");

    private final String method;
    private final String uri;
    private final String body;

    Request(String method, String uri, String body) {
      this.method = method;
      this.uri = uri;
      this.body = body.replace('\'', '"');
    }

    ApiCall of(Disconnection client) {
      return ApiCall.of(method, uri, body, client);
    }
  }

  private final CountDownLatch reading = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private final KeyValueStore store =
      new ModelStore(new ManualClock(Instant.parse("2018-01-01T00:00:00Z")));
  private volatile boolean isHeldAtJoin;
  private volatile boolean outOfMemory;
  private final Tsdb db =
      Tsdb.over(
          new ForwardingStore(store) {
            @Override
            public RowCursor scan(Family family, Scan scan) {
              RowCursor rows = super.scan(family, scan);
              if (family.equals(TsdbOptions.defaults().tables().points()) && !isHeldAtJoin) {
                hold();
                if (outOfMemory) {
                  rows.close();
                  throw new OutOfMemoryError("as if");
                }
              }
              return rows;
            }

            /** Only the join of series finds the UID of a tag's value by its name. */
            @Override
            public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
              if (isHeldAtJoin && Arrays.equals(rows.get(0), new byte[] {'a'})) {
                hold();
              }
              return super.get(family, rows, columns);
            }
          },
          TsdbOptions.defaults()
              .with(Settings.INDEX_ENABLE, "false")
              .with(Settings.SALT_CHECK, "false")); // it reads when the database is opened
  private final Api api = new Api(db);
  private final ExecutorService client = Executors.newSingleThreadExecutor();

  private void hold() {
    reading.countDown();
    try {
      released.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @BeforeEach
  void write() {
    db.put("m", START, 1, Tags.of("host", "a")).join();
  }

  @AfterEach
  void close() {
    released.countDown();
    client.shutdownNow();
    db.close();
    store.close();
  }

  @Test
  void aQueryIsListedAndEndedByItsId() throws Exception {
    assertThat(api.respond(ApiCall.of("GET", "/api/query/running", "")).body()).isEqualTo("[]");
    Future<ApiResponse> response = client.submit(() -> api.respond(ApiCall.of("GET", QUERY, "")));
    reading.await();
    String list = api.respond(ApiCall.of("GET", "/api/query/running", "")).body();
    Matcher id = Pattern.compile("\"id\":(\\d+),\"query\":\"sum:m\"").matcher(list);
    assertThat(id.find()).as(list).isTrue();
    ApiCall end = ApiCall.of("DELETE", "/api/query/running?id=" + id.group(1), "");
    assertThat(api.respond(end).status()).isEqualTo(204);
    released.countDown();
    assertThat(response.get().status()).isEqualTo(503);
    assertThat(response.get().body()).contains("ended by /api/query/running");
    assertThat(api.respond(end).status()).isEqualTo(404);
    assertThat(api.respond(ApiCall.of("DELETE", "/api/query/running?id=x", "")).status())
        .isEqualTo(400);
    assertThat(api.respond(ApiCall.of("DELETE", "/api/query/running", "")).status()).isEqualTo(400);
    assertThat(api.respond(ApiCall.of("PUT", "/api/query/running", "")).status()).isEqualTo(405);
  }

  @Test
  void whatAClientThatHasGoneRequestedEnds() {
    released.countDown();
    Disconnection gone = new Disconnection();
    gone.gone();
    for (String uri :
        List.of(
            QUERY,
            QUERY + "&explain&explain_at=1500001200",
            "/api/search/lookup?m=m&use_meta=false",
            "/api/suggest?type=metrics",
            "/api/query/last?timeseries=m%7Bhost=a%7D&back_scan=1")) {
      ApiResponse response = api.respond(ApiCall.of("GET", uri, "", gone));
      assertThat(response.toString())
          .as(uri)
          .startsWith("503 ")
          .contains("its client has disconnected");
    }
    assertThat(db.runningQueries().list()).isEmpty();
  }

  @Test
  void aRequestForWhichMemoryRunsOutHasAnErrorAndHoldsNothing() {
    released.countDown();
    outOfMemory = true;
    assertThat(api.respond(ApiCall.of("GET", QUERY, "")).toString())
        .startsWith("503 ")
        .contains("out of memory");
    assertThat(db.runningQueries().list()).isEmpty();
    assertThat(db.runningQueries().memoryBytes()).isZero();
    outOfMemory = false;
    assertThat(api.respond(ApiCall.of("GET", QUERY, "")).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @EnumSource(Request.class)
  void theQueriesOfAClientThatGoesAwayEnd(Request request) throws Exception {
    assertEndsWithItsClient(request, 0);
  }

  @ParameterizedTest
  @EnumSource(names = {"EXP", "GEXP"})
  void theFormulasOfAClientThatGoesAwayEnd(Request request) throws Exception {
    db.dropCaches();
    isHeldAtJoin = true;
    assertEndsWithItsClient(request, 1);
  }

  /**
   * @param points how many are read when the client goes away
   */
  private void assertEndsWithItsClient(Request request, long points) throws Exception {
    Disconnection gone = new Disconnection();
    Future<ApiResponse> response = client.submit(() -> api.respond(request.of(gone)));
    assertThat(reading.await(1, TimeUnit.MINUTES)).isTrue();
    assertThat(db.runningQueries().list()).extracting(RunningQuery::points).containsExactly(points);
    gone.gone();
    released.countDown();
    assertThat(response.get().toString())
        .startsWith("503 ")
        .contains("its client has disconnected");
    assertThat(db.runningQueries().list()).isEmpty();
    assertThat(db.runningQueries().memoryBytes()).isZero();
    assertThat(api.respond(request.of(gone)).status()).isEqualTo(503);
  }
}
