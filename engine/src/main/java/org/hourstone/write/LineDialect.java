package org.hourstone.write;

import java.time.ZoneId;
import org.hourstone.codec.Timestamps;
import org.hourstone.error.RequestException;
import org.hourstone.internal.IsoTime;

/**
 * How the points of lines are read ({@code hourstone.put.opentsdb_lines}). See {@code
 * docs/format/text-input.md}.
 */
public enum LineDialect {
  HOURSTONE,

  /** That of OpenTSDB 2.4. */
  OPENTSDB {
    /** OpenTSDB drops every dot, and knows no dates. */
    @Override
    long telnetTime(String text, ZoneId zone) {
      return NumberText.parseLong(withoutDots(text));
    }

    /** OpenTSDB knows neither dots nor dates here. */
    @Override
    long importTime(String text, ZoneId zone) {
      return NumberText.parseLong(text);
    }

    /** OpenTSDB takes it for the metric. */
    @Override
    boolean allowsPutInImports() {
      return false;
    }

    /** OpenTSDB takes them for points. */
    @Override
    public boolean allowsComments() {
      return false;
    }

    /** OpenTSDB doesn't say that it is the value. */
    @Override
    InvalidNumberException invalidValue(InvalidNumberException e, String text) {
      return e;
    }
  };

  private static final int MILLIS_DIGITS = 3;

  /**
   * The timestamp of a telnet line.
   *
   * @param zone of dates
   * @throws InvalidNumberException if it is not a number
   * @throws RequestException if anything else is wrong
   */
  long telnetTime(String text, ZoneId zone) {
    return timestamp(text, zone);
  }

  /** The timestamp of an import line. Throws as {@link #telnetTime} does. */
  long importTime(String text, ZoneId zone) {
    return timestamp(text, zone);
  }

  /** Whether a line of an import may begin with {@code put}, as for telnet. */
  boolean allowsPutInImports() {
    return true;
  }

  /** Whether a line of an import that begins with {@code #} is skipped. */
  public boolean allowsComments() {
    return true;
  }

  /** The error of a value that is not a number. */
  InvalidNumberException invalidValue(InvalidNumberException e, String text) {
    return e.of("value", text);
  }

  /**
   * Seconds or milliseconds since the epoch, the latter also with a dot before the last three
   * digits, or a date.
   */
  private static long timestamp(String text, ZoneId zone) {
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
              + " (too early for milliseconds: it would be read as seconds)");
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

  private static String withoutDots(String text) {
    return text.indexOf('.') < 0 ? text : text.replace(".", "");
  }
}
