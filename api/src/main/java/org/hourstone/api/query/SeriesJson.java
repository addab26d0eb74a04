package org.hourstone.api.query;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoublePredicate;
import org.hourstone.api.endpoint.ApiDialect;
import org.hourstone.internal.JsonBuffer;
import org.hourstone.internal.JsonPoints;
import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SecondPoints;
import org.jspecify.annotations.Nullable;

/** Writes the points of series, and the fields before and after them, piece by piece. */
final class SeriesJson {
  /** The number of points written in one piece. */
  private static final int PIECE = 4096;

  /** Of a point whose value is a small integer. */
  private static final int USUAL_BYTES = 18;

  private final JsonBuffer json;
  private final boolean milliseconds;
  private final boolean arrays;
  private final DoublePredicate isNull;
  private final ApiDialect dialect;
  private final @Nullable Query query;

  /**
   * @param milliseconds whether times are in milliseconds, else in seconds
   * @param arrays whether points are arrays of two, else the fields of an object
   * @param isNull which values are null; others that are not numbers are texts, such as NaN
   * @param dialect chooses the order of tags and the form of doubles
   * @param query whose result the series are of; null for an expression
   */
  SeriesJson(
      JsonBuffer json,
      boolean milliseconds,
      boolean arrays,
      DoublePredicate isNull,
      ApiDialect dialect,
      @Nullable Query query) {
    this.json = json;
    this.milliseconds = milliseconds;
    this.arrays = arrays;
    this.isNull = isNull;
    this.dialect = dialect;
    this.query = query;
  }

  /** {@code "metric":…,"tags":{…},"aggregateTags":[…]}. */
  void title(ResultSeries series) {
    json.raw("\"metric\":").string(series.metric()).raw(",\"tags\":");
    char separator = '{';
    Map<String, String> tags = dialect.hashesTags() ? new HashMap<>(series.tags()) : series.tags();
    for (Map.Entry<String, String> tag : tags.entrySet()) {
      json.raw(separator).string(tag.getKey()).raw(':').string(tag.getValue());
      separator = ',';
    }
    json.raw(series.tags().isEmpty() ? "{}" : "}");
    texts("aggregateTags", series.aggregateTags());
  }

  /** {@code ,"name":["text",…]}. */
  void texts(String name, List<String> texts) {
    json.raw(",\"").raw(name).raw("\":[");
    for (int i = 0; i < texts.size(); i++) {
      json.raw(i == 0 ? "" : ",").string(texts.get(i));
    }
    json.raw(']');
  }

  /**
   * Writes some points.
   *
   * @param from the index of the first; 0 at the start
   * @return the index of the next point; the number of points at the end
   */
  int points(ResultSeries series, int from) {
    int to = Math.min(series.size(), from + PIECE);
    if (from == 0) {
      json.raw(arrays ? ",\"dps\":[" : ",\"dps\":{");
    }
    json.room((to - from) * USUAL_BYTES);
    JsonPoints points = new JsonPoints(json, arrays, dialect.decimals());
    int next;
    if (milliseconds) {
      next = exact(series, points, from, to);
    } else if (arrays || dialect.repeatsSeconds()) {
      next = inSeconds(series, points, from, to);
    } else {
      next = bySecond(series, points, from, to);
    }
    if (next == series.size()) {
      (next > 0 ? json.dropLast() : json).raw(arrays ? ']' : '}');
    }
    return next;
  }

  private int exact(ResultSeries series, JsonPoints points, int from, int to) {
    for (int i = from; i < to; i++) {
      add(points, series, series.millis(i), i);
    }
    return to;
  }

  private int inSeconds(ResultSeries series, JsonPoints points, int from, int to) {
    for (int i = from; i < to; i++) {
      add(points, series, series.millis(i) / 1000, i);
    }
    return to;
  }

  /** Each second once, since its key may not be repeated. */
  private int bySecond(ResultSeries series, JsonPoints points, int from, int to) {
    int size = series.size();
    int i = from;
    long millis = i < to ? series.millis(i) : 0;
    while (i < to) {
      long next = i + 1 < size ? series.millis(i + 1) : Long.MAX_VALUE;
      if (next - millis < 1000 && next / 1000 == millis / 1000) {
        i = addSecond(series, points, i);
        next = i < size ? series.millis(i) : Long.MAX_VALUE;
      } else {
        add(points, series, millis / 1000, i);
        i++;
      }
      millis = next;
    }
    return i;
  }

  /** Writes the points of a second as one; returns the index of the first after them. */
  private int addSecond(ResultSeries series, JsonPoints points, int from) {
    SecondPoints seconds = new SecondPoints(series, query);
    int end = seconds.end(from);
    long time = series.millis(from) / 1000;
    if (seconds.isInteger(from, end)) {
      points.add(time, seconds.longValue(from, end));
    } else {
      add(points, time, seconds.doubleValue(from, end));
    }
    return end;
  }

  private void add(JsonPoints points, ResultSeries series, long time, int i) {
    if (series.isInteger(i)) {
      points.add(time, series.longValue(i));
    } else {
      add(points, time, series.doubleValue(i));
    }
  }

  private void add(JsonPoints points, long time, double value) {
    if (isNull.test(value)) {
      points.addNull(time);
    } else {
      points.add(time, value);
    }
  }
}
