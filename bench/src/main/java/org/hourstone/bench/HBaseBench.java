package org.hourstone.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;

/**
 * Measures our store on a real HBase on this machine beside HBase's client and OpenTSDB: writing
 * and queries.
 */
final class HBaseBench {
  static final Map<String, String> DEFAULTS =
      Arguments.defaults(
          "hosts=100 hours=1 kind=int parts=write,query flush=60 warmup=1 rounds=5 dir="
              + " ways=batches,puts,single,packs,journal,appends,opentsdb,opentsdb-appends");

  private static final String OPENTSDB = "opentsdb";
  private static final List<String> RAW = List.of("batches", "puts");
  private static final long DAY_SECONDS = 86_400;

  private HBaseBench() {}

  /** The cost of writing the points of a round. */
  private record Written(double seconds, double clientCpu, double serverCpu) {}

  static void run(Arguments arguments, PrintStream out) throws IOException {
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"));
        HBaseSubject subject = HBaseSubject.start();
        KeyValueStore store = KeyValueStores.open(subject.hbase().uri())) {
      if (arguments.list("parts").contains("write")) {
        write(arguments, subject, store, work, out);
      }
      if (arguments.list("parts").contains("query")) {
        HBaseQueries.run(arguments, subject, store, work, out);
      }
    }
  }

  private static void write(
      Arguments arguments,
      HBaseSubject subject,
      KeyValueStore store,
      WorkDirectory work,
      PrintStream out)
      throws IOException {
    AtomicLong now = new AtomicLong();
    Map<String, HBaseRoute> routes = new LinkedHashMap<>();
    try {
      for (String way : arguments.list("ways")) {
        routes.put(way, route(way, arguments, subject, store, now));
      }
      Map<String, List<Written>> written = new LinkedHashMap<>();
      int warmup = arguments.number("warmup");
      for (int number = 0; number < warmup + arguments.number("rounds"); number++) {
        TelnetLines lines = lines(number, arguments, work, now);
        for (Map.Entry<String, HBaseRoute> route : routes.entrySet()) {
          route.getValue().prepare(lines);
          Written cost = measure(route.getValue(), lines, subject);
          check(route.getValue(), store, route.getKey(), lines);
          if (number >= warmup) {
            written.computeIfAbsent(route.getKey(), name -> new ArrayList<>()).add(cost);
          }
        }
      }
      print(written, DevopsWorkload.of(arguments).points(), out);
    } finally {
      for (HBaseRoute route : routes.values()) {
        route.close();
      }
    }
  }

  private static HBaseRoute route(
      String way, Arguments arguments, HBaseSubject subject, KeyValueStore store, AtomicLong now) {
    if (way.startsWith(OPENTSDB)) {
      return new OpenTsdbRoute(subject.hbase().uri(), store, way, !way.equals(OPENTSDB));
    }
    TsdbOptions options =
        (RAW.contains(way) ? Form.SINGLE : Form.of(way))
            .options(arguments.number("flush"))
            .withClock(() -> Instant.ofEpochMilli(now.get()))
            .with(Settings.DATA_TABLE, way);
    return RAW.contains(way)
        ? new RawHBaseRoute(subject.client(), store, options, way.equals("puts"))
        : HBaseRoute.ours(Tsdb.over(store, options));
  }

  /** Each round's are of another day, so that they make rows of their own in tables that stay. */
  static TelnetLines lines(int round, Arguments arguments, WorkDirectory work, AtomicLong now)
      throws IOException {
    Path file = work.path().resolve("round" + round);
    DevopsWorkload.of(arguments).writeTo(file, false, DevopsWorkload.START + round * DAY_SECONDS);
    TelnetLines lines = TelnetLines.read(file, now);
    Files.delete(file);
    return lines;
  }

  private static Written measure(HBaseRoute route, TelnetLines lines, HBaseSubject subject)
      throws IOException {
    double clientCpu = route.clientCpu();
    double serverCpu = subject.serverCpu();
    long start = System.nanoTime();
    route.write(lines);
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Written(seconds, route.clientCpu() - clientCpu, subject.serverCpu() - serverCpu);
  }

  /** Every point of the round must be present. */
  private static void check(
      HBaseRoute route, KeyValueStore store, String table, TelnetLines lines) {
    double found = 0;
    long[] millis = lines.millis();
    try (Tsdb db = route.reading(store, table)) {
      for (String metric : DevopsWorkload.METRICS) {
        Query all =
            Query.parse("sum:1d-count:" + metric)
                .betweenMillis(millis[0], millis[millis.length - 1]);
        try (SeriesCursor answer = db.query(all)) {
          for (var series = answer.next(); series != null; series = answer.next()) {
            for (int i = 0; i < series.size(); i++) {
              found += series.doubleValue(i);
            }
          }
        }
      }
    }
    if (found != millis.length) {
      throw new IllegalStateException(table + ": " + found + " of " + millis.length + " points");
    }
  }

  private static void print(Map<String, List<Written>> written, long points, PrintStream out) {
    double millions = points / 1e6;
    List<String> bases =
        written.keySet().stream()
            .filter(way -> way.startsWith(OPENTSDB) || RAW.contains(way))
            .toList();
    out.printf("%d points a round; median (min–max)%n%n", points);
    String ratios = bases.stream().map("|points/s to "::concat).collect(Collectors.joining());
    Table table =
        new Table(out, "|client CPU s per million points|HBase CPU s per million" + ratios);
    written.forEach(
        (name, costs) -> {
          List<String> cells = new ArrayList<>(List.of(name));
          cells.add(Spread.of(costs, cost -> cost.clientCpu() / millions).text(2));
          cells.add(Spread.of(costs, cost -> cost.serverCpu() / millions).text(2));
          for (String base : bases) {
            List<Written> others = written.getOrDefault(base, List.of());
            cells.add(Spread.ofRatios(others, costs, Written::seconds).text(2));
          }
          table.row(cells.toArray());
        });
  }
}
