package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import org.hourstone.Tsdb;
import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;

/**
 * A store of which nine tenths expire. A process deletes them, while it stores points and answers
 * queries, and is killed with {@code kill -9} again and again. Then each live point must be there.
 */
final class ExpireBench {
  static final Map<String, String> DEFAULTS =
      Arguments.defaults("series=100 days=140 kept=14 kills=10 delay=1500 seed=1 dir=");

  private final int kills;

  /** The most milliseconds from the begin of a run to its end by a kill. */
  private final int delay;

  private final Random random;
  private final ExpiringStore all;
  private final ExpiringStore live;

  /** The number of live points that were acknowledged, by series. */
  private final long[] acknowledged;

  private ExpireBench(Arguments arguments, Path directory) {
    int series = arguments.number("series");
    int days = arguments.number("days");
    int kept = arguments.number("kept");
    this.kills = arguments.number("kills");
    this.delay = arguments.number("delay");
    this.random = new Random(arguments.number("seed"));
    this.all = new ExpiringStore(directory.resolve("all"), series, days, kept);
    this.live = new ExpiringStore(directory.resolve("live"), series, kept, kept);
    this.acknowledged = new long[series];
  }

  static void run(Arguments arguments, PrintStream out) throws Exception {
    try (WorkDirectory work = WorkDirectory.create(arguments.text("dir"))) {
      new ExpireBench(arguments, work.path()).measure(out);
    }
  }

  private void measure(PrintStream out) throws Exception {
    live.fill();
    all.fill();
    double before = RocksDbPlace.tableBytes(all.directory());
    double needed = RocksDbPlace.tableBytes(live.directory());
    List<String> last = List.of();
    for (int kill = 0; kill <= kills; kill++) {
      last = process(kill < kills ? random.nextInt(delay) : -1, out);
    }
    out.printf(Locale.ROOT, "%nThe last process: %s%n", String.join("; ", last));
    try (Tsdb db = all.open()) {
      check(db);
    }
    out.printf(
        Locale.ROOT,
        "%,d points, of which %,d are live; all of these are there, and %,d that were stored"
            + " then; files %.1f MB before, %.1f MB after, %.2f of those of a store with the"
            + " live points%n",
        all.points(),
        live.points(),
        LongStream.of(acknowledged).sum(),
        before / 1e6,
        RocksDbPlace.tableBytes(all.directory()) / 1e6,
        RocksDbPlace.tableBytes(all.directory()) / needed);
  }

  /**
   * A process that deletes what has expired.
   *
   * @param millis when it is killed after it has begun; negative if it is not
   * @return what it has printed besides points that were acknowledged
   */
  private List<String> process(int millis, PrintStream out) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                Commands.class.getName(),
                "expire-open"));
    command.addAll(all.words());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    List<String> printed = new ArrayList<>();
    try (BufferedReader lines = process.inputReader(UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.matches("ok \\d+;")) { // not a part of it, of a process that was killed
          acknowledged[Integer.parseInt(line.substring("ok ".length(), line.length() - 1))]++;
        } else {
          printed.add(line);
          if (line.equals("begins") && millis >= 0) {
            Thread.sleep(millis);
            boolean unused = process.toHandle().destroyForcibly(); // the rest is still read
          }
        }
      }
    }
    int status = process.waitFor();
    if (millis < 0 && status != 0) {
      throw new IllegalStateException("a process has ended with " + status + ": " + printed);
    }
    if (millis >= 0) {
      out.printf("killed after %d ms: %s%n", millis, printed);
    }
    return printed;
  }

  /** The live points are there, each once, and no other. */
  private void check(Tsdb db) {
    Query query = all.liveQuery("none:sys.cpu{host=*}");
    int found = 0;
    try (SeriesCursor cursor = db.query(query)) {
      for (ResultSeries each = cursor.next(); each != null; each = cursor.next()) {
        check(each);
        found++;
      }
    }
    if (found != all.series()) {
      throw new IllegalStateException(found + " series were found");
    }
  }

  private void check(ResultSeries found) {
    String host = Objects.requireNonNull(found.tags().get("host"));
    int series = Integer.parseInt(host.substring("web".length()));
    int filled = 0;
    int added = 0;
    for (int i = 0; i < found.size(); i++) {
      long second = found.millis(i) / 1000;
      if (second >= all.end()) {
        added++;
      } else if (found.doubleValue(i) == ExpiringStore.value(series, second)) {
        filled++;
      }
    }
    long lost = live.points() / all.series() - filled;
    // A process that was killed may have stored points that it could not acknowledge any more.
    if (lost != 0 || added < acknowledged[series] || filled + added != found.size()) {
      throw new IllegalStateException(
          "%s has lost %d, and has %d of %d".formatted(host, lost, added, acknowledged[series]));
    }
  }

  /** The process. */
  static void open(String[] words, PrintStream out) throws Exception {
    ExpiringStore store = ExpiringStore.of(words);
    try (Tsdb db = store.open()) {
      new ExpiringProcess(db, store, out).run();
    }
  }
}
