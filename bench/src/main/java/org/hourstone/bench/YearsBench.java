package org.hourstone.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.hourstone.RollupSettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.bench.Meter.Cost;
import org.hourstone.kv.Family;
import org.hourstone.kv.Reclamation;
import org.hourstone.query.PointSource;
import org.hourstone.query.Query;
import org.hourstone.query.RollupUsage;
import org.hourstone.query.SeriesCursor;
import org.hourstone.rollup.OwnRollups;
import org.hourstone.rollup.RollupInterval;
import org.hourstone.write.Receipt;
import org.hourstone.write.SeriesPoints;
import org.hourstone.write.SeriesWriter;

/**
 * What rollups cost and save: many days of some series are written, rolled up, and queried with
 * rollups and without them, in turn.
 */
final class YearsBench {
  static final Map<String, String> DEFAULTS =
      Map.of(
          "series", "100",
          "days", "365",
          "step", "60", // seconds between points of a series
          "intervals", "10m,1h,1d",
          "rounds", "5",
          "dir", "");

  private static final int DAY = 86_400;
  private static final int WALK = 20;

  private static final Receipt COUNTED =
      new Receipt() {
        @Override
        public void stored(long token) {}

        @Override
        public void failed(long token, RuntimeException reason) {
          throw reason;
        }
      };

  private final int series;
  private final int days;
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
        settle(db, Place.POINTS);
      }
      double points = fileBytes(work.path());
      Cost rolling;
      try (Tsdb db = place.open(options)) {
        OwnRollups rollups = db.ownRollups().orElseThrow();
        rolling = Meter.measure(() -> rollups.run(() -> false, done -> {}, rows -> {}));
        for (RollupInterval interval : rollups.plan().longestFirst()) {
          settle(db, new Family(interval.table(), Place.POINTS.name()));
        }
      }
      double ofRollups = fileBytes(work.path()) - points;
      out.printf(
          Locale.ROOT,
          "%,d points; CPU of writing %.1f s, of rolling up %.1f s (%.2f of it); rollups take %.1f"
              + " %% of the bytes of the points%n%n",
          (long) series * days * (DAY / step),
          writing.cpu(),
          rolling.cpu(),
          rolling.cpu() / writing.cpu(),
          100 * ofRollups / points);
      try (Tsdb db = place.open(options)) {
        ask(db, arguments.number("rounds"), out);
      }
    }
  }

  /** Merges the files of a family, as they become in the long run. */
  private static void settle(Tsdb db, Family family) {
    Reclamation space = db.engine().store().extension(Reclamation.class).orElseThrow();
    space.reclaim(family, new byte[0], null);
  }

  private static double fileBytes(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".sst"))
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }

  /** Random walks, day by day, as import files are. */
  private void write(Tsdb db) {
    Random random = new Random(1);
    List<SeriesWriter> writers = new ArrayList<>(series);
    int[] values = new int[series];
    for (int i = 0; i < series; i++) {
      writers.add(db.writer().series("sys.cpu", Map.of("host", "web" + i)));
      values[i] = random.nextInt(1000);
    }
    SeriesPoints points = db.writer().seriesPoints(COUNTED);
    for (int hour = 0; hour < days * 24; hour++) {
      long from = start + hour * 3600L;
      for (int i = 0; i < series; i++) {
        for (long time = from; time < from + 3600; time += step) {
          values[i] += random.nextInt(WALK) - WALK / 2;
          points.add(writers.get(i), time, values[i], 0);
        }
      }
      points.send();
    }
    db.flush();
  }

  private void ask(Tsdb db, int rounds, PrintStream out) {
    out.println("| query of all days | points, CPU ms | rollups, CPU ms | points, × rollups |");
    out.println("|---|---|---|---|");
    for (String text :
        List.of(
            "sum:1d-avg:sys.cpu{host=*}",
            "sum:1d-max:sys.cpu",
            "sum:1h-avg:sys.cpu",
            "max:7d-count:sys.cpu{host=*}")) {
      List<Cost> raw = new ArrayList<>();
      List<Cost> rolled = new ArrayList<>();
      for (int round = 0; round <= rounds; round++) {
        Cost ofPoints = cost(db, text, RollupUsage.RAW, 1);
        Cost ofRollups = cost(db, text, RollupUsage.NOFALLBACK, round == 0 ? 200 : 20);
        if (round > 0) {
          raw.add(ofPoints);
          rolled.add(ofRollups);
        }
      }
      out.printf(
          Locale.ROOT,
          "| `%s` | %s | %s | %s |%n",
          text,
          Spread.of(raw, cost -> cost.cpu() * 1000).text(0),
          Spread.of(rolled, cost -> cost.cpu() * 1000).text(1),
          Spread.ofRatios(raw, rolled, Cost::cpu).text(0));
    }
  }

  private Cost cost(Tsdb db, String text, RollupUsage usage, int repeats) {
    Query query =
        Query.parse(text)
            .between(Instant.ofEpochSecond(start), Instant.ofEpochSecond(start + (long) days * DAY))
            .from(PointSource.DEFAULT.withRollups(usage));
    return Meter.measure(
            () -> {
              for (int i = 0; i < repeats; i++) {
                try (SeriesCursor found = db.query(query)) {
                  found.forEach(each -> {});
                }
              }
            })
        .dividedBy(repeats);
  }
}
