package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.JobCommands;
import org.hourstone.api.request.Plotter;
import org.hourstone.api.request.Refusals;
import org.hourstone.api.request.ServerInfo;
import org.hourstone.api.status.Jobs;
import org.hourstone.kv.DiskUsage;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.testkit.LoggedBy;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ActingStore;
import org.hourstone.testkit.store.ModelStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * While the store fails, or its disk is nearly full, no response says that the request was wrong,
 * whatever it would have done.
 */
class StoreOutageTest {
  private static final List<Integer> DELETED = List.of(200, 204);
  private static final List<Integer> REFUSED = List.of(503);
  private static final String SERIES = "000001000001000001";

  private record Request(String method, String uri, String body) {
    ApiCall call() {
      return ApiCall.of(method, uri, body.replace('\'', '"'));
    }

    @Override
    public String toString() {
      return method + " " + uri;
    }
  }

  /** Throws at reads, or at changes, once that is set. Its disk has 1000 bytes. */
  private static final class Failing extends ActingStore implements DiskUsage {
    private @Nullable StoreException ofReads;
    private @Nullable StoreException ofChanges;
    private volatile long free = 500;

    Failing(KeyValueStore delegate) {
      super(delegate);
    }

    @Override
    public <T> Optional<T> extension(Class<T> type) {
      return type == DiskUsage.class ? Optional.of(type.cast(this)) : super.extension(type);
    }

    @Override
    public long bytes() {
      return 1000 - free;
    }

    @Override
    public Space space() {
      return new Space(free, 1000);
    }

    @Override
    protected void beforeRead(Family family) {
      check(ofReads);
    }

    @Override
    protected void beforeChange(Family family) {
      check(ofChanges);
    }

    private static void check(@Nullable StoreException failure) {
      if (failure != null) {
        throw failure;
      }
    }
  }

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_500_001_400));
  private final Refusals refusals = new Refusals();
  private final Failing store = new Failing(new ModelStore(clock));
  private Tsdb db;
  private Api api;

  @BeforeEach
  void open() {
    open(TsdbOptions.defaults());
    fill();
  }

  private void open(TsdbOptions options) {
    db =
        Tsdb.over(
            store,
            options
                .with(Settings.COMPACTION_BACKGROUND, "false")
                .with(Settings.AUTO_CREATE_METRICS, "true")
                .with(Settings.HEAD, "false")
                .with(Settings.DISK_RESERVE, "100")
                .withClock(clock));
    api =
        new Api(
            db, ServerInfo.none(), Plotter.none(), refusals, new Jobs(clock), JobCommands.none());
  }

  private void fill() {
    db.putLine("put m 1500001200 1 host=a").join();
    respond(new Request("POST", "/api/annotation", "{'startTime':9,'notes':'n'}")).close();
    respond(new Request("POST", "/api/tree", "{'name':'t'}")).close();
    respond(new Request("POST", "/api/tree/rule", "{'treeId':1,'type':'METRIC'}")).close();
    db.dropCaches();
  }

  @AfterEach
  void close() {
    store.ofReads = null;
    store.ofChanges = null;
    db.close();
    store.close();
  }

  private ApiResponse respond(Request request) {
    return api.respond(request.call());
  }

  static Collection<Request> changes() {
    return List.of(
        new Request("POST", "/api/put", "{'metric':'m','timestamp':7,'value':1,'tags':{'a':'b'}}"),
        new Request("POST", "/api/uid/assign", "{'metric':['other','another'],'tagk':['k']}"),
        new Request("GET", "/api/uid/assign?metric=third", ""),
        new Request("POST", "/api/uid/rename", "{'metric':'m','name':'renamed'}"),
        new Request("GET", "/api/uid/rename?tagk=host&name=renamed", ""),
        new Request("POST", "/api/uid/uidmeta", "{'type':'metric','uid':'000001','notes':'n'}"),
        new Request("PUT", "/api/uid/uidmeta", "{'type':'metric','uid':'000001','notes':'o'}"),
        new Request("DELETE", "/api/uid/uidmeta", "{'type':'metric','uid':'000001'}"),
        new Request("POST", "/api/uid/tsmeta?create=true&m=m{host=a}", "{'notes':'n'}"),
        new Request("PUT", "/api/uid/tsmeta?create=true&m=m{host=a}", "{'notes':'o'}"),
        new Request("DELETE", "/api/uid/tsmeta", "{'tsuid':'" + SERIES + "'}"),
        new Request("POST", "/api/annotation", "{'startTime':7,'notes':'n'}"),
        new Request("PUT", "/api/annotation", "{'startTime':7,'notes':'o'}"),
        new Request("DELETE", "/api/annotation?start_time=9", ""),
        new Request("POST", "/api/annotation/bulk", "[{'startTime':7,'notes':'b'}]"),
        new Request("PUT", "/api/annotation/bulk", "[{'startTime':7,'notes':'b'}]"),
        new Request("DELETE", "/api/annotation/bulk?global&start_time=7", ""),
        new Request("POST", "/api/tree", "{'name':'u'}"),
        new Request("PUT", "/api/tree", "{'treeId':1,'name':'u'}"),
        new Request("POST", "/api/tree/rule", "{'treeId':1,'type':'METRIC','notes':'n'}"),
        new Request("POST", "/api/tree/rules", "[{'treeId':1,'type':'METRIC','notes':'r'}]"),
        new Request("DELETE", "/api/tree/rule?treeid=1&level=0&order=0", ""),
        new Request("DELETE", "/api/tree/rules?treeid=1", ""),
        new Request("DELETE", "/api/tree?treeid=1&definition=true", ""));
  }

  static Stream<Request> all() {
    String range = "start=1500001200&end=1500001300";
    return Stream.concat(
        changes().stream(),
        Stream.of(
            new Request("GET", "/api/query?m=sum:m&" + range, ""),
            new Request("GET", "/api/query/gexp?exp=scale(sum:m,2)&" + range, ""),
            new Request("GET", "/api/query/last?timeseries=m&back_scan=1", ""),
            new Request("GET", "/api/suggest?type=metrics", ""),
            new Request("GET", "/api/search/lookup?m=m", ""),
            new Request("GET", "/api/annotation?start_time=9", ""),
            new Request("GET", "/api/annotations?start_time=7", ""),
            new Request("GET", "/api/tree?treeid=1", ""),
            new Request("GET", "/api/tree/branch?treeid=1", ""),
            new Request("GET", "/api/tree/test?treeid=1&tsuids=" + SERIES, ""),
            new Request("GET", "/api/uid/uidmeta?type=metric&uid=000001", ""),
            new Request("GET", "/api/uid/tsmeta?tsuid=" + SERIES, "")));
  }

  private long refused(String reason) {
    return refusals.statistics().stream()
        .filter(each -> each.tags().equals(Map.of("type", reason)))
        .mapToLong(ServerInfo.Statistic::value)
        .sum();
  }

  private static StoreException failure() {
    return new StoreException(Outcome.REJECTED, "no server"); // which is not repeated for seconds
  }

  @ParameterizedTest
  @MethodSource("changes")
  void aChangeThatTheStoreDoesNotTakeMayBeSentAgain(Request request) {
    store.ofChanges = failure();
    try (LoggedBy log = LoggedBy.thisThread("org.hourstone.refused");
        ApiResponse response = respond(request)) {
      assertThat(response.status()).as(response.body()).isEqualTo(503);
      assertThat(refused("hbase_errors")).isOne();
      assertThat(log.messages()).hasSize(1);
      assertThat(log.messages().get(0)).contains("refused (hbase_errors): ", "no server");
    }
    store.ofChanges = null;
    assertThat(respond(request).status()).isIn(200, 204, 304);
  }

  @ParameterizedTest
  @MethodSource("all")
  void aRequestThatNeedsTheStoreMayBeSentAgain(Request request) {
    store.ofReads = failure();
    store.ofChanges = failure();
    try (ApiResponse response = respond(request)) {
      assertThat(response.status()).as(response.body()).isEqualTo(503);
    }
  }

  @ParameterizedTest
  @MethodSource("changes")
  void onADiskThatIsNearlyFullOnlyDeletionsAreExecuted(Request request) {
    db.close();
    store.free = 50;
    open(TsdbOptions.defaults());
    boolean deletes = request.method().equals("DELETE");
    try (LoggedBy log = LoggedBy.thisThread("org.hourstone.refused");
        ApiResponse response = respond(request)) {
      assertThat(response.status()).as(response.body()).isIn(deletes ? DELETED : REFUSED);
      assertThat(refused("disk_reserve")).isEqualTo(deletes ? 0 : 1);
      assertThat(String.join("", log.messages())).contains(deletes ? "" : "nearly full");
    }
  }

  /** Telegraf and influxdb-java drop lines by these words in a response, whatever its status. */
  @ParameterizedTest
  @ValueSource(strings = {"/write", "/api/v2/write"})
  void influxLinesThatTheStoreDoesNotTakeAreSentAgain(String uri) {
    store.ofChanges = failure();
    Request lines = new Request("POST", uri, "m,host=a f=x\nm,host=a f=1 1500001200000000000");
    try (ApiResponse response = respond(lines)) {
      assertThat(response.status()).isEqualTo(503);
      assertThat(response.body())
          .contains("line 1: ", "line 2: ", "no server")
          .doesNotContainIgnoringCase("partial write")
          .doesNotContain("unable to parse", "not found", "retention policy", "hinted handoff");
    }
  }

  @Test
  void aLineOfTelnetHasTheReason() {
    store.ofChanges = failure();
    Telnet telnet = new Telnet(db, ServerInfo.none(), refusals);
    for (String line : List.of("put m 7 1 host=a", "put other 7 1 host=a")) {
      assertThat(telnet.respond(line).join()).isEqualTo("put: storage error: no server\n");
    }
    assertThat(refused("hbase_errors")).isEqualTo(2);
  }

  @Test
  void inStrictModeTheStatusIsThatOfOpenTsdb() {
    db.close();
    open(TsdbOptions.openTsdbDefaults());
    fill();
    store.ofReads = failure();
    store.ofChanges = failure();
    for (Request request :
        List.of(
            new Request("POST", "/api/annotation", "{'startTime':7,'notes':'n'}"),
            new Request("POST", "/api/annotation/bulk", "[{'startTime':7,'notes':'n'}]"),
            new Request("POST", "/api/uid/assign", "{'metric':['other']}"),
            new Request("GET", "/api/suggest?type=metrics", ""))) {
      assertThat(respond(request).status()).isEqualTo(424);
    }
  }
}
