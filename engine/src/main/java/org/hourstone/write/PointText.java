package org.hourstone.write;

import java.util.Arrays;
import org.hourstone.error.RequestException;
import org.hourstone.internal.ByteSearch;
import org.hourstone.write.SeriesTexts.Form;
import org.jspecify.annotations.Nullable;

/**
 * A point in text: its fields as ranges of bytes. May be set to one point after the other, so that
 * none costs an object. For one thread.
 */
final class PointText {
  byte[] text = {};
  int time;
  int timeEnd;
  int value;
  int valueEnd;
  private Form form = Form.UTF8;
  private int metric;
  private int metricEnd;
  private int tags;
  private int tagsEnd;
  private long timestamp;

  /** What was known of the text that it was set to before. */
  private @Nullable KnownText latest;

  /** Sets it to a line, divided at its first three spaces; what follows these are the tags. */
  PointText line(Form inForm, byte[] in, int from, int to) {
    form = inForm;
    text = in;
    metric = from;
    metricEnd = ByteSearch.indexOf(in, from, to, ' ');
    time = metricEnd + 1;
    timeEnd = ByteSearch.indexOf(in, time, to, ' ');
    value = timeEnd + 1;
    valueEnd = ByteSearch.indexOf(in, value, to, ' ');
    tags = valueEnd + 1;
    tagsEnd = to;
    return this;
  }

  /** Sets it to a point of JSON, with its places as in {@link TextPoints#addJson}. */
  PointText json(byte[] in, int[] places, int first) {
    form = Form.JSON;
    text = in;
    metric = places[first + TextPoints.METRIC];
    metricEnd = places[first + TextPoints.METRIC + 1];
    time = places[first + TextPoints.TIMESTAMP];
    timeEnd = places[first + TextPoints.TIMESTAMP + 1];
    value = places[first + TextPoints.VALUE];
    valueEnd = places[first + TextPoints.VALUE + 1];
    tags = places[first + TextPoints.TAGS];
    tagsEnd = places[first + TextPoints.TAGS + 1];
    return this;
  }

  /**
   * Divides a line.
   *
   * @param preferred the form of its bytes, unless it can't be written in it
   * @throws RequestException if it can't be written in UTF-8 either
   */
  static PointText of(Form preferred, String line) {
    Form form = preferred.bytes(line) == null ? Form.UTF8 : preferred;
    byte[] bytes = form.bytes(line);
    if (bytes == null) {
      throw new RequestException("not UTF-8 text");
    }
    return new PointText().line(form, bytes, 0, bytes.length);
  }

  /** Whether it has all fields; else nothing else may be asked. */
  boolean isWhole() {
    return tags <= tagsEnd;
  }

  /** Whether its fields have the same letters in each form but that of JSON. */
  boolean isAscii() {
    for (int i = metric; i < tagsEnd; i++) {
      if (text[i] < 0) {
        return false;
      }
    }
    return true;
  }

  /** Another object with the same fields, which is not set to others. */
  PointText copy() {
    PointText copy = new PointText();
    copy.form = form;
    copy.text = text;
    copy.metric = metric;
    copy.metricEnd = metricEnd;
    copy.tags = tags;
    copy.tagsEnd = tagsEnd;
    return copy;
  }

  /** Whether its metric is written as that of another. */
  boolean hasSameMetric(PointText other) {
    return form == other.form
        && Arrays.equals(text, metric, metricEnd, other.text, other.metric, other.metricEnd);
  }

  /** Whether its tags are written as those of another. */
  boolean hasSameTags(PointText other) {
    return form == other.form
        && Arrays.equals(text, tags, tagsEnd, other.text, other.tags, other.tagsEnd);
  }

  /** The series that was remembered for this text, or null. */
  @Nullable Series known(SeriesTable table) {
    KnownText known = table.known(latest, form, text, metric, metricEnd, tags, tagsEnd);
    if (known == null) {
      return null;
    }
    latest = known;
    return known.series;
  }

  /** Lets the text be known as that of a series. */
  void remember(SeriesTable table, Series series) {
    table.remember(form, text, metric, metricEnd, tags, tagsEnd, series);
  }

  String metric() {
    return text(metric, metricEnd);
  }

  /** The timestamp as it is written. */
  String time() {
    return text(time, timeEnd);
  }

  String value() {
    return text(value, valueEnd);
  }

  String tags() {
    return text(tags, tagsEnd);
  }

  private String text(int from, int to) {
    return new String(text, from, to - from, form.charset());
  }

  /** Seconds or milliseconds by its size; 0 if it was not set. */
  long timestamp() {
    return timestamp;
  }

  /** Sets what its timestamp means. */
  PointText at(long meant) {
    timestamp = meant;
    return this;
  }
}
