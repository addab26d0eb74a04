package org.hourstone.testing.life;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * What a database must return: the points, each with one possible value or, after a crash, several;
 * and for hours whose points have expired the values that were rolled up before.
 */
final class LifeModel {
  static final long HOUR = 3600;

  /** In place of a value: there is no point. */
  static final double NONE = Double.NaN;

  record Series(String metric, String host) implements Comparable<Series> {
    @Override
    public int compareTo(Series other) {
      int order = metric.compareTo(other.metric);
      return order != 0 ? order : host.compareTo(other.host);
    }
  }

  /** The values of an hour. */
  record Summary(long count, double sum, double min, double max) {
    static final Summary EMPTY = new Summary(0, 0, 0, 0);

    double by(String function) {
      return switch (function) {
        case "count" -> count;
        case "sum" -> sum;
        case "min" -> min;
        case "max" -> max;
        default -> throw new IllegalArgumentException(function);
      };
    }
  }

  /** What an hour of a series was rolled up to. */
  static final class Rolled {
    /** All that it ever was: values of an interval stay as they are while it is not computed. */
    final Set<Summary> possible = new HashSet<>();

    /** What it was rolled up to when all was. */
    Summary last = Summary.EMPTY;

    /** Whether that must be returned as long as it has not expired itself. */
    boolean isCertain;

    /**
     * Whether its row may have been rewritten, or got an annotation: once its points have expired,
     * it has no values until it is rolled up.
     */
    boolean mayBeHidden;
  }

  private final NavigableMap<Series, NavigableMap<Long, List<Double>>> points = new TreeMap<>();
  private final Map<Series, NavigableMap<Long, Rolled>> rolled = new TreeMap<>();
  private final Map<Series, Long> deletedBefore = new TreeMap<>();
  KeepRules rules = KeepRules.NONE;
  private boolean haveIntervalsDrifted;

  static long hour(long millis) {
    long seconds = millis / 1000;
    return seconds - seconds % HOUR;
  }

  /** Whether the points of an hour are not returned. */
  boolean hasExpired(Series series, long millis, long now) {
    return rules.hasExpired(series.host(), hour(millis), now);
  }

  /** Whether points of an hour are not returned, or were deleted when they were not. */
  boolean hasEverExpired(Series series, long hour, long now) {
    return rules.hasExpired(series.host(), hour, now)
        || hour < deletedBefore.getOrDefault(series, 0L);
  }

  /** The first hour of which nothing has ever expired. */
  long firstKept(long now) {
    return Math.max(deletedBefore(), rules.firstKept(now));
  }

  private long deletedBefore() {
    return deletedBefore.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** The last timestamp of a point, in seconds. */
  long newest() {
    return points.values().stream()
        .filter(ofSeries -> !ofSeries.isEmpty())
        .mapToLong(ofSeries -> ofSeries.lastKey() / 1000)
        .max()
        .orElse(0);
  }

  private List<Double> at(Series series, long millis) {
    return points
        .computeIfAbsent(series, k -> new TreeMap<>())
        .computeIfAbsent(
            millis,
            k -> {
              List<Double> none = new ArrayList<>();
              none.add(NONE);
              return none;
            });
  }

  private void touch(Series series, long millis) {
    Rolled of = rolled.getOrDefault(series, new TreeMap<>()).get(hour(millis));
    if (of != null) {
      of.isCertain = false;
    }
  }

  /** A point is about to get a value. */
  void maySet(Series series, long millis, double value) {
    at(series, millis).add(value);
    touch(series, millis);
  }

  /** It has. */
  void set(Series series, long millis, double value) {
    List<Double> possible = at(series, millis);
    possible.clear();
    possible.add(value);
  }

  /** Points of a time are about to be deleted. */
  void mayDelete(Series series, long from, long until) {
    forEachIn(series, from, until, (millis, possible) -> possible.add(NONE));
  }

  /** They are; those that have expired may be. */
  void delete(Series series, long from, long until, long now) {
    forEachIn(
        series,
        from,
        until,
        (millis, possible) -> {
          if (!hasExpired(series, millis, now)) {
            possible.clear();
            possible.add(NONE);
          }
        });
  }

  private void forEachIn(
      Series series, long from, long until, BiConsumer<Long, List<Double>> action) {
    points
        .getOrDefault(series, new TreeMap<>())
        .subMap(from, until)
        .forEach(
            (millis, possible) -> {
              touch(series, millis);
              action.accept(millis, possible);
            });
  }

  /** What the hours that have expired are rolled up to before their points are deleted. */
  Map<Series, Map<Long, Summary>> expiring(long now) {
    Map<Series, Map<Long, Summary>> all = new TreeMap<>();
    for (Series series : series()) {
      Map<Long, Summary> hours = new TreeMap<>();
      for (long millis : all(series).keySet()) {
        long hour = hour(millis);
        if (hasExpired(series, millis, now) && !hours.containsKey(hour)) {
          Summary summary = summary(points(series, hour * 1000, (hour + HOUR) * 1000).values());
          if (summary.count() > 0) {
            hours.put(hour, summary);
          }
        }
      }
      all.put(series, hours);
    }
    return all;
  }

  /**
   * Points of these hours may have been deleted: if they were, their values stay.
   *
   * @param areHours whether values of hours are maintained
   */
  void haveExpired(Map<Series, Map<Long, Summary>> expiring, boolean areHours, long now) {
    expiring.forEach(
        (series, hours) ->
            hours.forEach(
                (hour, summary) -> {
                  if (points(series, hour * 1000, (hour + HOUR) * 1000).isEmpty()) {
                    Rolled of =
                        rolled
                            .computeIfAbsent(series, k -> new TreeMap<>())
                            .computeIfAbsent(hour, k -> new Rolled());
                    of.possible.add(summary);
                    if (areHours && !rules.haveValuesExpired(series.host(), hour, now)) {
                      of.last = summary;
                      of.isCertain = true;
                      of.mayBeHidden = false;
                    }
                  }
                }));
  }

  /**
   * What has expired is about to be deleted.
   *
   * @param areRolledUp whether rows that are marked are not
   */
  void mayExpire(long now, boolean areRolledUp) {
    points.forEach(
        (series, ofSeries) ->
            ofSeries.forEach(
                (millis, possible) -> {
                  if (hasExpired(series, millis, now)) {
                    possible.add(NONE);
                    deletedBefore.merge(series, hour(millis) + HOUR, Math::max);
                  }
                }));
    rolled.forEach(
        (series, ofSeries) ->
            ofSeries.forEach(
                (hour, of) -> {
                  if (of.mayBeHidden
                      && !areRolledUp
                      && rules.hasExpired(series.host(), hour, now)) {
                    of.isCertain = false; // a mark stays, and a rule may be made longer
                  }
                  if (rules.haveValuesExpired(series.host(), hour, now)) {
                    of.possible.add(Summary.EMPTY);
                    of.isCertain = false;
                  }
                }));
  }

  /** It is. */
  void expire(long now) {
    points.forEach(
        (series, ofSeries) ->
            ofSeries.keySet().removeIf(millis -> hasExpired(series, millis, now)));
  }

  /**
   * A point was read, or was not, where its hour has not expired, or in the table.
   *
   * @return whether it may be so
   */
  boolean read(Series series, long millis, double value) {
    List<Double> possible = at(series, millis);
    if (!possible.contains(value)) {
      return false;
    }
    if (possible.size() > 1) {
      set(series, millis, value);
    }
    return true;
  }

  Set<Series> series() {
    return points.keySet();
  }

  /** Whether there may be several values of a point. */
  boolean isUncertain() {
    return points.values().stream()
        .flatMap(ofSeries -> ofSeries.values().stream())
        .anyMatch(possible -> possible.size() > 1);
  }

  String possible(Series series, long millis) {
    return String.valueOf(at(series, millis));
  }

  /** All points that there may be, expired or not. */
  NavigableMap<Long, List<Double>> all(Series series) {
    return points.getOrDefault(series, new TreeMap<>());
  }

  /** The points of a time, expired or not; all must be certain. */
  NavigableMap<Long, Double> points(Series series, long from, long until) {
    NavigableMap<Long, Double> found = new TreeMap<>();
    all(series)
        .subMap(from, until)
        .forEach(
            (millis, possible) -> {
              double value = possible.get(0);
              if (!Double.isNaN(value)) {
                found.put(millis, value);
              }
            });
    return found;
  }

  static Summary summary(Iterable<Double> values) {
    long count = 0;
    double sum = 0;
    double min = Double.POSITIVE_INFINITY;
    double max = Double.NEGATIVE_INFINITY;
    for (double value : values) {
      count++;
      sum += value;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
    return count == 0 ? Summary.EMPTY : new Summary(count, sum, min, max);
  }

  /**
   * Hours are rolled up.
   *
   * @param until where the last hour ends that can be
   * @param isComplete whether all of them are, of points in their final rows
   */
  void roll(long until, long now, boolean isComplete) {
    points.forEach(
        (series, ofSeries) -> {
          NavigableMap<Long, Rolled> of = rolled.computeIfAbsent(series, k -> new TreeMap<>());
          Set<Long> hours = new TreeSet<>(of.keySet());
          ofSeries.headMap(until * 1000).keySet().forEach(millis -> hours.add(hour(millis)));
          for (long hour : hours) {
            Rolled one = of.computeIfAbsent(hour, k -> new Rolled());
            // Points of other series may have expired: values of other intervals stay then as well.
            boolean hasExpired = hasEverExpired(series, hour, now) || hour < deletedBefore();
            one.mayBeHidden &= !isComplete;
            boolean isLast = isComplete && !hasExpired && hour + HOUR <= until;
            if (isLast) {
              one.isCertain = true;
            } else if (!one.isCertain || !hasExpired) {
              one.isCertain = false;
            } else {
              continue;
            }
            Map<Long, Double> values = points(series, hour * 1000, (hour + HOUR) * 1000);
            one.possible.add(summary(values.values()));
            one.last = isLast ? summary(values.values()) : one.last;
          }
        });
  }

  /** An hour whose points were deleted when they had expired may have others now. */
  void readsPoints(Series series, long hour, long now, Rolled of) {
    if (!of.isCertain && !rules.hasExpired(series.host(), hour, now)) {
      of.possible.add(summary(points(series, hour * 1000, (hour + HOUR) * 1000).values()));
    }
  }

  /** Rows are rewritten, those that have expired as well. */
  void mayRewrite() {
    rolled.values().forEach(of -> of.values().forEach(one -> one.mayBeHidden = true));
  }

  /** A row is about to get an annotation. */
  void mayAnnotate(Series series, long millis) {
    Rolled of = rolled(series).get(hour(millis));
    if (of != null) {
      of.mayBeHidden = true;
    }
  }

  /** Other intervals are maintained from now on: rolled-up values may be lost, or not. */
  void changeIntervals() {
    rolled.values().forEach(of -> of.values().forEach(one -> one.isCertain = false));
    haveIntervalsDrifted |= deletedBefore() > 0;
  }

  /**
   * Whether days whose points were deleted may be others than the sums of their hours, as one of
   * the two was not maintained for a while.
   */
  boolean haveIntervalsDrifted() {
    return haveIntervalsDrifted;
  }

  NavigableMap<Long, Rolled> rolled(Series series) {
    return rolled.getOrDefault(series, new TreeMap<>());
  }
}
