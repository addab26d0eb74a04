package org.hourstone.rollup;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.hourstone.codec.Timestamps;
import org.hourstone.kv.Family;
import org.jspecify.annotations.Nullable;

/**
 * The intervals that a database computes, and where their values are. Immutable.
 *
 * @param ofPoints the intervals that divide an hour, which are computed from points; shortest first
 * @param ofDays those of whole hours that divide a day, which are computed from the longest of the
 *     others; shortest first
 * @param ids of the aggregations
 */
public record RollupPlan(
    RollupConfig config, List<RollupInterval> ofPoints, List<RollupInterval> ofDays, Ids ids) {
  static final long DAY = 86_400;

  /** The ids of the stored aggregations. */
  record Ids(int sum, int count, int min, int max) {}

  /** The intervals that {@code names} may have if nothing else is configured. */
  private static final List<String> USUAL = List.of("1m", "5m", "10m", "15m", "30m", "1h", "1d");

  /**
   * @param names of the intervals
   * @throws IllegalArgumentException if they can't be computed; the message says why
   */
  public static RollupPlan of(RollupConfig config, List<String> names) {
    List<RollupInterval> chosen = new ArrayList<>();
    for (String name : names) {
      RollupInterval interval =
          config.intervals().stream()
              .filter(each -> each.name().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "no rollup interval " + name + " is configured"));
      if (interval.isDefault()) {
        throw new IllegalArgumentException("the interval " + name + " is that of points");
      }
      if (!interval.rowSpan().isRegular() && interval.seconds() < DAY) {
        throw new IllegalArgumentException(
            "the rows of the interval " + name + " are longer than a day");
      }
      chosen.add(interval);
    }
    chosen.sort(Comparator.comparingLong(RollupInterval::seconds));
    List<RollupInterval> ofPoints =
        chosen.stream().filter(each -> Timestamps.ROW_SECONDS % each.seconds() == 0).toList();
    List<RollupInterval> ofDays =
        chosen.stream().filter(each -> Timestamps.ROW_SECONDS % each.seconds() != 0).toList();
    for (RollupInterval interval : ofDays) {
      if (interval.seconds() % Timestamps.ROW_SECONDS != 0 || DAY % interval.seconds() != 0) {
        throw new IllegalArgumentException(
            "the interval "
                + interval.name()
                + " neither divides an hour nor is made of hours and divides a day");
      }
    }
    if (ofPoints.isEmpty()) {
      throw new IllegalArgumentException(
          String.join(",", names)
              + ": an interval is needed that divides an hour, such as 1h: the others are computed"
              + " from its values");
    }
    return new RollupPlan(
        config,
        ofPoints,
        ofDays,
        new Ids(config.idOf("sum"), config.idOf("count"), config.idOf("min"), config.idOf("max")));
  }

  /**
   * The configuration of these intervals if there is no other.
   *
   * @param data the name of the data table
   * @throws IllegalArgumentException if an interval is not one of the usual ones
   */
  public static RollupConfig configuration(List<String> names, String data) {
    StringBuilder intervals = new StringBuilder();
    for (String name : names) {
      if (!USUAL.contains(name)) {
        throw new IllegalArgumentException(
            "interval '"
                + name
                + "': without tsd.rollups.config it must be one of "
                + String.join(", ", USUAL));
      }
      boolean isLong = name.equals("1d");
      intervals.append(
          String.format(
              Locale.ROOT,
              ",{\"interval\":\"%s\",\"rowSpan\":\"%s\",\"table\":\"%s-rollup-%s\",\"preAggregationTable\":\"%s-rollup-%s\"}",
              name,
              isLong ? "1y" : "1d",
              data,
              name,
              data,
              name));
    }
    return RollupConfig.of(
        String.format(
            Locale.ROOT,
            "{\"aggregationIds\":{\"sum\":0,\"count\":1,\"min\":2,\"max\":3},\"intervals\":["
                + "{\"interval\":\"1s\",\"rowSpan\":\"1h\",\"defaultInterval\":true,\"table\":\"%s\","
                + "\"preAggregationTable\":\"%s\"}%s]}",
            data,
            data,
            intervals));
  }

  /** The names of all intervals. */
  public Set<String> names() {
    return longestFirst().stream().map(RollupInterval::name).collect(Collectors.toSet());
  }

  /** All intervals, longest first. */
  public List<RollupInterval> longestFirst() {
    List<RollupInterval> all = new ArrayList<>(ofPoints);
    all.addAll(ofDays);
    all.sort(Comparator.<RollupInterval>comparingLong(RollupInterval::seconds).reversed());
    return all;
  }

  /** The one from which those of days are computed. */
  RollupInterval feeding() {
    return ofPoints.get(ofPoints.size() - 1);
  }

  /**
   * The family of the rows from which those of days are computed; null if none are.
   *
   * @param name of all families
   */
  public @Nullable Family feedingDays(String name) {
    return ofDays.isEmpty() ? null : new Family(feeding().table(), name);
  }

  /** All that the stored values depend on, as a text. */
  String fingerprint() {
    return longestFirst().stream()
            .map(each -> each.name() + " " + each.rowSpan() + " " + each.table())
            .collect(Collectors.joining(", "))
        + " "
        + ids;
  }

  /** The hours of which an interval has values, of those that are rolled up. */
  public HourRange usable(RollupInterval interval, HourRange done) {
    return done.inWhole(ofDays.contains(interval) ? DAY : Timestamps.ROW_SECONDS);
  }
}
