package org.hourstone.api.prometheus;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.hourstone.api.door.DoorLines;
import org.hourstone.api.door.LineFault;
import org.hourstone.write.DoubleText;
import org.hourstone.write.SingleLine;

/**
 * A line of Prometheus' text: {@code name{label="value"} value timestamp # exemplar}, of which only
 * name and value are required. Reused for each line of a text; the labels are read by {@link
 * SampleSeries} once for each series. For one thread.
 */
final class SampleLine {
  private static final int MOST_SHOWN = 100;

  private final Exposition form;
  private byte[] text = {};
  private int key;
  private int keyEnd;
  private double value;
  private boolean hasTimestamp;
  private long millis;
  private boolean hasExemplar;

  SampleLine(Exposition form) {
    this.form = form;
  }

  /** The index behind a string; the range's end plus one if it has no end. */
  static int endOfString(byte[] text, int from, int to) {
    int at = from + 1;
    while (at < to && text[at] != '"') {
      at += text[at] == '\\' ? 2 : 1;
    }
    return Math.min(at, to) + 1;
  }

  /** Bytes for a message. */
  static String shown(byte[] text, int from, int to) {
    return SingleLine.of(
        new String(text, from, Math.min(to - from, MOST_SHOWN), StandardCharsets.UTF_8));
  }

  /**
   * Reads a line that is neither blank nor a comment.
   *
   * @param from the first byte that is no blank
   */
  void read(byte[] line, int from, int to) throws LineFault {
    text = line;
    key = from;
    int at = endOfSeries(from, to);
    keyEnd = at;
    at = DoorLines.skipBlanks(text, at, to);
    int end = endOfWord(at, to);
    if (end == at) {
      throw new LineFault("there is no value");
    }
    readValue(at, end);
    at = DoorLines.skipBlanks(text, end, to);
    hasTimestamp = at < to && text[at] != '#';
    if (hasTimestamp) {
      end = endOfWord(at, to);
      millis = form.millis(text, at, end);
      at = DoorLines.skipBlanks(text, end, to);
    }
    hasExemplar = at < to && text[at] == '#';
    if (at < to && !hasExemplar) {
      throw new LineFault("there is something after the timestamp: " + shown(text, at, to));
    }
  }

  private int endOfSeries(int from, int to) throws LineFault {
    int at = from;
    while (at < to && text[at] != '{' && !DoorLines.isBlank(text[at])) {
      at++;
    }
    int labels = DoorLines.skipBlanks(text, at, to);
    if (labels == to || text[labels] != '{') {
      return at;
    }
    at = labels + 1;
    while (at < to && text[at] != '}') {
      at = text[at] == '"' ? endOfString(text, at, to) : at + 1;
    }
    if (at >= to) {
      throw new LineFault("the labels do not end with }");
    }
    return at + 1;
  }

  private int endOfWord(int from, int to) {
    int at = from;
    while (at < to && !DoorLines.isBlank(text[at])) {
      at++;
    }
    return at;
  }

  private void readValue(int from, int to) throws LineFault {
    value = DoubleText.of(text, from, to);
    if (Double.isNaN(value)) {
      value =
          switch (shown(text, from, to).toLowerCase(Locale.ROOT)) {
            case "nan", "+nan", "-nan" -> Double.NaN;
            case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
            case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
            default ->
                throw new LineFault(
                    "the value is not a number that a double can hold: " + shown(text, from, to));
          };
    }
  }

  /** Where the name and the labels begin. */
  int key() {
    return key;
  }

  int keyEnd() {
    return keyEnd;
  }

  /** Perhaps NaN or infinite. */
  double value() {
    return value;
  }

  boolean hasTimestamp() {
    return hasTimestamp;
  }

  /** The timestamp, if there is one. */
  long millis() {
    return millis;
  }

  boolean hasExemplar() {
    return hasExemplar;
  }
}
