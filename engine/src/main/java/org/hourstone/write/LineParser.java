package org.hourstone.write;

import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongBiFunction;
import org.hourstone.error.RequestException;
import org.hourstone.write.SeriesTexts.Form;

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
   * @param from where the metric starts; if there is no such place, words are missing
   * @param least the minimum number of words after the command
   * @throws InvalidNumberException if the timestamp is not a number
   * @throws RequestException if anything else is wrong
   */
  PointText telnetPoint(String line, int from, int least) {
    boolean begins = from >= 0 && from <= line.length();
    PointText point = PointText.of(dialect.telnetForm(), begins ? line.substring(from) : "");
    if (!point.isWhole()) {
      throw new RequestException(
          "not enough arguments (need least " + least + ", got " + (words(line) - 1) + ")");
    }
    return checked(point, dialect::telnetTime);
  }

  /** As {@link #telnet}, for a line of an import file; it may begin with {@code put}. */
  PointText importLine(String line) {
    boolean isTelnet = line.startsWith(PUT) && dialect.allowsPutInImports() && isTelnet(line);
    String words = isTelnet ? line.substring(PUT.length()) : line;
    PointText point = PointText.of(Form.UTF8, words);
    if (!point.isWhole()) {
      throw new RequestException(
          "not enough words (need at least 4: metric timestamp value tag=value; got "
              + words(words)
              + ")");
    }
    return checked(point, dialect::importTime);
  }

  /**
   * The words of an import line.
   *
   * @param timestamp seconds or milliseconds, by its size
   * @param value not checked
   * @param tags not checked
   */
  public record Words(String metric, long timestamp, String value, String tags) {}

  /**
   * The words of a line of an import file, for a program that has others store them.
   *
   * @throws RequestException if words are missing, or the timestamp is wrong
   */
  public Words importWords(String line) {
    PointText point = importLine(line);
    return new Words(point.metric(), point.timestamp(), point.value(), point.tags());
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

  /** The point, with the meaning of its timestamp; tags and value are still text. */
  private PointText checked(PointText point, ToLongBiFunction<String, ZoneId> time) {
    if (point.metric().isEmpty()) {
      throw new RequestException("empty metric name");
    }
    long timestamp = time.applyAsLong(point.time(), zone);
    if (timestamp <= 0) {
      throw new RequestException("invalid timestamp: " + timestamp);
    }
    if (point.value().isEmpty()) {
      throw new RequestException("empty value");
    }
    return point.at(timestamp);
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

  private static int words(String line) {
    return line.isEmpty() ? 0 : (int) line.chars().filter(c -> c == ' ').count() + 1;
  }
}
