package org.hourstone.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.hourstone.DaemonSettings;
import org.hourstone.MemorySettings;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.Build;
import org.hourstone.api.request.Plotter;
import org.hourstone.api.request.RefusalReason;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.tree.TreeDefinition;
import org.hourstone.uid.UidKind;

/** A server in a state in which it refuses good requests for one reason, and who watches it. */
final class RefusingServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String TOKEN = "X-Access-Token: token-of-the-admin\r\n";
  private static final Instant TIME = Instant.ofEpochSecond(1_499_990_000);

  private static final String ROLLUPS =
      "{\"aggregationIds\":{\"sum\":0,\"count\":1},\"intervals\":["
          + "{\"table\":\"tsdb\",\"preAggregationTable\":\"tsdb\",\"interval\":\"1m\","
          + "\"rowSpan\":\"1h\",\"defaultInterval\":true},"
          + "{\"table\":\"rollup-1h\",\"preAggregationTable\":\"rollup-1h\",\"interval\":\"1h\","
          + "\"rowSpan\":\"1d\"}]}";

  private final TroubledStore store;
  private final Served served;

  /** The first connection: none more is accepted by a server that permits one. */
  private final Client admin;

  private RefusingServer(TroubledStore store, Served served) throws IOException {
    this.store = store;
    this.served = served;
    this.admin = served.connect();
  }

  static RefusingServer start(RefusalReason reason, Path directory) throws IOException {
    TsdbOptions options = options(directory);
    switch (reason) {
      case UNKNOWN_METRICS -> options = options.with(Settings.AUTO_CREATE_METRICS, "false");
      case SERIES_LIMIT -> options = options.with(Settings.MAX_SERIES, "1");
      case FAILED_LOGINS -> options = options.with(DaemonSettings.AUTHENTICATION, "true");
      default -> {}
    }
    RefusingServer server = start(options, reason == RefusalReason.OVERLOADS ? 1 : 100);
    if (reason != RefusalReason.UNKNOWN_METRICS && reason != RefusalReason.SERIES_LIMIT) {
      server.put("mmm");
      server.put("mmm.f");
    }
    switch (reason) {
      case SERIES_LIMIT -> server.put("mmm.old");
      case DISK_RESERVE -> server.fillDisk();
      case HBASE_ERRORS ->
          server.store.before =
              () -> {
                throw new StoreException(Outcome.REJECTED, "full");
              };
      case INTERNAL_ERRORS ->
          server.store.before =
              () -> {
                throw new IllegalStateException("broken");
              };
      default -> {}
    }
    return server;
  }

  /** Each call of its store takes some milliseconds. */
  static RefusingServer slow(Path directory) throws IOException {
    RefusingServer server = start(options(directory).with(QuerySettings.QUERY_SLOW, "1"), 100);
    server.put("mmm");
    server.store.before =
        () -> {
          long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(3);
          while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
          }
        };
    return server;
  }

  private static TsdbOptions options(Path directory) throws IOException {
    Path accounts = directory.resolve("accounts");
    Files.writeString(accounts, Accounts.tokenLine("admin", "read,admin", "token-of-the-admin"));
    return TsdbOptions.defaults()
        .withClock(TroubledStore.CLOCK)
        .with(Settings.AUTO_CREATE_METRICS, "true")
        .with(Settings.HEAD, "false")
        .with(Settings.FLUSH_INTERVAL, "0")
        .with(Settings.CREATE_TABLES, "true")
        .with(Settings.DISK_RESERVE, "100")
        .with(Settings.ROLLUPS_ENABLE, "true")
        .with(Settings.ROLLUPS_CONFIG, ROLLUPS)
        .with(Settings.HISTOGRAMS_CONFIG, "{\"net.opentsdb.core.SimpleHistogramDecoder\":42}")
        .with(MemorySettings.WRITE_ATTEMPTS, "1")
        .with(DaemonSettings.ACCOUNTS, accounts.toString());
  }

  private static RefusingServer start(TsdbOptions options, int connections) throws IOException {
    TroubledStore store = new TroubledStore();
    Tsdb db = Tsdb.over(store, options);
    db.uids().assign(UidKind.METRIC, "mmm.old");
    db.uids().assign(UidKind.TAGK, "h");
    db.uids().assign(UidKind.TAGV, "a");
    db.trees().create(TreeDefinition.named("t"));
    ServerOptions usual = ServerTest.options(InetAddress.getLoopbackAddress());
    ServerOptions limits =
        new ServerOptions(
            usual.address(),
            connections,
            usual.bodies(),
            usual.maxLine(),
            usual.requests(),
            usual.patience());
    Server server = Server.start(db, Build.of("1.2.3"), limits, Plotter.none());
    return new RefusingServer(store, new Served(db, server));
  }

  private void put(String metric) {
    served.db().put(metric, TIME, 1, Tags.of("h", "a")).join();
  }

  private void fillDisk() throws IOException {
    store.free = 99;
    while (get("/readyz").status() != 503) {
      Thread.onSpinWait();
    }
  }

  private Client.Response get(String uri) throws IOException {
    admin.sendRequest("GET", uri, TOKEN, new byte[0]);
    return admin.response();
  }

  /** The statistics, by name and type. */
  Map<String, Long> counters() throws IOException {
    Map<String, Long> counters = new TreeMap<>();
    for (JsonNode each : JSON.readTree(get("/api/stats").body())) {
      String name = each.path("metric").asText() + " " + each.path("tags").path("type").asText();
      counters.put(name, (long) Double.parseDouble(each.path("value").asText()));
    }
    return counters;
  }

  /** The lines of the log with a text, the newest first. */
  List<String> logged(String text) throws IOException {
    List<String> lines = new ArrayList<>();
    for (JsonNode each : JSON.readTree(get("/logs?json").body())) {
      if (each.asText().contains(text)) {
        lines.add(each.asText());
      }
    }
    return lines;
  }

  /** Sends a request without an account; returns the response, as far as there is one. */
  String send(RefusingDoor door, byte[] request) throws IOException {
    try (Client client = served.connect()) {
      client.send(request);
      if (door.isTelnet()) {
        client.endOfInput();
      }
      return client.rest();
    }
  }

  @Override
  public void close() throws IOException {
    store.before = () -> {};
    admin.close();
    served.close();
    store.close();
  }
}
