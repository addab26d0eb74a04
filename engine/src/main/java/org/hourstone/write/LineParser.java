package org.hourstone.write;

import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import org.hourstone.error.RequestException;

/**
 * Parses lines of text: {@code put metric timestamp value tag=value …} from telnet, and the same
 * without {@code put} from import files. Words are separated by single spaces; an empty word
 * counts, except among the tags. See {@code docs/format/text-input.md}.
 */
public final class LineParser {
  private static final String PUT = "put ";

  private final LineDialect dialect;
  private final ZoneId zone;

  /**
   * @param zone of dates
   */
  public LineParser(LineDialect dialect, ZoneId zone) {
    this.dialect = dialect;
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
    long timestamp = dialect.telnetTime(time, zone);
    return point(
        metric, timestamp, line.substring(timeEnd + 1, valueEnd), line.substring(valueEnd + 1));
  }

  /** As {@link #telnet}, for a line of an import file; it may begin with {@code put}. */
  PointText importLine(String line) {
    return line.startsWith(PUT) && dialect.allowsPutInImports() && isTelnet(line)
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
      long unused = dialect.importTime(line.substring(PUT.length(), end), zone);
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
    long timestamp = dialect.importTime(time, zone);
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

  private static int words(String line) {
    return line.isEmpty() ? 0 : (int) line.chars().filter(c -> c == ' ').count() + 1;
  }
}
