package org.hourstone.testing.life;

import java.util.List;
import java.util.stream.Collectors;

/** Rules of retention, as a model needs them: the first that matches a host applies. */
record KeepRules(List<Rule> rules) {
  static final KeepRules NONE = new KeepRules(List.of());

  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;

  /**
   * A rule.
   *
   * @param host a tag's value, or {@code *} for any series
   * @param points how many days these are kept
   * @param values how many days rolled-up values are kept, if the points are not kept longer
   */
  record Rule(String host, int points, int values) {
    boolean matches(String other) {
      return host.equals("*") || host.equals(other);
    }

    String text(List<String> intervals) {
      String ofIntervals =
          intervals.stream()
              .map(interval -> ", " + interval + " " + values + "d")
              .collect(Collectors.joining());
      return "*"
          + (host.equals("*") ? "" : "{host=" + host + "}")
          + " raw "
          + points
          + "d"
          + ofIntervals;
    }
  }

  /** The setting, with what it says of these intervals. */
  String text(List<String> intervals) {
    return rules.stream().map(rule -> rule.text(intervals)).collect(Collectors.joining("; "));
  }

  /** Whether the points of an hour have expired. */
  boolean hasExpired(String host, long hour, long now) {
    return rules.stream()
        .filter(rule -> rule.matches(host))
        .findFirst()
        .map(rule -> now - (hour + HOUR) >= rule.points() * DAY)
        .orElse(false);
  }

  /** Whether rolled-up values of an hour have expired, in rows of a day. */
  boolean haveValuesExpired(String host, long hour, long now) {
    return rules.stream()
        .filter(rule -> rule.matches(host))
        .findFirst()
        .map(
            rule -> now - (hour - hour % DAY + DAY) >= Math.max(rule.points(), rule.values()) * DAY)
        .orElse(false);
  }

  /** The first hour of which nothing has expired. */
  long firstKept(long now) {
    int least = rules.stream().mapToInt(Rule::points).min().orElse(0);
    return least == 0 ? 0 : now - now % HOUR - least * DAY;
  }
}
