package org.hourstone.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.bench.ClientRoute.Kind;
import org.hourstone.hbase.HBaseProcess;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.StoreOptions;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;

/**
 * Measures our store on a real HBase on this machine: writing, next to HBase's own client writing
 * the very same cells and to OpenTSDB; the size of a point on disk; and queries, next to OpenTSDB
 * and to a bare scan.
 */
final class HBaseBench {
  static final Map<String, String> DEFAULTS =
      Map.of(
          "hosts", "100",
          "hours", "1",
          "parts", "write,size,query",
          "routes", "", // some of them in addition to the first; empty for all
          "warmup", "1",
          "rounds", "5",
          "server-heap", "3g", // of HBase
          "peer-heap", "1g", // of OpenTSDB
          "dir", ""); // for input; empty for the system's temporary files

  private static final String SINGLES = "singles";

  /** The routes that others are compared with. */
  private static final List<String> BASES =
      List.of("client-batches", "client-puts", "client-mutator", "opentsdb", "opentsdb-appends");

  private HBaseBench() {}

  /** The cost of writing the points of a round. */
  private record Written(double seconds, double clientCpu, double serverCpu) {}

  static void run(Arguments arguments, PrintStream out) throws IOException {
    Set<String> parts = Set.of(arguments.text("parts").split(","));
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"));
        HBaseProcess hbase =
            HBaseProcess.start(
                List.of(
                    "-Xmx" + arguments.text("server-heap"), "-XX:-UseSerialGC", "-XX:+UseG1GC"));
        HBaseClient client = HBaseClient.connect(hbase.uri());
        KeyValueStore store = KeyValueStores.open(hbase.uri(), StoreOptions.defaults())) {
      if (parts.contains("write")) {
        write(arguments, hbase, client, store, work, out);
      }
      if (parts.contains("size")) {
        HBaseSizes.run(arguments, hbase, client, store, work, out);
      }
      if (parts.contains("query")) {
        HBaseQueries.run(arguments, hbase, client, store, work, out);
      }
    }
  }

  private static void write(
      Arguments arguments,
      HBaseProcess hbase,
      HBaseClient client,
      KeyValueStore store,
      WorkDirectory work,
      PrintStream out)
      throws IOException {
    DevopsWorkload workload =
        new DevopsWorkload(
            arguments.number("hosts"), (int) (arguments.decimal("hours") * 3600), false);
    RecordedBatches recorded = new RecordedBatches(store, new Family(SINGLES, EngineRoute.FAMILY));
    Map<String, HBaseRoute> routes = routes(arguments, hbase.uri(), client, recorded);
    try {
      Map<String, List<Written>> written = new LinkedHashMap<>();
      int warmup = arguments.number("warmup");
      for (int number = 0; number < warmup + arguments.number("rounds"); number++) {
        HBaseRound round = HBaseRound.of(workload, number, work);
        recorded.clear();
        for (Map.Entry<String, HBaseRoute> route : routes.entrySet()) {
          Written cost = measure(route.getValue(), round, hbase);
          check(store, route.getValue().table(), round);
          System.err.printf(
              Locale.ROOT,
              "round %d, %s: %.2f s, CPU %.2f s, of HBase %.2f s%n",
              number - warmup + 1,
              route.getKey(),
              cost.seconds(),
              cost.clientCpu(),
              cost.serverCpu());
          if (number >= warmup) {
            written.computeIfAbsent(route.getKey(), name -> new ArrayList<>()).add(cost);
          }
        }
      }
      print(written, workload.points(), out);
    } finally {
      for (HBaseRoute route : routes.values()) {
        route.close();
      }
    }
  }

  private static Map<String, HBaseRoute> routes(
      Arguments arguments, String uri, HBaseClient client, RecordedBatches store) {
    Set<String> wanted =
        Stream.of(arguments.text("routes").split(","))
            .filter(name -> !name.isEmpty())
            .collect(Collectors.toSet());
    String heap = arguments.text("peer-heap");
    Map<String, HBaseRoute> routes = new LinkedHashMap<>();
    for (String name :
        List.of(
            SINGLES,
            "client-batches",
            "client-puts",
            "client-mutator",
            "opentsdb",
            "packs-60s",
            "packs-600s",
            "appends-60s",
            "appends-600s",
            "opentsdb-appends")) {
      if (wanted.isEmpty() || wanted.contains(name) || name.equals(SINGLES)) {
        routes.put(
            name,
            switch (name) {
              case SINGLES -> new EngineRoute(store, name, EngineRoute.singles());
              case "client-batches" -> new ClientRoute(client, store, Kind.BATCHES, name);
              case "client-puts" -> new ClientRoute(client, store, Kind.PUTS, name);
              case "client-mutator" -> new ClientRoute(client, store, Kind.MUTATOR, name);
              case "opentsdb" -> new OpenTsdbRoute(uri, store, name, false, heap);
              case "packs-60s" -> new EngineRoute(store, name, EngineRoute.packs(60));
              case "packs-600s" -> new EngineRoute(store, name, EngineRoute.packs(600));
              case "appends-60s" -> new EngineRoute(store, name, EngineRoute.appends(60));
              case "appends-600s" -> new EngineRoute(store, name, EngineRoute.appends(600));
              default -> new OpenTsdbRoute(uri, store, name, true, heap);
            });
      }
    }
    return routes;
  }

  private static Written measure(HBaseRoute route, HBaseRound round, HBaseProcess hbase)
      throws IOException {
    route.prepare(round);
    ProcessHandle server = ProcessHandle.of(hbase.pid()).orElseThrow();
    double clientCpu = route.clientCpu();
    double serverCpu = ProcessCpu.seconds(server);
    long start = System.nanoTime();
    route.write(round);
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Written(
        seconds, route.clientCpu() - clientCpu, ProcessCpu.seconds(server) - serverCpu);
  }

  /** Every point of the round must be present. */
  private static void check(KeyValueStore store, String table, HBaseRound round) {
    double found = 0;
    long end = round.millis(round.lines().size() - 1);
    try (Tsdb db = Tsdb.over(store, EngineRoute.singles().with(Settings.DATA_TABLE, table))) {
      for (String metric : DevopsWorkload.METRICS) {
        Query all = Query.parse("sum:1d-count:" + metric).betweenMillis(round.start() * 1000, end);
        try (SeriesCursor answer = db.query(all)) {
          for (var series = answer.next(); series != null; series = answer.next()) {
            for (int i = 0; i < series.size(); i++) {
              found += series.doubleValue(i);
            }
          }
        }
      }
    }
    if (found != round.lines().size()) {
      throw new IllegalStateException(
          table + ": " + found + " of " + round.lines().size() + " points");
    }
  }

  private static void print(Map<String, List<Written>> written, long points, PrintStream out) {
    double millions = points / 1e6;
    List<String> bases = BASES.stream().filter(written::containsKey).toList();
    out.printf("%n%d points a round; median (min–max)%n%n", points);
    out.print("| | client CPU s per million points | HBase CPU s per million |");
    bases.forEach(base -> out.print(" points/s to " + base + " |"));
    out.println();
    out.println("|---|---|---|" + "---|".repeat(bases.size()));
    written.forEach(
        (name, costs) -> {
          out.printf(
              "| %s | %s | %s |",
              name,
              Spread.of(costs, cost -> cost.clientCpu() / millions).text(2),
              Spread.of(costs, cost -> cost.serverCpu() / millions).text(2));
          for (String base : bases) {
            List<Written> others = written.getOrDefault(base, List.of());
            out.printf(" %s |", ratio(others, costs, Written::seconds));
          }
          out.println();
        });
  }

  /** Round by round, how much more of something one took than another. */
  static <T> String ratio(List<T> of, List<T> to, ToDoubleFunction<T> figure) {
    double[] ratios = new double[of.size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = figure.applyAsDouble(of.get(i)) / figure.applyAsDouble(to.get(i));
    }
    return Spread.of(ratios).text(2).toLowerCase(Locale.ROOT);
  }
}
