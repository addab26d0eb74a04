package org.hourstone.testing.life;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.hourstone.Tsdb;
import org.hourstone.query.PointSource;
import org.hourstone.query.Query;
import org.hourstone.query.RollupUsage;
import org.hourstone.series.Aggregator;
import org.hourstone.series.Downsample;
import org.hourstone.series.DurationUnit;
import org.hourstone.series.FillPolicy;
import org.hourstone.testing.life.LifeModel.Series;
import org.hourstone.testing.life.LifeModel.Summary;

/**
 * Compares what random queries return with what they return over points, and with a model. Integers
 * are such that doubles have their sums exactly; decimals are not negative, so that rounding is
 * bounded.
 */
final class LifeCheck {
  private static final long HOUR = LifeModel.HOUR;
  private static final long DAY = 24 * HOUR;

  /** The largest sum of decimals from which a rate is computed. */
  private static final double LARGEST = 1e7;

  private static final List<String> BY = List.of("sum", "count", "min", "max", "avg");
  private static final List<String> AGGREGATORS =
      List.of("sum", "min", "max", "avg", "none", "none", "zimsum", "count", "mimmin", "pfsum");
  private static final List<String> INTERVALS =
      List.of("10m", "30m", "1h", "1h", "2h", "6h", "1d", "1d", "3d", "0all", "45m");
  private static final List<String> FILLS = List.of("", "", "-zero", "-nan", "-null");
  private static final List<String> ZONES =
      List.of("UTC", "Europe/Berlin", "Asia/Kolkata", "America/St_Johns", "Asia/Kathmandu");

  private final RandomGenerator random;
  private final LifeModel model;

  /** How many queries read rolled-up values, of those that were explained. */
  long rolledUp;

  long explained;

  LifeCheck(RandomGenerator random, LifeModel model) {
    this.random = random;
    this.model = model;
  }

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  /** All points of hours that have not expired are those of the model, which learns of them. */
  void checkPoints(Tsdb db, String metric, long now) {
    Query all =
        Query.parse("none:" + metric + "{host=*}")
            .between(Instant.EPOCH, Instant.ofEpochSecond(now + 400 * DAY));
    Map<String, NavigableMap<Long, Double>> read = LifeResults.read(db, raw(all));
    for (Series series : List.copyOf(model.series())) {
      if (!series.metric().equals(metric)) {
        continue;
      }
      NavigableMap<Long, Double> points = read.getOrDefault(series.host(), new TreeMap<>());
      for (long millis : List.copyOf(model.all(series).keySet())) {
        if (!model.hasExpired(series, millis, now)) {
          double value = points.getOrDefault(millis, LifeModel.NONE);
          if (!model.read(series, millis, value)) {
            throw new AssertionError(
                series
                    + " at "
                    + millis
                    + ": "
                    + value
                    + ", not of "
                    + model.possible(series, millis));
          }
          points.remove(millis);
        }
      }
      if (!points.isEmpty()) {
        throw new AssertionError(series + " has points that must not be: " + points);
      }
    }
  }

  /** Random buckets of series, of hours of which nothing has expired, are those of the model. */
  void checkValues(Tsdb db, long now) {
    String metric = metric();
    String function = any(BY);
    Query query =
        between(
            Query.parse("none:" + metric + "{host=*}")
                .downsample(downsample(Query.parse("none:1h-" + function + ":" + metric))),
            now);
    try {
      compareWithModel(metric, query, function, LifeResults.read(db, query));
    } catch (AssertionError e) {
      throw explained(e, db, query);
    }
  }

  /** A random query over hours of which nothing has expired has the result that points have. */
  void checkQuery(Tsdb db, long now) {
    String metric = metric();
    String aggregator = any(AGGREGATORS);
    boolean isRate = random.nextInt(6) == 0;
    List<String> filters = List.of("{host=*}", "", "{host=h1|h2}", "{}{host=wildcard(h*)}");
    String filter = aggregator.equals("none") ? filters.get(0) : any(filters);
    String function = any(BY);
    Query query =
        Query.parse(
            aggregator
                + ":1h-"
                + function
                + any(FILLS)
                + (isRate ? ":rate:" : ":")
                + metric
                + filter);
    query =
        between(query.downsample(downsample(query)), now)
            .from(
                random.nextInt(3) > 0
                    ? PointSource.DEFAULT
                    : PointSource.DEFAULT.withAnnotations());
    Map<String, NavigableMap<Long, Double>> points = LifeResults.read(db, raw(query));
    double scale = isRate ? LARGEST : 0;
    boolean isExact = metric.equals(Life.INTEGERS);
    try {
      LifeResults.compare(
          query + " over points", points, LifeResults.read(db, query), isExact, scale);
    } catch (AssertionError e) {
      throw explained(e, db, query);
    }
    boolean isOfSeries = aggregator.equals("none") && !isRate;
    if (isOfSeries && Objects.requireNonNull(query.downsample()).fill() == FillPolicy.NONE) {
      points.keySet().removeIf(name -> name.contains(" "));
      compareWithModel(metric, query, function, points);
    }
    if (random.nextInt(4) == 0) {
      explained++;
      boolean isRolled =
          db.explain(query).parts().stream().anyMatch(part -> part.source().startsWith("rollup"));
      rolledUp += isRolled ? 1 : 0;
    }
  }

  private String metric() {
    return random.nextInt(2) == 0 ? Life.INTEGERS : Life.DECIMALS;
  }

  /** Some days or hours, of which nothing has expired. */
  private Query between(Query query, long now) {
    long from = Math.max(firstKept(query, now), now - random.nextLong(7 * DAY));
    long until = from + 1 + HOUR + random.nextLong(7 * DAY);
    return query.betweenMillis(from * 1000, until * 1000 - 1);
  }

  private void compareWithModel(
      String metric, Query query, String function, Map<String, NavigableMap<Long, Double>> read) {
    LifeResults.compare(
        query + ", the model",
        model(metric, query, function),
        read,
        metric.equals(Life.INTEGERS),
        0);
  }

  private static AssertionError explained(AssertionError e, Tsdb db, Query query) {
    return new AssertionError(
        e.getMessage()
            + "\n  done "
            + db.ownRollups().map(own -> own.hours().done())
            + ", read from "
            + db.explain(query).parts()
            + seriesThatDiffer(db, query),
        e);
  }

  private static String seriesThatDiffer(Tsdb db, Query query) {
    Query each =
        Query.parse("none:" + query.metric() + "{host=*}")
            .downsample(query.downsample())
            .betweenMillis(
                query.startMillis() / (DAY * 1000) * (DAY * 1000) - 2 * DAY * 1000,
                query.endMillis());
    return "\n  points "
        + LifeResults.read(db, raw(each))
        + "\n  rolled "
        + LifeResults.read(db, each);
  }

  /** Some buckets before the range are read as well, for rates and filled gaps. */
  private long firstKept(Query query, long now) {
    long first = model.firstKept(now);
    Downsample how = Objects.requireNonNull(query.downsample());
    boolean isAll = how.number() == Downsample.ALL;
    return first == 0 || isAll ? first : first + 2 * HOUR + 4 * how.intervalMillis() / 1000;
  }

  /** Random buckets, with the function of a query and how it fills them. */
  private Downsample downsample(Query query) {
    Downsample how = Objects.requireNonNull(query.downsample());
    Downsample buckets = buckets();
    return new Downsample(
        buckets.number(),
        buckets.unit(),
        how.aggregator(),
        buckets.number() == Downsample.ALL ? FillPolicy.NONE : how.fill(),
        buckets.calendar(),
        buckets.zone(),
        false);
  }

  private Downsample buckets() {
    if (random.nextInt(4) == 0) {
      DurationUnit unit = random.nextBoolean() ? DurationUnit.DAYS : DurationUnit.HOURS;
      return new Downsample(
          1, unit, Aggregator.SUM, FillPolicy.NONE, true, ZoneId.of(any(ZONES)), false);
    }
    return Objects.requireNonNull(Query.parse("sum:" + any(INTERVALS) + "-sum:m").downsample());
  }

  private static Query raw(Query query) {
    return query.from(query.source().withRollups(RollupUsage.RAW));
  }

  private Map<String, NavigableMap<Long, Double>> model(
      String metric, Query query, String function) {
    Map<String, NavigableMap<Long, Double>> all = new TreeMap<>();
    for (Series series : model.series()) {
      if (series.metric().equals(metric)) {
        NavigableMap<Long, List<Double>> buckets = new TreeMap<>();
        model
            .points(series, 0, Long.MAX_VALUE)
            .forEach(
                (millis, value) -> {
                  long bucket = bucket(query, millis);
                  if (bucket >= query.startMillis() && bucket <= query.endMillis()) {
                    buckets.computeIfAbsent(bucket, k -> new ArrayList<>()).add(value);
                  }
                });
        NavigableMap<Long, Double> values = new TreeMap<>();
        buckets.forEach(
            (millis, of) -> {
              Summary summary = LifeModel.summary(of);
              values.put(
                  millis,
                  function.equals("avg") ? summary.sum() / summary.count() : summary.by(function));
            });
        if (!values.isEmpty()) {
          all.put(series.host(), values);
        }
      }
    }
    return all;
  }

  /** Where a point's bucket begins; one that begins before the range is not returned. */
  private static long bucket(Query query, long millis) {
    Downsample how = Objects.requireNonNull(query.downsample());
    if (how.number() == Downsample.ALL) {
      boolean isIn = millis >= query.startMillis() && millis < query.endMillis();
      return isIn ? query.startMillis() : Long.MIN_VALUE;
    }
    if (how.calendar()) {
      ZonedDateTime time = Instant.ofEpochMilli(millis).atZone(how.zone());
      boolean isDay = how.unit() == DurationUnit.DAYS;
      return time.truncatedTo(isDay ? ChronoUnit.DAYS : ChronoUnit.HOURS)
          .toInstant()
          .toEpochMilli();
    }
    long width = how.number() * how.unit().millis();
    return millis - millis % width;
  }
}
