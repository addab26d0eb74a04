package org.hourstone.testing.life;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.hourstone.Tsdb;
import org.hourstone.query.Query;
import org.hourstone.testing.life.LifeModel.Rolled;
import org.hourstone.testing.life.LifeModel.Series;
import org.hourstone.testing.life.LifeModel.Summary;
import org.jspecify.annotations.Nullable;

/** Compares rolled-up values of hours whose points have expired with a model. */
final class LifeExpired {
  private static final long HOUR = LifeModel.HOUR;
  private static final long DAY = 24 * HOUR;

  private final RandomGenerator random;
  private final LifeModel model;

  LifeExpired(RandomGenerator random, LifeModel model) {
    this.random = random;
    this.model = model;
  }

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  /** Hours of which the points have expired are those that were rolled up, or are not returned. */
  void check(Tsdb db, long now, boolean hasHours) {
    String metric = random.nextInt(2) == 0 ? Life.INTEGERS : Life.DECIMALS;
    String function = any(List.of("count", "sum", "min", "max"));
    Query query =
        Query.parse("none:1h-" + function + ":" + metric + "{host=*}")
            .betweenMillis((now - 12 * DAY) / HOUR * HOUR * 1000, now * 1000);
    Map<String, NavigableMap<Long, Double>> read = LifeResults.read(db, query);
    for (Series series : model.series()) {
      if (!series.metric().equals(metric)) {
        continue;
      }
      NavigableMap<Long, Double> values = read.getOrDefault(series.host(), new TreeMap<>());
      model
          .rolled(series)
          .tailMap(query.startMillis() / 1000)
          .forEach(
              (hour, of) -> {
                if (model.hasEverExpired(series, hour, now)) {
                  model.readsPoints(series, hour, now, of);
                  boolean isKept = !model.rules.haveValuesExpired(series.host(), hour, now);
                  check(
                      query + " of " + series + " at " + hour,
                      of,
                      isKept,
                      of.isCertain && hasHours,
                      function,
                      values.get(hour * 1000));
                }
              });
    }
  }

  private static void check(
      String what,
      Rolled of,
      boolean isKept,
      boolean isCertain,
      String function,
      @Nullable Double value) {
    Set<Summary> possible = isCertain ? Set.of(of.last) : of.possible;
    boolean isPossible =
        value == null
            ? !isCertain || !isKept || of.mayBeHidden || of.last.count() == 0
            : isKept && possible.stream().anyMatch(each -> is(each, function, value));
    if (!isPossible) {
      throw new AssertionError(what + ": " + value + ", not of " + possible);
    }
  }

  private static boolean is(Summary summary, String function, double value) {
    double most = LifeResults.ROUNDING * Math.abs(value);
    return summary.count() > 0 && Math.abs(summary.by(function) - value) <= most;
  }
}
