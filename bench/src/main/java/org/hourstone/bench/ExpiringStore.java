package org.hourstone.bench;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hourstone.RetentionSettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.query.Query;
import org.hourstone.write.SeriesPoints;
import org.hourstone.write.SeriesWriter;

/**
 * A store with a point a minute of some series and days, whose clock is right after the last one.
 *
 * @param kept how many days do not expire
 */
record ExpiringStore(Path directory, int series, int days, int kept) {
  private static final long DAY = 86_400;
  private static final long HOUR = 3600;
  private static final int STEP = 60;
  private static final long END = 20_000 * DAY;

  static ExpiringStore of(String[] words) {
    return new ExpiringStore(
        Path.of(words[0]),
        Integer.parseInt(words[1]),
        Integer.parseInt(words[2]),
        Integer.parseInt(words[3]));
  }

  /** What {@link #of} needs. */
  List<String> words() {
    return List.of(directory.toString(), "" + series, "" + days, "" + kept);
  }

  long points() {
    return (long) series * days * (DAY / STEP);
  }

  /** The second after the last one of the points. */
  long end() {
    return END;
  }

  /**
   * Noise, so that files have the size of numbers, that is a function, so that it can be checked.
   */
  static double value(int series, long second) {
    long mixed = (second / STEP * 1_000_003 + series) * 0x9E37_79B9_7F4A_7C15L;
    return Math.floorMod(mixed ^ mixed >>> 32, 1000);
  }

  Tsdb open() {
    Instant opened = Instant.now();
    return Tsdb.open(
        "rocksdb:" + directory,
        TsdbOptions.defaults()
            .with(Settings.AUTO_CREATE_METRICS, "true")
            .with(RetentionSettings.RULES, "* raw " + kept + "d")
            .withClock(
                () ->
                    Instant.ofEpochSecond(END)
                        .plusMillis(Instant.now().toEpochMilli() - opened.toEpochMilli())));
  }

  /** A query of the live points. */
  Query liveQuery(String text) {
    return Query.parse(text)
        .between(Instant.ofEpochSecond(END - kept * DAY), Instant.ofEpochSecond(END + DAY));
  }

  /** Without the rule, as older points would be refused. */
  void fill() throws InterruptedException {
    try (Tsdb db =
        Tsdb.open(
            "rocksdb:" + directory,
            TsdbOptions.defaults().with(Settings.AUTO_CREATE_METRICS, "true"))) {
      List<SeriesWriter> writers = new ArrayList<>();
      for (int i = 0; i < series; i++) {
        writers.add(db.writer().series("sys.cpu", Map.of("host", "web" + i)));
      }
      Stored stored = new Stored();
      SeriesPoints points = db.writer().seriesPoints(stored);
      for (long hour = END - days * DAY; hour < END; hour += HOUR) {
        for (int i = 0; i < series; i++) {
          for (long second = hour; second < hour + HOUR; second += STEP) {
            points.add(writers.get(i), second, (long) value(i, second), 0);
          }
        }
        points.send();
      }
      db.flush();
      stored.await(points());
      RocksDbPlace.settle(db.engine().store(), RocksDbPlace.POINTS);
    }
  }
}
