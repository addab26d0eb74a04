package org.hourstone.query.run;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.query.Explanation.Kind;
import org.hourstone.query.Explanation.Origin;
import org.hourstone.query.Explanation.Point;
import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.rows.ScanRange;
import org.hourstone.series.Buckets;
import org.hourstone.series.Downsample;
import org.hourstone.series.FillPolicy;

/**
 * Finds the points of a series from which a value of its group was computed: runs the same steps on
 * the points' positions instead of their values.
 */
final class OriginSearch {
  /** The output of a step: one value at a timestamp, computed from the points in an index range. */
  private record Made(long millis, int from, int to) {}

  private final Query query;
  private final ScanRange range;

  /**
   * @param query the steps applied to the points
   * @param range the rows they are from
   */
  OriginSearch(Query query, ScanRange range) {
    this.query = query;
    this.range = range;
  }

  /**
   * @param series its points in the rows that were read
   */
  Origin origin(String tsuid, ResultSeries series, long millis) {
    List<Made> values = rates(buckets(series));
    int next = 0;
    while (next < values.size() && values.get(next).millis() < millis) {
      next++;
    }
    if (next < values.size() && values.get(next).millis() == millis) {
      return origin(tsuid, Kind.POINTS, series, List.of(values.get(next)));
    }
    Downsample downsample = query.downsample();
    if (downsample != null && downsample.fill() != FillPolicy.NONE && !downsample.isAll()) {
      return origin(tsuid, Kind.FILLED, series, List.of());
    }
    if (next == 0 || next == values.size()) {
      return origin(tsuid, Kind.NOTHING, series, List.of());
    }
    Made before = values.get(next - 1);
    if (query.rate() != null) {
      return origin(tsuid, Kind.HELD, series, List.of(before));
    }
    return switch (query.aggregator().interpolation()) {
      case LINEAR, WRAPPED_LINEAR ->
          origin(tsuid, Kind.BETWEEN, series, List.of(before, values.get(next)));
      case PREVIOUS -> origin(tsuid, Kind.HELD, series, List.of(before));
      case ZERO, MAX, MIN, POSITIVE_MIN -> origin(tsuid, Kind.CONSTANT, series, List.of());
    };
  }

  private static Origin origin(String tsuid, Kind kind, ResultSeries series, List<Made> of) {
    List<Point> points = new ArrayList<>();
    int more = 0;
    for (Made made : of) {
      for (int i = made.from(); i < made.to(); i++) {
        if (points.size() < Origin.MOST) {
          points.add(new Point(series.millis(i), series.text(i)));
        } else {
          more++;
        }
      }
    }
    return new Origin(tsuid, kind, points, more);
  }

  private List<Made> buckets(ResultSeries series) {
    Downsample downsample = query.downsample();
    List<Made> made = new ArrayList<>();
    Buckets buckets = downsample == null || downsample.isAll() ? null : Buckets.of(downsample);
    long first =
        buckets == null || downsample == null
            ? Long.MIN_VALUE
            : Buckets.firstStart(downsample, range.startSeconds() * 1000);
    for (int i = 0; i < series.size(); i++) {
      long millis = series.millis(i);
      if (downsample == null) {
        made.add(new Made(millis, i, i + 1));
      } else if (buckets == null) {
        if (millis >= query.startMillis() && millis < query.endMillis()) {
          add(made, query.startMillis(), i);
        }
      } else if (millis >= first) {
        if (millis >= buckets.end()) {
          buckets.moveTo(millis);
        }
        add(made, buckets.start(), i);
      }
    }
    return made;
  }

  /** Puts a point into the last bucket, or into the next one. */
  private static void add(List<Made> made, long start, int i) {
    int last = made.size() - 1;
    if (last >= 0 && made.get(last).millis() == start) {
      made.set(last, new Made(start, made.get(last).from(), i + 1));
    } else {
      made.add(new Made(start, i, i + 1));
    }
  }

  private List<Made> rates(List<Made> values) {
    if (query.rate() == null) {
      return values;
    }
    List<Made> rates = new ArrayList<>();
    for (int i = 1; i < values.size(); i++) {
      Made value = values.get(i);
      rates.add(new Made(value.millis(), values.get(i - 1).from(), value.to()));
    }
    return rates;
  }
}
