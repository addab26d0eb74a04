package org.hourstone.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hourstone.query.Query;

/** What there is ever more of, what is asked about it, and what its cost is divided by. */
enum Growth {
  /** More series; all hours are asked for. */
  SERIES("series", "µs a series"),
  /** More hours; all are asked for. */
  RANGE("hours", "µs an hour"),
  /** More hours; the same one in their middle is asked for. */
  OUTSIDE("hours stored", "µs a query"),
  /** More series, each of which lasts an hour; all hours are asked for. */
  CHURN("series", "µs a series");

  private static final int HOUR = 3600;

  private final String counted;
  private final String unit;

  Growth(String counted, String unit) {
    this.counted = counted;
    this.unit = unit;
  }

  static Growth of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  /** What {@link #count} counts. */
  String counted() {
    return counted;
  }

  /** The unit of {@link #perUnit}. */
  String unit() {
    return unit;
  }

  FleetRows rows(int series, int hours, int step) {
    return this == CHURN
        ? FleetRows.comingAndGoing(series, step)
        : new FleetRows(series, hours, step);
  }

  int count(FleetRows rows) {
    return this == SERIES || this == CHURN ? rows.series() : rows.hours();
  }

  /** The microseconds for each of those whose number the cost may grow with. */
  double perUnit(double millis, FleetRows rows) {
    return millis * 1000 / (this == OUTSIDE ? 1 : count(rows));
  }

  /** The questions by name. */
  Map<String, Question> questions(FleetRows rows) {
    Map<String, String> expressions = new LinkedHashMap<>();
    if (rows.lasting()) {
      expressions.put("one series", "sum:%s{host=h7}");
      expressions.put("one host by regular expression", "sum:%s{host=regexp(^h77$)}");
      expressions.put("hosts of a data center by wildcard", "sum:%s{dc=dc7,host=wildcard(*777)}");
      expressions.put("all, by data center", "sum:%s{dc=*}");
      expressions.put("all, by host", "none:%s");
    } else {
      expressions.put("all", "sum:%s");
      expressions.put("all, by pod", "sum:%s{pod=*}");
    }
    long start = DevopsWorkload.START + (this == OUTSIDE ? (long) (rows.hours() / 2) * HOUR : 0);
    long end = start + (this == OUTSIDE ? 1L : rows.hours()) * HOUR;
    Map<String, Question> questions = new LinkedHashMap<>();
    expressions.forEach(
        (name, expression) -> {
          Query query =
              Query.parse(String.format(Locale.ROOT, expression, FleetRows.METRIC))
                  .betweenMillis(start * 1000, end * 1000 - 1);
          questions.put(name, new Question(name, List.of(query), ""));
        });
    return questions;
  }
}
