package org.hourstone.api;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoublePredicate;
import org.hourstone.internal.JsonBuffer;
import org.hourstone.query.ResultSeries;

/** Writes the points of series, and the fields before and after them, piece by piece. */
final class SeriesWriter {
  /** The number of points written in one piece. */
  private static final int PIECE = 4096;

  private final JsonBuffer json;
  private final boolean milliseconds;
  private final boolean arrays;
  private final DoublePredicate isNull;
  private final boolean hashedTags;

  /**
   * @param milliseconds whether times are in milliseconds, else in seconds
   * @param arrays whether points are arrays of two, else the fields of an object
   * @param isNull which values are null; others that are not numbers are texts, such as NaN
   * @param hashedTags whether tags are in the order of a HashMap, as in OpenTSDB; otherwise ordered
   *     by name
   */
  SeriesWriter(
      JsonBuffer json,
      boolean milliseconds,
      boolean arrays,
      DoublePredicate isNull,
      boolean hashedTags) {
    this.json = json;
    this.milliseconds = milliseconds;
    this.arrays = arrays;
    this.isNull = isNull;
    this.hashedTags = hashedTags;
  }

  /** {@code "metric":…,"tags":{…},"aggregateTags":[…]}. */
  void title(ResultSeries series) {
    json.raw("\"metric\":").string(series.metric()).raw(",\"tags\":");
    char separator = '{';
    Map<String, String> tags = hashedTags ? new HashMap<>(series.tags()) : series.tags();
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
    for (int i = from; i < to; i++) {
      if (i > 0) {
        json.raw(',');
      }
      point(series, i);
    }
    if (to == series.size()) {
      json.raw(arrays ? ']' : '}');
    }
    return to;
  }

  private void point(ResultSeries series, int i) {
    long time = milliseconds ? series.millis(i) : series.millis(i) / 1000;
    if (arrays) {
      json.raw('[').number(time).raw(',');
      value(series, i);
      json.raw(']');
    } else {
      json.name(time);
      value(series, i);
    }
  }

  private void value(ResultSeries series, int i) {
    if (series.isInteger(i)) {
      json.number(series.longValue(i));
      return;
    }
    double value = series.doubleValue(i);
    if (isNull.test(value)) {
      json.raw("null");
    } else {
      json.number(value);
    }
  }
}
