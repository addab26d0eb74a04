package org.hourstone.kv.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.Api;
import org.hourstone.api.ApiAnswer;
import org.hourstone.api.ApiCall;
import org.hourstone.api.Disconnection;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreOptions;
import org.hourstone.kv.memory.MemoryStore.Promises;
import org.hourstone.testkit.ManualClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RunningQueriesApiTest {
  private static final Instant START = Instant.ofEpochSecond(1_500_001_200);
  private static final String QUERY = "/api/query?start=1500001200&end=1500004800&m=sum:m";

  private final CountDownLatch reading = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private final KeyValueStore store =
      MemoryStore.open(
          new StoreOptions(new ManualClock(Instant.parse("2018-01-01T00:00:00Z"))), Promises.FULL);
  private volatile boolean outOfMemory;
  private final Tsdb db =
      Tsdb.over(
          new ForwardingStore(store) {
            @Override
            public RowCursor scan(Family family, Scan scan) {
              RowCursor rows = super.scan(family, scan);
              if (family.equals(TsdbOptions.defaults().tables().points())) {
                reading.countDown();
                awaitRelease();
                if (outOfMemory) {
                  rows.close();
                  throw new OutOfMemoryError("as if");
                }
              }
              return rows;
            }
          },
          TsdbOptions.defaults()
              .with(Settings.INDEX_ENABLE, "false")
              .with(Settings.SALT_CHECK, "false")); // it reads when the database is opened
  private final Api api = new Api(db);
  private final ExecutorService client = Executors.newSingleThreadExecutor();

  private void awaitRelease() {
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
    assertThat(api.answer(ApiCall.of("GET", "/api/query/running", "")).body()).isEqualTo("[]");
    Future<ApiAnswer> answer = client.submit(() -> api.answer(ApiCall.of("GET", QUERY, "")));
    reading.await();
    String list = api.answer(ApiCall.of("GET", "/api/query/running", "")).body();
    Matcher id = Pattern.compile("\"id\":(\\d+),\"query\":\"sum:m\"").matcher(list);
    assertThat(id.find()).as(list).isTrue();
    ApiCall end = ApiCall.of("DELETE", "/api/query/running?id=" + id.group(1), "");
    assertThat(api.answer(end).status()).isEqualTo(204);
    released.countDown();
    assertThat(answer.get().status()).isEqualTo(503);
    assertThat(answer.get().body()).contains("ended by /api/query/running");
    assertThat(api.answer(end).status()).isEqualTo(404);
    assertThat(api.answer(ApiCall.of("DELETE", "/api/query/running?id=x", "")).status())
        .isEqualTo(400);
    assertThat(api.answer(ApiCall.of("DELETE", "/api/query/running", "")).status()).isEqualTo(400);
    assertThat(api.answer(ApiCall.of("PUT", "/api/query/running", "")).status()).isEqualTo(405);
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
      ApiAnswer answer = api.answer(ApiCall.of("GET", uri, "", gone));
      assertThat(answer.toString()).as(uri).startsWith("503 ").contains("its client has gone");
    }
    assertThat(db.runningQueries().list()).isEmpty();
  }

  @Test
  void aRequestForWhichMemoryRunsOutHasAnErrorAndHoldsNothing() {
    released.countDown();
    outOfMemory = true;
    assertThat(api.answer(ApiCall.of("GET", QUERY, "")).toString())
        .startsWith("503 ")
        .contains("out of memory");
    assertThat(db.runningQueries().list()).isEmpty();
    assertThat(db.runningQueries().heldBytes()).isZero();
    outOfMemory = false;
    assertThat(api.answer(ApiCall.of("GET", QUERY, "")).status()).isEqualTo(200);
  }

  @Test
  void theQueriesOfAClientThatGoesAwayEnd() throws Exception {
    Disconnection gone = new Disconnection();
    Future<ApiAnswer> answer = client.submit(() -> api.answer(ApiCall.of("GET", QUERY, "", gone)));
    reading.await();
    ExecutorService transport = Executors.newSingleThreadExecutor();
    try {
      Future<?> told = transport.submit(gone::gone);
      released.countDown();
      told.get();
    } finally {
      transport.shutdown();
    }
    // It may just have been answered; but it holds nothing any more.
    assertThat(answer.get().status()).isIn(200, 503);
    answer.get().close();
    assertThat(db.runningQueries().list()).isEmpty();
    assertThat(db.runningQueries().heldBytes()).isZero();
    assertThat(api.answer(ApiCall.of("GET", QUERY, "", gone)).status()).isEqualTo(503);
  }
}
