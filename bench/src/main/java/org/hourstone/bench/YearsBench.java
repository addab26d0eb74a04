package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.hourstone.RollupSettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.bench.Meter.Cost;
import org.hourstone.kv.Family;
import org.hourstone.query.PointSource;
import org.hourstone.query.Query;
import org.hourstone.query.RollupUsage;
import org.hourstone.query.SeriesCursor;
import org.hourstone.rollup.OwnRollups;
import org.hourstone.rollup.RollupInterval;
import org.hourstone.write.SeriesPoints;
import org.hourstone.write.SeriesWriter;
import org.jspecify.annotations.Nullable;

/**
 * What rollups cost and save: many days of some series are written, rolled up, and queried with
 * rollups and without them, in turn; and VictoriaMetrics beside them, with the same points.
 */
final class YearsBench {
  static final Map<String, String> DEFAULTS =
      Arguments.defaults("series=100 days=365 step=60 intervals=10m,1h,1d rounds=5 peer= dir=");

  private static final int DAY = 86_400;
  private static final int WALK = 20;

  /**
   * A question.
   *
   * @param text of our query
   * @param peer VictoriaMetrics' query, with %s for the series and their window
   * @param window seconds
   */
  private record Asked(String text, String peer, int window) {}

  private static final List<Asked> QUESTIONS =
      List.of(
          new Asked("sum:1d-avg:sys.cpu{host=*}", "avg_over_time(%s)", DAY),
          new Asked("sum:1d-max:sys.cpu", "sum(max_over_time(%s))", DAY),
          new Asked("sum:1h-avg:sys.cpu", "sum(avg_over_time(%s))", 3600),
          new Asked("max:7d-count:sys.cpu{host=*}", "count_over_time(%s)", 7 * DAY));

  private final int series;
  private final int days;

  /** Seconds between points of a series. */
  private final int step;

  private final long start;

  private YearsBench(Arguments arguments) {
    this.series = arguments.number("series");
    this.days = arguments.number("days");
    this.step = arguments.number("step");
    long today = Instant.now().getEpochSecond() / DAY * DAY;
    this.start = today - (long) days * DAY;
  }

  static void run(Arguments arguments, PrintStream out) throws Exception {
    new YearsBench(arguments).measure(arguments, out);
  }

  private void measure(Arguments arguments, PrintStream out) throws Exception {
    WorkDirectory work = WorkDirectory.create(arguments.text("dir"));
    try (RocksDbPlace place = new RocksDbPlace(work, "")) {
      TsdbOptions options =
          TsdbOptions.defaults()
              .with(Settings.AUTO_CREATE_METRICS, "true")
              .with(RollupSettings.AUTO, arguments.text("intervals"));
      Cost writing;
      try (Tsdb db = place.open(options)) {
        writing = Meter.measure(() -> write(db));
        RocksDbPlace.settle(db.engine().store(), RocksDbPlace.POINTS);
      }
      double points = RocksDbPlace.tableBytes(work.path());
      Cost rolling;
      try (Tsdb db = place.open(options)) {
        OwnRollups rollups = db.ownRollups().orElseThrow();
        rolling = Meter.measure(() -> rollups.run(() -> false, done -> {}, rows -> {}));
        for (RollupInterval interval : rollups.plan().longestFirst()) {
          Family family = new Family(interval.table(), RocksDbPlace.POINTS.name());
          RocksDbPlace.settle(db.engine().store(), family);
        }
      }
      double ofRollups = RocksDbPlace.tableBytes(work.path()) - points;
      out.printf(
          Locale.ROOT,
          "%,d points; CPU of writing %.1f s, of rolling up %.1f s (%.2f of it); rollups take %.1f"
              + " %% of the bytes of the points%n%n",
          points(),
          writing.cpu(),
          rolling.cpu(),
          rolling.cpu() / writing.cpu(),
          100 * ofRollups / points);
      String program = arguments.text("peer");
      try (Tsdb db = place.open(options);
          WorkDirectory ofPeer = work.inner("peer");
          VictoriaMetrics peer =
              program.isEmpty() ? null : VictoriaMetrics.start(program, ofPeer.path())) {
        if (peer != null) {
          load(peer);
          out.printf(
              Locale.ROOT,
              "VictoriaMetrics takes %.1f %% of the bytes of the points%n%n",
              100 * peer.diskBytes() / points);
        }
        ask(db, peer, arguments.number("rounds"), out);
      }
    }
  }

  /** Takes an hour of a series. */
  private interface Hours {
    void add(int series, long from, int[] values) throws IOException;
  }

  /** Random walks, hour by hour, as import files are. */
  private void generate(Hours into) throws IOException {
    Random random = new Random(1);
    int[] last = random.ints(series, 0, 1000).toArray();
    int[] values = new int[3600 / step];
    for (int hour = 0; hour < days * 24; hour++) {
      for (int i = 0; i < series; i++) {
        for (int j = 0; j < values.length; j++) {
          last[i] += random.nextInt(WALK) - WALK / 2;
          values[j] = last[i];
        }
        into.add(i, start + hour * 3600L, values);
      }
    }
  }

  private void write(Tsdb db) throws IOException, InterruptedException {
    List<SeriesWriter> writers = new ArrayList<>(series);
    for (int i = 0; i < series; i++) {
      writers.add(db.writer().series("sys.cpu", Map.of("host", "web" + i)));
    }
    Stored stored = new Stored();
    SeriesPoints points = db.writer().seriesPoints(stored);
    generate(
        (i, from, values) -> {
          for (int j = 0; j < values.length; j++) {
            points.add(writers.get(i), from + (long) j * step, values[j], 0);
          }
          if (i == series - 1) {
            points.send();
          }
        });
    db.flush();
    stored.await(points());
  }

  private long points() {
    return (long) series * days * (DAY / step);
  }

  /** Has VictoriaMetrics import the same points, an hour of all series at a time. */
  private void load(VictoriaMetrics peer) throws IOException {
    StringBuilder lines = new StringBuilder();
    try (HttpConnection connection = new HttpConnection(peer.queryPort())) {
      generate(
          (i, from, values) -> {
            long[] millis = new long[values.length];
            Arrays.setAll(millis, j -> (from + (long) j * step) * 1000);
            lines
                .append("{\"metric\":{\"__name__\":\"sys.cpu\",\"host\":\"web")
                .append(i)
                .append("\"},\"values\":")
                .append(Arrays.toString(values))
                .append(",\"timestamps\":")
                .append(Arrays.toString(millis))
                .append("}\n");
            if (i == series - 1) {
              byte[] unused =
                  connection.ask(
                      HttpConnection.post(
                          "/api/v1/import",
                          "Content-Type: application/json",
                          lines.toString().getBytes(UTF_8)));
              lines.setLength(0);
            }
          });
    }
    peer.flush();
    peer.settle();
  }

  private void ask(Tsdb db, @Nullable VictoriaMetrics peer, int rounds, PrintStream out)
      throws IOException {
    Table table =
        new Table(
            out,
            "query of all days|points, CPU ms|rollups, CPU ms|points, × rollups"
                + (peer == null ? "" : "|VictoriaMetrics, CPU ms|× rollups|ms, × rollups"));
    for (Asked asked : QUESTIONS) {
      List<Cost> raw = new ArrayList<>();
      List<Cost> rolled = new ArrayList<>();
      List<Cost> ofPeer = new ArrayList<>();
      for (int round = 0; round <= rounds; round++) {
        Cost ofPoints = cost(db, asked.text(), RollupUsage.RAW, 1);
        Cost ofRollups = cost(db, asked.text(), RollupUsage.NOFALLBACK, round == 0 ? 200 : 20);
        List<Cost> others =
            peer == null ? List.of() : List.of(cost(peer, asked, answer(db, asked)));
        if (round > 0) {
          raw.add(ofPoints);
          rolled.add(ofRollups);
          ofPeer.addAll(others);
        }
      }
      List<String> cells = new ArrayList<>(List.of("`" + asked.text() + "`"));
      cells.add(Spread.of(raw, cost -> cost.cpu() * 1000).text(0));
      cells.add(Spread.of(rolled, cost -> cost.cpu() * 1000).text(1));
      cells.add(Spread.ofRatios(raw, rolled, Cost::cpu).text(0));
      if (peer != null) {
        cells.add(Spread.of(ofPeer, cost -> cost.cpu() * 1000).text(0));
        cells.add(Spread.ofRatios(ofPeer, rolled, Cost::cpu).text(0));
        cells.add(Spread.ofRatios(ofPeer, rolled, Cost::seconds).text(0));
      }
      table.row(cells.toArray());
    }
  }

  /** What it costs VictoriaMetrics to answer, which must be as we do. */
  private Cost cost(VictoriaMetrics peer, Asked asked, Peer.PeerAnswer ours) throws IOException {
    int window = asked.window();
    long end = start + (long) days * DAY - 1;
    // Its windows end at their timestamps, inclusive; ours that begin before are left out.
    byte[] request =
        VictoriaMetrics.range(
            asked.peer().formatted("{__name__=\"sys.cpu\"}[" + window + "s]"),
            start + Math.floorMod(-start, window) + window - step,
            end - end % window + window - step,
            window);
    try (HttpConnection connection = new HttpConnection(peer.queryPort())) {
      double cpu = peer.cpu();
      long begun = System.nanoTime();
      byte[] answer = connection.ask(request);
      Cost cost = new Cost((System.nanoTime() - begun) / 1e9, peer.cpu() - cpu, 0, 0, 0, 0);
      Peer.PeerAnswer theirs = peer.sum(Peer.json(answer));
      if (!theirs.agreesWith(ours)) {
        throw new IllegalStateException(asked + ": " + theirs + ", but ours " + ours);
      }
      return cost;
    }
  }

  private Peer.PeerAnswer answer(Tsdb db, Asked asked) {
    long values = 0;
    double sum = 0;
    try (SeriesCursor found = db.query(query(asked.text(), RollupUsage.NOFALLBACK))) {
      for (var each = found.next(); each != null; each = found.next()) {
        for (int i = 0; i < each.size(); i++) {
          sum += each.doubleValue(i);
        }
        values += each.size();
      }
    }
    return new Peer.PeerAnswer(values, sum);
  }

  private Query query(String text, RollupUsage usage) {
    return Query.parse(text)
        .between(Instant.ofEpochSecond(start), Instant.ofEpochSecond(start + (long) days * DAY))
        .from(PointSource.DEFAULT.withRollups(usage));
  }

  private Cost cost(Tsdb db, String text, RollupUsage usage, int repeats) {
    Query query = query(text, usage);
    return Meter.measure(
        repeats,
        () -> {
          try (SeriesCursor found = db.query(query)) {
            found.forEach(each -> {});
          }
        });
  }
}
