package org.hourstone.api;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoublePredicate;
import org.hourstone.internal.JsonBuffer;
import org.hourstone.internal.JsonPoints;
import org.hourstone.query.ResultSeries;

/** Writes the points of series, and the fields before and after them, piece by piece. */
final class SeriesWriter {
  /** The number of points written in one piece. */
  private static final int PIECE = 4096;

  /** Of a point whose value is a small integer. */
  private static final int USUAL_BYTES = 18;

  private final JsonBuffer json;
  private final boolean milliseconds;
  private final boolean arrays;
  private final DoublePredicate isNull;
  private final ApiDialect dialect;

  /**
   * @param milliseconds whether times are in milliseconds, else in seconds
   * @param arrays whether points are arrays of two, else the fields of an object
   * @param isNull which values are null; others that are not numbers are texts, such as NaN
   * @param dialect chooses the order of tags and the form of doubles
   */
  SeriesWriter(
      JsonBuffer json,
      boolean milliseconds,
      boolean arrays,
      DoublePredicate isNull,
      ApiDialect dialect) {
    this.json = json;
    this.milliseconds = milliseconds;
    this.arrays = arrays;
    this.isNull = isNull;
    this.dialect = dialect;
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
    for (int i = from; i < to; i++) {
      long time = milliseconds ? series.millis(i) : series.millis(i) / 1000;
      if (series.isInteger(i)) {
        points.add(time, series.longValue(i));
      } else {
        add(points, time, series.doubleValue(i));
      }
    }
    if (to == series.size()) {
      (to > 0 ? json.dropLast() : json).raw(arrays ? ']' : '}');
    }
    return to;
  }

  private void add(JsonPoints points, long time, double value) {
    if (isNull.test(value)) {
      points.addNull(time);
    } else {
      points.add(time, value);
    }
  }
}
