package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.Api;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.opentsdb.OpenTsdbProcess;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionScope;

/** Asks our engine and OpenTSDB the same questions over the same tables, up to the JSON. */
final class HBaseQueries {
  private static final int FLUSH_SECONDS = 600;

  private final Api api;
  private final HttpConnection peer;

  private record Asked(double ours, double peers) {}

  private HBaseQueries(Tsdb db, HttpConnection peer) {
    this.api = new Api(db);
    this.peer = peer;
  }

  static void run(
      Arguments arguments,
      HBaseSubject subject,
      KeyValueStore store,
      WorkDirectory work,
      PrintStream out)
      throws IOException {
    DevopsWorkload workload = DevopsWorkload.of(arguments);
    TelnetLines lines = HBaseBench.lines(0, arguments, work, new AtomicLong());
    Map<PeerQuestion, String> rows = new EnumMap<>(PeerQuestion.class);
    for (boolean compacted : new boolean[] {false, true}) {
      String table = "query-" + (compacted ? "compacted" : "single");
      TsdbOptions options =
          lines
              .clocked((compacted ? Form.PACKS : Form.SINGLE).options(FLUSH_SECONDS))
              .with(Settings.DATA_TABLE, table);
      try (Tsdb db = Tsdb.over(store, options)) {
        lines.write(db);
      }
      try (Tsdb db = Tsdb.over(store, Form.SINGLE.options().with(Settings.DATA_TABLE, table));
          OpenTsdbProcess opentsdb = OpenTsdbRoute.start(subject.hbase().uri(), table, false);
          HttpConnection peer = new HttpConnection(opentsdb.address().getPort())) {
        if (compacted) {
          db.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
        }
        subject.settle(table);
        new HBaseQueries(db, peer).measure(arguments, rows);
      }
    }
    out.printf("%nQueries, %d points; ms, median (min–max)%n%n", workload.points());
    Table table =
        new Table(
            out,
            "|returned|cells: OpenTSDB|ours|OpenTSDB / ours|compacted: OpenTSDB|ours|"
                + "OpenTSDB / ours");
    rows.forEach((question, cells) -> table.row(question.title(), cells));
  }

  /** Asks each question, and adds the figures to its row. */
  private void measure(Arguments arguments, Map<PeerQuestion, String> rows) throws IOException {
    for (PeerQuestion question : PeerQuestion.values()) {
      String uri = question.uri(DevopsWorkload.of(arguments).seconds());
      String returned = returned(ours(uri));
      String peers = returned(peers(uri));
      if (!returned.equals(peers)) {
        throw new IllegalStateException(
            question.title() + ": " + returned + ", by OpenTSDB " + peers);
      }
      List<Asked> asked = new ArrayList<>();
      for (int i = -arguments.number("warmup"); i < arguments.number("rounds"); i++) {
        Asked one =
            new Asked(
                Meter.measure(() -> ours(uri)).seconds(),
                Meter.measure(() -> peers(uri)).seconds());
        if (i >= 0) {
          asked.add(one);
        }
      }
      String figures =
          String.join(
              " | ",
              Spread.of(asked, one -> one.peers() * 1000).text(1),
              Spread.of(asked, one -> one.ours() * 1000).text(1),
              Spread.of(asked, one -> one.peers() / one.ours()).text(2));
      rows.merge(question, returned + " | " + figures, (before, all) -> before + " | " + figures);
    }
  }

  private byte[] ours(String uri) {
    ApiResponse answer = api.respond(ApiCall.of("GET", uri, ""));
    if (answer.status() != 200) {
      throw new IllegalStateException(answer.body());
    }
    return answer.body().getBytes(UTF_8);
  }

  private byte[] peers(String uri) throws IOException {
    return peer.ask(HttpConnection.get(uri));
  }

  private static String returned(byte[] body) throws IOException {
    int series = 0;
    int points = 0;
    for (JsonNode one : Peer.json(body)) {
      series++;
      points += one.path("dps").size();
    }
    return series + " series, " + points + " points";
  }
}
