package org.hourstone.series;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.EnumSet;
import org.hourstone.error.RequestException;

/**
 * How each series is downsampled before series are combined: the points of each bucket are reduced
 * to one double at the bucket's start. See {@code docs/query.md#downsampling}.
 *
 * @param number the width of a bucket in units; {@link #ALL} for one bucket that holds the whole
 *     range
 * @param unit of the number
 * @param aggregator any but {@link Aggregator#NONE}
 * @param fill the value of buckets without points
 * @param calendar whether buckets begin at the days, months and so on of the time zone; else they
 *     are counted from the epoch
 * @param zone the time zone of the days
 * @param countsFromFirstPoint whether calendar buckets are counted from the first point of each
 *     series, as in OpenTSDB; else they are the same for all series and ranges
 */
public record Downsample(
    long number,
    DurationUnit unit,
    Aggregator aggregator,
    FillPolicy fill,
    boolean calendar,
    ZoneId zone,
    boolean countsFromFirstPoint) {
  /** In place of a number: one bucket from the start of the range to its end, exclusive. */
  public static final long ALL = 0;

  private static final String CALENDAR_SUFFIX = "c";

  public Downsample {
    if (number < 0) {
      throw new RequestException("Zero or negative duration: " + number + unit.suffix());
    }
    if (number > Long.MAX_VALUE / unit.millis()) {
      throw new RequestException("Duration must be < Long.MAX_VALUE ms: " + number + unit.suffix());
    }
    if (aggregator == Aggregator.NONE) {
      throw new RequestException("cannot use the NONE aggregator for downsampling");
    }
  }

  /**
   * Buckets of a fixed interval counted from the epoch; buckets without points are omitted. The
   * interval is expressed in the largest unit that divides it, up to weeks.
   */
  public static Downsample fixed(long intervalMillis, Aggregator aggregator) {
    DurationUnit unit = DurationUnit.MILLISECONDS;
    for (DurationUnit larger : EnumSet.range(DurationUnit.SECONDS, DurationUnit.WEEKS)) {
      unit = intervalMillis % larger.millis() == 0 ? larger : unit;
    }
    return new Downsample(
        intervalMillis / unit.millis(),
        unit,
        aggregator,
        FillPolicy.NONE,
        false,
        ZoneOffset.UTC,
        false);
  }

  /**
   * Parses a specifier such as {@code 5m-avg}, {@code 1dc-sum-zero} or {@code 0all-max}.
   *
   * @param durations how intervals are parsed
   * @throws RequestException if it is malformed; the message says why
   */
  public static Downsample parse(String text, Durations durations) {
    String[] parts = text.split("-");
    if (parts.length < 2) {
      throw invalid(text, "must provide at least interval and function");
    }
    if (parts.length > 3) {
      throw invalid(text, "must consist of interval, function, and optional fill policy");
    }
    if (parts[0].isEmpty()) {
      throw invalid(text, "must begin with an interval");
    }
    boolean all = durations.isAll(parts[0]);
    boolean calendar = !all && parts[0].endsWith(CALENDAR_SUFFIX);
    String interval = calendar ? parts[0].substring(0, parts[0].length() - 1) : parts[0];
    Durations.Span span =
        all ? new Durations.Span(ALL, DurationUnit.MILLISECONDS) : durations.parse(interval);
    return new Downsample(
        span.number(),
        span.unit(),
        function(parts[1]),
        parts.length == 3 ? FillPolicy.parse(parts[2]) : FillPolicy.NONE,
        calendar,
        ZoneOffset.UTC,
        durations.countsFromFirstPoint());
  }

  /** As {@link #parse(String, Durations)}, with Hourstone's durations. */
  public static Downsample parse(String text) {
    return parse(text, Durations.HOURSTONE);
  }

  private static RequestException invalid(String text, String why) {
    return new RequestException("Invalid downsampling specifier '" + text + "': " + why);
  }

  private static Aggregator function(String name) {
    try {
      return Aggregator.parse(name);
    } catch (RequestException e) {
      throw new RequestException("No such downsampling function: " + name, e);
    }
  }

  /** The specifier; it contains all fields except the zone. */
  public String text() {
    String interval = isAll() ? "0" + Durations.ALL_NAME : number + unit.suffix();
    return interval
        + (calendar ? CALENDAR_SUFFIX : "")
        + "-"
        + aggregator.requestName()
        + (fill == FillPolicy.NONE ? "" : "-" + fill.requestName());
  }

  /** The nominal width of buckets: months count 30 days, years 365. {@link #ALL} for one bucket. */
  public long intervalMillis() {
    return number * unit.millis();
  }

  public boolean isAll() {
    return number == ALL;
  }

  /** A copy with calendar buckets; unchanged if it is one bucket over the whole range. */
  public Downsample withCalendar() {
    return new Downsample(number, unit, aggregator, fill, !isAll(), zone, countsFromFirstPoint);
  }

  /** A copy with another aggregator. */
  public Downsample withAggregator(Aggregator other) {
    return new Downsample(number, unit, other, fill, calendar, zone, countsFromFirstPoint);
  }

  /** A copy with another time zone, if buckets are calendar buckets; else unchanged. */
  public Downsample withZone(ZoneId other) {
    return new Downsample(number, unit, aggregator, fill, calendar, other, countsFromFirstPoint);
  }
}
