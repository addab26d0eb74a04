package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.write.TextPoints;

/**
 * Measures how long bodies of points of new series take, from their text until all are stored: with
 * a new tag value in each series, and then with another metric of the same tags.
 */
final class NamesBench {
  static final Map<String, String> DEFAULTS =
      Map.of(
          "ways", "memory,rocksdb,hbase,hbase-apart",
          "series", "2500", // of a body
          "connections", "1",
          "index", "true",
          "warmup", "4",
          "rounds", "7",
          "dir", ""); // for RocksDB; empty for the system's temporary files

  private static final String HBASE = "hbase";

  private NamesBench() {}

  /** The seconds of both kinds of bodies, and the CPU seconds of the first kind. */
  private record Round(double named, double known, double cpu, double serverCpu) {}

  private record Measured(String name, Tsdb db, DoubleSupplier serverCpu, List<Round> rounds) {}

  static void run(Arguments arguments, PrintStream out) throws Exception {
    List<String> stores = arguments.list("ways");
    boolean needsHBase = stores.stream().anyMatch(store -> store.startsWith(HBASE));
    List<Measured> measured = new ArrayList<>();
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"));
        Subject hbase = needsHBase ? HBaseSubject.start() : Subject.of("rocksdb", work, "")) {
      try {
        for (String name : stores) {
          measured.add(open(name, work, hbase, arguments));
        }
        int warmup = arguments.number("warmup");
        for (int number = 0; number < warmup + arguments.number("rounds"); number++) {
          for (Measured each : measured) {
            Round round = round(each, arguments, number);
            if (number >= warmup) {
              each.rounds().add(round);
            }
          }
        }
      } finally {
        measured.forEach(each -> each.db().close());
      }
    }
    print(measured, arguments.number("series") * arguments.number("connections"), out);
  }

  private static Measured open(String name, WorkDirectory work, Subject hbase, Arguments arguments)
      throws IOException {
    String uri =
        switch (name) {
          case "memory" -> "memory:";
          case "rocksdb" -> "rocksdb:" + work.inner("names").path().resolve("data");
          case HBASE, "hbase-apart" ->
              ((HBaseSubject) hbase).hbase().uri() + "?prefix=" + name + "-";
          default ->
              throw new UsageException(
                  "store '" + name + "': must be memory, rocksdb, hbase or hbase-apart");
        };
    KeyValueStore store = KeyValueStores.open(uri);
    Tsdb db =
        Tsdb.over(
            name.endsWith("-apart") ? new Apart(store) : store,
            Form.SINGLE
                .options()
                .with(Settings.INDEX_ENABLE, arguments.text("index"))
                .with(MemorySettings.UID_CACHE_SECONDS, "0")); // slow rounds would outlast it
    return new Measured(
        name, db, name.startsWith(HBASE) ? hbase::serverCpu : () -> 0, new ArrayList<>());
  }

  /** Creates the cells of several rows by a call for each. */
  private static final class Apart extends ForwardingStore {
    Apart(KeyValueStore delegate) {
      super(delegate);
    }

    @Override
    public List<Boolean> createCells(
        Family family, List<byte[]> rows, byte[] qualifier, List<byte[]> values) {
      return super.createCells(family, rows, qualifier, values);
    }
  }

  private static Round round(Measured of, Arguments arguments, int number)
      throws InterruptedException {
    double cpu = ProcessCpu.seconds(ProcessHandle.current());
    double serverCpu = of.serverCpu().getAsDouble();
    double named = seconds(of.db(), "fleet.first", arguments, number);
    cpu = ProcessCpu.seconds(ProcessHandle.current()) - cpu;
    serverCpu = of.serverCpu().getAsDouble() - serverCpu;
    return new Round(named, seconds(of.db(), "fleet.second", arguments, number), cpu, serverCpu);
  }

  private static double seconds(Tsdb db, String metric, Arguments arguments, int round)
      throws InterruptedException {
    int series = arguments.number("series");
    AtomicLong stored = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < arguments.number("connections"); i++) {
      byte[] body = body(metric, series, round + "-" + i);
      threads.add(new Thread(() -> stored.addAndGet(put(db, body, series))));
    }
    long start = System.nanoTime();
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    if (stored.get() != (long) series * threads.size()) {
      throw new IllegalStateException(stored + " points");
    }
    return seconds;
  }

  private static byte[] body(String metric, int series, String part) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < series; i++) {
      String line = "put %s %d 1 host=h%s-%d dc=lga%n";
      lines.append(line.formatted(metric, DevopsWorkload.START, part, i));
    }
    return lines.toString().getBytes(US_ASCII);
  }

  private static long put(Tsdb db, byte[] text, int series) {
    Stored stored = new Stored();
    TextPoints points = db.writer().telnetPoints();
    int prepared = points.prepareTelnetLines(text, 0, text.length, series);
    int begin = 0;
    for (int i = 0; i < prepared; i++) {
      if (text[i] == '\n' && points.addTelnetLine(text, begin, i, begin)) {
        begin = i + 1;
      }
    }
    points.send(stored);
    db.writer().flush();
    return stored.points();
  }

  private static void print(List<Measured> measured, int series, PrintStream out) {
    out.println(
        "| bodies of "
            + series
            + " new series | new names, s | new names/s | CPU s | CPU s of HBase | known names, s"
            + " | series/s |");
    out.println("|---|---|---|---|---|---|---|");
    for (Measured each : measured) {
      Spread named = Spread.of(each.rounds(), Round::named);
      Spread known = Spread.of(each.rounds(), Round::known);
      out.printf(
          Locale.ROOT,
          "| %s | %s | %.0f | %.2f | %.2f | %s | %.0f |%n",
          each.name(),
          named.text(2),
          series / named.median(),
          Spread.of(each.rounds(), Round::cpu).median(),
          Spread.of(each.rounds(), Round::serverCpu).median(),
          known.text(2),
          series / known.median());
    }
  }
}
