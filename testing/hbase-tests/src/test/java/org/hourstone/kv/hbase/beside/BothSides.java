package org.hourstone.kv.hbase.beside;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.Api;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.hbase.HBaseProcess;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.opentsdb.OpenTsdbProcess;

/** An OpenTSDB and a database of ours over the same tables, which we have made. */
final class BothSides implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Small and soon warm: there may be several beside an HBase. */
  private static final String[] JVM = {"-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"};

  /** OpenTSDB hands what it has taken to HBase, and compacts, without much delay. */
  private static final Map<String, String> PROMPT =
      Map.of(
          "hbase.rpcs.buffered_flush_interval", "20",
          "tsd.storage.compaction.flush_interval", "1",
          "tsd.storage.compaction.min_flush_threshold", "1");

  private final KeyValueStore store;
  private final TsdbOptions options;
  private final Tsdb tsdb;
  private final Api api;
  private final OpenTsdbProcess theirs;
  private final HttpClient http = HttpClient.newHttpClient();

  private BothSides(KeyValueStore store, TsdbOptions options, OpenTsdbProcess theirs, Tsdb tsdb) {
    this.store = store;
    this.options = options;
    this.theirs = theirs;
    this.tsdb = tsdb;
    this.api = new Api(tsdb);
  }

  /**
   * Both over new tables, whose names have a prefix, also in settings.
   *
   * @param shared settings of both
   * @param ours settings of ours alone
   */
  static BothSides open(Map<Setting<?>, String> shared, Map<Setting<?>, String> ours) {
    String prefix = "b" + UUID.randomUUID().toString().substring(0, 8) + "_";
    TsdbOptions options =
        TsdbOptions.defaults()
            .with(Settings.COMPACTION_QUIET, "0")
            .with(Settings.COMPACTION_BACKGROUND, "false")
            .with(Settings.STRICT, "doubles,annotations") // how numbers look, and what a range has
            .with(Settings.CREATE_TABLES, "true");
    Map<String, String> peer = new TreeMap<>(PROMPT);
    for (Setting<String> table :
        List.of(
            Settings.DATA_TABLE, Settings.UID_TABLE, Settings.META_TABLE, Settings.TREE_TABLE)) {
      peer.put(table.key(), prefix + options.get(table));
    }
    for (Map.Entry<Setting<?>, String> setting : shared.entrySet()) {
      options = options.with(setting.getKey(), setting.getValue());
      peer.put(
          setting.getKey().key(), setting.getValue().replace("\"tsdb", "\"" + prefix + "tsdb"));
    }
    for (Map.Entry<Setting<?>, String> setting : ours.entrySet()) {
      options = options.with(setting.getKey(), setting.getValue());
    }
    KeyValueStore store = KeyValueStores.open(HBaseProcess.sharedUri() + "?prefix=" + prefix);
    Tsdb tsdb = Tsdb.over(store, options);
    return new BothSides(
        store, options, OpenTsdbProcess.start(HBaseProcess.sharedUri(), peer, JVM), tsdb);
  }

  Tsdb tsdb() {
    return tsdb;
  }

  /** Another database of ours over the same tables. */
  Tsdb oursWith(Setting<?> key, String value) {
    return Tsdb.over(store, options.with(key, value));
  }

  /** What we answer. */
  Answer ours(String method, String uri, String body) {
    return answer(api, ApiCall.of(method, uri, body));
  }

  /** What a database of ours over other tables answers to a GET. */
  static Answer answer(Tsdb other, String uri) {
    return answer(new Api(other), ApiCall.of("GET", uri, ""));
  }

  private static Answer answer(Api of, ApiCall call) {
    ApiResponse answer = of.respond(call);
    return Answer.of(answer.status(), answer.body());
  }

  /** What OpenTSDB answers. */
  Answer theirs(String method, String uri, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(theirs.http().resolve(uri))
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body))
            .timeout(PATIENCE)
            .build();
    try {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      return Answer.of(response.statusCode(), response.body());
    } catch (IOException e) {
      throw new UncheckedIOException(request + " failed; OpenTSDB's log:\n" + log(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Sends lines to OpenTSDB by telnet, and waits until it has read them; not until it wrote. */
  void telnet(List<String> lines) {
    String text = String.join("\n", lines) + "\nversion\nexit\n";
    try (Socket socket = new Socket(theirs.address().getAddress(), theirs.address().getPort());
        OutputStream out = socket.getOutputStream();
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))) {
      out.write(text.getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
      for (String reply = in.readLine(); reply != null; reply = in.readLine()) {
        if (reply.startsWith("put:")) {
          throw new AssertionError(reply);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The request for the points of a metric's series from one second up to another. */
  static String query(String expression, long start, long end) {
    return "/api/query?ms&show_tsuids&start="
        + start
        + "&end="
        + end
        + "&m="
        + URLEncoder.encode(expression, StandardCharsets.UTF_8);
  }

  private String log() {
    try {
      return theirs.log();
    } catch (IOException gone) {
      return gone.toString();
    }
  }

  @Override
  public void close() {
    try (store;
        theirs) {
      tsdb.close();
    }
  }
}
