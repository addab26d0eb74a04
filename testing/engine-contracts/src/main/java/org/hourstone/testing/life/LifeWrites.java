package org.hourstone.testing.life;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.hourstone.annotation.Annotation;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.testing.life.LifeModel.Series;
import org.hourstone.write.PointWriter;
import org.hourstone.write.SeriesPoints;
import org.hourstone.write.SeriesWriter;

/** The steps of a {@link Life} that write points and annotations, or delete points. */
final class LifeWrites {
  private static final long HOUR = LifeModel.HOUR;
  private static final long DAY = 24 * HOUR;

  private final Life life;
  private final RandomGenerator random;
  private final LifeModel model;
  private final LifeDraws draws;

  LifeWrites(Life life, RandomGenerator random, LifeModel model, LifeDraws draws) {
    this.life = life;
    this.random = random;
    this.model = model;
    this.draws = draws;
  }

  private record Drawn(Series series, long millis, Number value) {}

  /** Puts points that have not expired: one after the other, or all together. */
  void put(int count) {
    List<Drawn> drawn = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Series series = draws.series();
      long millis = draws.time(series, life.now());
      boolean isNew =
          drawn.stream().noneMatch(each -> each.series.equals(series) && each.millis == millis);
      if (isNew && !model.hasExpired(series, millis, life.now())) {
        drawn.add(new Drawn(series, millis, draws.value(series)));
      }
    }
    if (random.nextBoolean()) {
      putAtOnce(drawn);
    } else {
      drawn.forEach(each -> putAtOnce(List.of(each)));
    }
  }

  private void putAtOnce(List<Drawn> drawn) {
    PointWriter writer = life.db().writer();
    List<SeriesWriter> series = // reads names, while no other thread writes
        drawn.stream()
            .map(each -> writer.series(each.series.metric(), Map.of("host", each.series.host())))
            .toList();
    Outcomes outcomes = new Outcomes();
    SeriesPoints points = writer.seriesPoints(outcomes);
    for (int i = 0; i < drawn.size(); i++) {
      Drawn each = drawn.get(i);
      model.maySet(each.series, each.millis, each.value.doubleValue());
      life.note("  " + each.series + " " + each.millis + " " + each.value);
      long time = each.millis % 1000 == 0 ? each.millis / 1000 : each.millis;
      if (each.value instanceof Long integer) {
        points.add(series.get(i), time, integer, i);
      } else {
        points.add(series.get(i), time, each.value.doubleValue(), i);
      }
    }
    points.send();
    life.catchUp();
    outcomes.check(drawn.size());
    drawn.forEach(each -> model.set(each.series, each.millis, each.value.doubleValue()));
  }

  void delete() {
    String metric = random.nextInt(2) == 0 ? Life.INTEGERS : Life.DECIMALS;
    String host = random.nextInt(3) == 0 ? "*" : "h" + random.nextInt(Life.HOSTS);
    long length =
        switch (random.nextInt(4)) {
          case 0 -> 20 * DAY;
          case 1 -> 1 + random.nextLong(600);
          default -> 1 + random.nextLong(8 * HOUR);
        };
    // Values stay of hours whose points are deleted when they have expired.
    long from =
        Math.max(model.firstKept(life.now()), life.now() - length - random.nextLong(3 * DAY));
    life.log("delete " + metric + " of " + host + " from " + from + " for " + length);
    Query query =
        Query.parse("none:" + metric + "{host=" + host + "}")
            .betweenMillis(from * 1000, (from + length) * 1000 - 1);
    for (int i = 0; i < Life.HOSTS; i++) {
      if (host.equals("*") || host.equals("h" + i)) {
        model.mayDelete(new Series(metric, "h" + i), from * 1000, (from + length) * 1000);
      }
    }
    var unused = life.db().delete(query);
    for (int i = 0; i < Life.HOSTS; i++) {
      if (host.equals("*") || host.equals("h" + i)) {
        model.delete(new Series(metric, "h" + i), from * 1000, (from + length) * 1000, life.now());
      }
    }
  }

  /** Imports points of some hours, with timestamps in seconds or milliseconds. */
  void load() {
    Series series = draws.series();
    long start = life.now() - random.nextLong(4 * DAY);
    long every = 60 * (1 + random.nextLong(40));
    life.log("import " + series + " from " + start + " every " + every);
    StringBuilder lines = new StringBuilder();
    List<Runnable> stored = new ArrayList<>();
    for (long time = start; time < start + every * 20; time += every) {
      long millis = time * 1000;
      if (!model.hasExpired(series, millis, life.now())) {
        Number value = draws.value(series);
        String text = random.nextInt(3) == 0 ? time + "000" : time + "";
        lines.append(series.metric()).append(' ').append(text).append(' ').append(value);
        lines.append(" host=").append(series.host()).append('\n');
        model.maySet(series, millis, value.doubleValue());
        stored.add(() -> model.set(series, millis, value.doubleValue()));
      }
    }
    LoadedLines listener = new LoadedLines();
    life.db()
        .importer(life.db().engine().options().importOptions(true), listener)
        .run("f", new ByteArrayInputStream(lines.toString().getBytes(UTF_8)));
    listener.check();
    stored.forEach(Runnable::run);
  }

  /** Copies points of another store, which were written there just now. */
  void copy() {
    if (life.isAhead() || life.clock().wasLater()) {
      return; // its cells may be older than those here, now or afterwards
    }
    Series series = draws.series();
    long start = life.now() - random.nextLong(4 * DAY);
    life.log("copy " + series + " from " + start);
    Map<Long, Number> values = new TreeMap<>();
    for (long time = start; time < start + 3 * HOUR; time += 700) {
      if (!model.hasExpired(series, time * 1000, life.now())) {
        values.put(time, draws.value(series));
      }
    }
    life.advance(Duration.ofMinutes(10));
    values.forEach((time, value) -> model.maySet(series, time * 1000, value.doubleValue()));
    OtherStore.copy(life.clock().ofStore(), Life.HOSTS, series, values, life.db());
    values.forEach((time, value) -> model.set(series, time * 1000, value.doubleValue()));
  }

  void annotate() {
    Series series = draws.series();
    long at = life.now() - random.nextLong(3 * DAY);
    if (model.hasExpired(series, at * 1000, life.now())) {
      return;
    }
    life.log("annotate " + series + " at " + at);
    String tsuid = null;
    Query query =
        Query.parse("none:" + series.metric() + "{host=" + series.host() + "}")
            .betweenMillis(1, (life.now() + 9 * DAY) * 1000);
    try (SeriesCursor found = life.db().query(query)) {
      var first = found.next();
      tsuid = first == null ? null : first.tsuids().get(0);
    }
    if (tsuid != null) {
      model.mayAnnotate(series, at * 1000);
      var unused =
          life.db()
              .annotations()
              .save(new Annotation(tsuid, at, 0, "n".repeat(random.nextInt(9)), "", null), true);
    }
  }
}
