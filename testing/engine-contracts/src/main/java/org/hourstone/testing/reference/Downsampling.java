package org.hourstone.testing.reference;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes one point of all the points of a bucket.
 *
 * @param interval null for one bucket for the whole range
 * @param function an aggregator's name
 * @param fill none, nan, null or zero
 * @param calendar counts the buckets; null if they are counted from 1970
 * @param ofEachSeries whether the calendar counts from the first point of a series
 */
record Downsampling(
    @Nullable Interval interval,
    String function,
    String fill,
    @Nullable Buckets calendar,
    boolean ofEachSeries) {

  static Downsampling parse(String text, boolean useCalendar, ZoneId zone, Mode mode) {
    String[] parts = text.split("-");
    String fill = parts.length < 3 ? "none" : parts[2].toLowerCase(Locale.ROOT);
    if (parts[0].contains("all")) {
      return new Downsampling(null, parts[1], fill, null, false);
    }
    boolean calendar = parts[0].endsWith("c");
    Interval interval =
        Interval.parse(calendar ? parts[0].substring(0, parts[0].length() - 1) : parts[0]);
    Buckets strict = new StrictCalendar(interval, zone);
    Buckets shared = new Calendar(interval, zone);
    return new Downsampling(
        interval,
        parts[1],
        fill,
        calendar || useCalendar ? (mode.ownCalendars() ? strict : shared) : null,
        mode.ownCalendars());
  }

  boolean fills() {
    return interval != null && !fill.equals("none");
  }

  /** The buckets' values by their start. */
  NavigableMap<Long, Number> of(NavigableMap<Long, Number> points, Window window) {
    NavigableMap<Long, Number> values = new TreeMap<>();
    buckets(points, window)
        .forEach(
            (start, bucket) -> {
              if (!bucket.isEmpty()) {
                values.put(start, Functions.ofDoubles(function, bucket));
              } else if (fills()) {
                values.put(start, fill.equals("zero") ? 0.0 : Double.NaN);
              }
            });
    return values;
  }

  private NavigableMap<Long, List<Double>> buckets(
      NavigableMap<Long, Number> points, Window window) {
    NavigableMap<Long, List<Double>> buckets = new TreeMap<>();
    if (interval == null) {
      points
          .subMap(window.startMillis(), true, window.endMillis(), false)
          .forEach((time, value) -> add(buckets, window.startMillis(), value));
      return buckets;
    }
    NavigableMap<Long, Number> whole = points.tailMap(firstWhole(window.scanStartMillis()), true);
    if (whole.isEmpty() && !fills()) {
      return buckets;
    }
    long from = start(whole.isEmpty() ? window.scanStopMillis() : whole.firstKey());
    long to = whole.isEmpty() ? from : whole.lastKey() + 1;
    if (fills()) {
      long first = firstWhole(window.scanStartMillis());
      long stop = start(window.scanStopMillis());
      if (calendar != null && ofEachSeries) {
        return filled(counted(whole, from, to), first, stop);
      }
      from = first;
      to = stop;
    }
    return counted(whole, from, to);
  }

  /** Those that a series would have anyway, where they begin as the filled ones do. */
  private NavigableMap<Long, List<Double>> filled(
      NavigableMap<Long, List<Double>> own, long from, long to) {
    NavigableMap<Long, List<Double>> buckets = new TreeMap<>();
    for (long start = from; start < to; start = next(start)) {
      buckets.put(start, own.getOrDefault(start, List.of()));
    }
    return buckets;
  }

  private NavigableMap<Long, List<Double>> counted(
      NavigableMap<Long, Number> whole, long from, long to) {
    NavigableMap<Long, List<Double>> buckets = new TreeMap<>();
    for (long start = from; start < to; start = next(start)) {
      buckets.put(start, new ArrayList<>());
    }
    for (Map.Entry<Long, Number> point : whole.entrySet()) {
      Map.Entry<Long, List<Double>> bucket = buckets.floorEntry(point.getKey());
      if (bucket != null && point.getKey() < next(bucket.getKey())) {
        bucket.getValue().add(point.getValue().doubleValue());
      }
    }
    return buckets;
  }

  /** The start of the first bucket that is read from its start. */
  private long firstWhole(long scanStart) {
    long start = start(scanStart);
    return start < scanStart ? next(start) : start;
  }

  private static void add(NavigableMap<Long, List<Double>> buckets, long start, Number value) {
    buckets.computeIfAbsent(start, s -> new ArrayList<>()).add(value.doubleValue());
  }

  /** The start of the bucket that a time is in. */
  long start(long millis) {
    return calendar == null ? millis - millis % millisOfInterval() : calendar.start(millis);
  }

  /** The start of the bucket after one that starts then. */
  long next(long start) {
    return calendar == null ? start + millisOfInterval() : calendar.next(start);
  }

  /** Of a bucket that is not of a calendar; 0 for the whole range. */
  long millisOfInterval() {
    return interval == null ? 0 : interval.millis();
  }
}
