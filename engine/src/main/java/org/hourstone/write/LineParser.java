package org.hourstone.write;

import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import org.hourstone.codec.Timestamps;
import org.hourstone.error.RequestException;
import org.hourstone.internal.IsoTime;

/**
 * Parses lines of text: {@code put metric timestamp value tag=value …} from telnet, and the same
 * without {@code put} from import files. Words are separated by single spaces; an empty word
 * counts, except among the tags. See {@code docs/format/text-input.md}.
 */
public final class LineParser {
  private static final String PUT = "put ";
  private static final int MILLIS_DIGITS = 3;

  private final boolean openTsdb;
  private final ZoneId zone;

  /**
   * @param openTsdb whether lines are read and refused as by OpenTSDB: every dot of a telnet
   *     timestamp is dropped, else only one before three digits; there are no dates, and no dots in
   *     import lines
   * @param zone of dates
   */
  public LineParser(boolean openTsdb, ZoneId zone) {
    this.openTsdb = openTsdb;
    this.zone = zone;
  }

  /**
   * @param line without its end
   * @throws InvalidNumberException if the timestamp is not a number
   * @throws RequestException if anything else is wrong
   */
  PointText telnet(String line) {
    if (!line.startsWith(PUT) && !line.equals(PUT.strip())) {
      int space = line.indexOf(' ');
      throw new RequestException(
          "unknown command: " + (space < 0 ? line : line.substring(0, space)));
    }
    return telnetPoint(line, PUT.length(), 4);
  }

  /**
   * Parses the point in a line that begins with a command and may have words before the metric.
   *
   * @param from where the metric starts
   * @param least the minimum number of words after the command
   * @throws InvalidNumberException if the timestamp is not a number
   * @throws RequestException if anything else is wrong
   */
  public PointText telnetPoint(String line, int from, int least) {
    int metricEnd = from < 0 ? -1 : line.indexOf(' ', from);
    int timeEnd = metricEnd < 0 ? -1 : line.indexOf(' ', metricEnd + 1);
    int valueEnd = timeEnd < 0 ? -1 : line.indexOf(' ', timeEnd + 1);
    if (valueEnd < 0) {
      throw new RequestException(
          "not enough arguments (need least " + least + ", got " + (words(line) - 1) + ")");
    }
    String metric = line.substring(from, metricEnd);
    checkMetric(metric);
    String time = line.substring(metricEnd + 1, timeEnd);
    long timestamp = openTsdb ? NumberText.parseLong(withoutDots(time)) : timestamp(time);
    return point(
        metric, timestamp, line.substring(timeEnd + 1, valueEnd), line.substring(valueEnd + 1));
  }

  /** As {@link #telnet}, for a line of an import file; it may begin with {@code put}. */
  PointText importLine(String line) {
    return line.startsWith(PUT) && !openTsdb && isTelnet(line)
        ? point(line.substring(PUT.length()))
        : point(line);
  }

  /** Whether a line that begins with put is for telnet, not a point of a metric of that name. */
  private boolean isTelnet(String line) {
    int end = line.indexOf(' ', PUT.length());
    if (end < 0) {
      return false;
    }
    try {
      timestamp(line.substring(PUT.length(), end));
      return false;
    } catch (RequestException e) {
      return true;
    }
  }

  private PointText point(String line) {
    int metricEnd = line.indexOf(' ');
    int timeEnd = metricEnd < 0 ? -1 : line.indexOf(' ', metricEnd + 1);
    int valueEnd = timeEnd < 0 ? -1 : line.indexOf(' ', timeEnd + 1);
    if (valueEnd < 0) {
      throw new RequestException(
          "not enough words (need at least 4: metric timestamp value tag=value; got "
              + words(line)
              + ")");
    }
    String metric = line.substring(0, metricEnd);
    checkMetric(metric);
    String time = line.substring(metricEnd + 1, timeEnd);
    long timestamp = openTsdb ? NumberText.parseLong(time) : timestamp(time);
    return point(
        metric, timestamp, line.substring(timeEnd + 1, valueEnd), line.substring(valueEnd + 1));
  }

  /**
   * The tags of a point: words {@code tag=value}. In a HashMap, because OpenTSDB has one here: its
   * order is the order in which new names get their UIDs.
   */
  public static Map<String, String> tags(String text) {
    Map<String, String> tags = new HashMap<>();
    int start = 0;
    while (start < text.length()) {
      int space = text.indexOf(' ', start);
      int end = space < 0 ? text.length() : space;
      if (end > start) {
        addTag(tags, text.substring(start, end));
      }
      start = end + 1;
    }
    return tags;
  }

  private static void addTag(Map<String, String> tags, String word) {
    int equals = word.indexOf('=');
    if (equals < 1 || equals == word.length() - 1 || word.indexOf('=', equals + 1) >= 0) {
      throw new RequestException("invalid tag: " + word);
    }
    String tagk = word.substring(0, equals);
    String tagv = word.substring(equals + 1);
    String other = tags.get(tagk);
    if (other != null && !other.equals(tagv)) {
      throw new RequestException("duplicate tag: " + word + ", tags=" + tags);
    }
    tags.put(tagk, tagv);
  }

  private static void checkMetric(String metric) {
    if (metric.isEmpty()) {
      throw new RequestException("empty metric name");
    }
  }

  private static PointText point(String metric, long timestamp, String value, String tags) {
    if (timestamp <= 0) {
      throw new RequestException("invalid timestamp: " + timestamp);
    }
    if (value.isEmpty()) {
      throw new RequestException("empty value");
    }
    return new PointText(metric, timestamp, value, tags);
  }

  private static String withoutDots(String text) {
    return text.indexOf('.') < 0 ? text : text.replace(".", "");
  }

  /**
   * Seconds or milliseconds since the epoch, the latter also with a dot before the last three
   * digits, or a date.
   */
  private long timestamp(String text) {
    if (IsoTime.isMeant(text)) {
      long millis = IsoTime.parseMillis(text, zone);
      return millis % 1000 == 0 ? checkedSeconds(text, millis / 1000) : checkedMillis(text, millis);
    }
    int dot = text.indexOf('.');
    if (dot < 0) {
      return number(text, text);
    }
    if (dot == 0 || text.length() - dot - 1 != MILLIS_DIGITS) {
      throw new RequestException(
          "invalid timestamp: " + text + " (after a dot there must be three digits, milliseconds)");
    }
    return checkedMillis(text, number(text, withoutDots(text)));
  }

  private static long checkedSeconds(String text, long seconds) {
    if (seconds > Timestamps.MAX_SECONDS) {
      throw new RequestException("invalid timestamp: " + text + " (after the year 2106)");
    }
    return seconds;
  }

  private static long checkedMillis(String text, long millis) {
    if (!Timestamps.isMillis(millis)) {
      throw new RequestException(
          "invalid timestamp: "
              + text
              + " (too early for milliseconds: it would be taken for seconds)");
    }
    return millis;
  }

  private static long number(String text, String digits) {
    try {
      return NumberText.parseLong(digits);
    } catch (InvalidNumberException e) {
      throw e.of("timestamp", text);
    }
  }

  private static int words(String line) {
    return line.isEmpty() ? 0 : (int) line.chars().filter(c -> c == ' ').count() + 1;
  }
}
