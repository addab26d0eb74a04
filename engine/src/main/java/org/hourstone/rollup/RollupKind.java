package org.hourstone.rollup;

import org.hourstone.error.RequestException;

/**
 * What a value was computed from: all points of an interval, all series of a group, or both.
 *
 * @param interval the name of the interval; empty if the value has the resolution of the points
 * @param aggregator how the interval's points were aggregated; empty without an interval
 * @param groupBy how the group's series were aggregated; empty if the value is of one series
 */
public record RollupKind(String interval, String aggregator, String groupBy) {
  /**
   * Parses {@code interval-aggregator}, {@code interval-aggregator:groupBy} or {@code groupBy}.
   *
   * @throws RequestException if it has another form
   */
  public static RollupKind parse(String text) {
    int colon = text.indexOf(':');
    String temporal = colon < 0 ? text : text.substring(0, colon);
    String groupBy = colon < 0 ? "" : text.substring(colon + 1);
    int dash = temporal.indexOf('-');
    if (dash < 0 && colon < 0 && !text.isEmpty()) {
      return new RollupKind("", "", text);
    }
    if (dash < 1 || dash == temporal.length() - 1 || (colon >= 0 && groupBy.isEmpty())) {
      throw new RequestException(
          "'"
              + text
              + "' is not one of interval-aggregator, interval-aggregator:groupby and groupby");
    }
    return new RollupKind(temporal.substring(0, dash), temporal.substring(dash + 1), groupBy);
  }

  /** Whether it was aggregated over an interval. */
  public boolean hasInterval() {
    return !interval.isEmpty();
  }

  /** Whether it was aggregated over a group of series. */
  public boolean isGroup() {
    return !groupBy.isEmpty();
  }
}
