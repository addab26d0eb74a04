package org.hourstone.bench;

import java.util.Locale;

/** What there is ever more of, what is asked about it, and what its cost is divided by. */
enum Growth {
  /** More series; all hours are asked for. */
  SERIES("series", "µs a series"),
  /** More hours; all are asked for. */
  RANGE("hours", "µs an hour"),
  /** More hours; the same one in their middle is asked for. */
  OUTSIDE("hours stored", "µs a query");

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

  int count(FleetRows rows) {
    return this == SERIES ? rows.hosts() : rows.hours();
  }

  /** The microseconds for each of those whose number the cost may grow with. */
  double perUnit(double millis, FleetRows rows) {
    return millis * 1000 / (this == OUTSIDE ? 1 : count(rows));
  }

  /** The first second of the range. */
  long start(FleetRows rows) {
    return DevopsWorkload.START + (this == OUTSIDE ? rows.hours() / 2L * HOUR : 0);
  }

  /** The first second after the range. */
  long end(FleetRows rows) {
    return start(rows) + (this == OUTSIDE ? 1L : rows.hours()) * HOUR;
  }
}
