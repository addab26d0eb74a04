package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
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
  private static final String FIRST_HOST = "host_0";
  private static final int FLUSH_SECONDS = 600;

  private final Api api;
  private final HttpConnection peer;

  /**
   * @param hours how many from the start on
   * @param expression the query of each metric, {@code %s} in the place of its name
   */
  private record Question(String name, double hours, String expression, int metrics) {}

  private record Asked(double ours, double peers) {}

  private HBaseQueries(Tsdb db, HttpConnection peer) {
    this.api = new Api(db);
    this.peer = peer;
  }

  private static List<Question> questions(double hours) {
    String host = "{host=" + FIRST_HOST + "}";
    return List.of(
        new Question("one series, 1 h, raw", 1, "sum:%s" + host, 1),
        new Question("one series, all, raw", hours, "sum:%s" + host, 1),
        new Question("one series, all, 5m-avg", hours, "sum:5m-avg:%s" + host, 1),
        new Question("a metric, 1 h, raw sum", 1, "sum:%s", 1),
        new Question("a metric, all, 5m-avg by host", hours, "sum:5m-avg:%s{host=*}", 1),
        new Question("a metric, all, 5m-avg sum", hours, "sum:5m-avg:%s", 1),
        new Question("ten metrics, 1 h, 1m-avg sum of each", 1, "sum:1m-avg:%s", 10),
        new Question("ten metrics, all, 1h-avg by host", hours, "sum:1h-avg:%s{host=*}", 10));
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
    Map<Question, String> rows = new LinkedHashMap<>();
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
        HBaseTables.settle(subject.client(), TableName.valueOf(table));
        new HBaseQueries(db, peer).measure(arguments, rows);
      }
    }
    out.printf("%nQueries, %d points; ms, median (min–max)%n%n", workload.points());
    out.println(
        "| | returned | cells: OpenTSDB | ours | OpenTSDB / ours"
            + " | compacted: OpenTSDB | ours | OpenTSDB / ours |");
    out.println("|---|---|---|---|---|---|---|---|");
    rows.forEach((question, cells) -> out.printf("| %s | %s |%n", question.name(), cells));
  }

  /** Asks each question, and adds the figures to its row. */
  private void measure(Arguments arguments, Map<Question, String> rows) throws IOException {
    for (Question question : questions(arguments.decimal("hours"))) {
      String returned = returned(ours(question));
      String peers = returned(peers(question));
      if (!returned.equals(peers)) {
        throw new IllegalStateException(
            question.name() + ": " + returned + ", by OpenTSDB " + peers);
      }
      List<Asked> asked = new ArrayList<>();
      for (int i = -arguments.number("warmup"); i < arguments.number("rounds"); i++) {
        Asked one =
            new Asked(
                Meter.measure(() -> ours(question)).seconds(),
                Meter.measure(() -> peers(question)).seconds());
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

  private long end(Question question) {
    return DevopsWorkload.START + (long) (question.hours() * 3600) - 1;
  }

  private String request(Question question) {
    StringBuilder request =
        new StringBuilder("/api/query?start=" + DevopsWorkload.START + "&end=" + end(question));
    for (String metric : metrics(question)) {
      String expression = String.format(question.expression(), metric);
      request.append("&m=").append(URLEncoder.encode(expression, UTF_8));
    }
    return request.toString();
  }

  private static List<String> metrics(Question question) {
    return DevopsWorkload.METRICS.subList(0, question.metrics());
  }

  private byte[] ours(Question question) {
    ApiResponse answer = api.respond(ApiCall.of("GET", request(question), ""));
    if (answer.status() != 200) {
      throw new IllegalStateException(answer.body());
    }
    return answer.body().getBytes(UTF_8);
  }

  private byte[] peers(Question question) throws IOException {
    return peer.ask(HttpConnection.get(request(question)));
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
