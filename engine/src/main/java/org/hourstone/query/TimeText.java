package org.hourstone.query;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hourstone.error.RequestException;
import org.hourstone.internal.IsoTime;
import org.hourstone.series.Durations;

/**
 * Times as written in requests: {@code now}, {@code 5m-ago}, {@code 2013/01/31}, {@code
 * 2013/01/31-10:30}, {@code 2013/01/31 10:30:00}, {@code 2013-01-31}, {@code 2013-01-31T10:30:00Z},
 * seconds, also with a fraction, or milliseconds since the epoch. A time that the clocks show twice
 * is the later one. See {@code docs/query.md#times}.
 */
public final class TimeText {
  private static final Pattern DATE =
      Pattern.compile(
          "(\\d{4})/(\\d{1,2})/(\\d{1,2})(?:[- ](\\d{1,2}):(\\d{1,2})(?::(\\d{1,2}))?)?");
  private static final String AGO = "-ago";

  private TimeText() {}

  /**
   * The time in milliseconds since the epoch.
   *
   * @param now the time that relative times refer to
   * @param zone of dates
   * @param dialect how numbers are read
   * @throws RequestException if it is malformed; the message says how
   */
  public static long parseMillis(String text, Instant now, ZoneId zone, QueryDialect dialect) {
    if (text.equals("now")) {
      return now.toEpochMilli();
    }
    if (text.endsWith(AGO)) {
      return now.toEpochMilli()
          - Durations.parseMillis(text.substring(0, text.length() - AGO.length()));
    }
    if (text.endsWith("ms")) {
      return EpochNumber.epoch(text, text.substring(0, text.length() - 2), 1);
    }
    if (IsoTime.isMeant(text)) {
      return IsoTime.parseMillis(text, zone);
    }
    Matcher date = DATE.matcher(text);
    if (date.matches()) {
      return date(text, date, zone);
    }
    return dialect.epochMillis(text);
  }

  /** Whether a time is a date, which may depend on the time zone. */
  public static boolean isDate(String text) {
    return text.indexOf('/') >= 0 || IsoTime.isMeant(text);
  }

  private static long date(String text, Matcher date, ZoneId zone) {
    try {
      return LocalDateTime.of(
              number(date, 1),
              number(date, 2),
              number(date, 3),
              number(date, 4),
              number(date, 5),
              number(date, 6))
          .atZone(zone)
          .withLaterOffsetAtOverlap()
          .toInstant()
          .toEpochMilli();
    } catch (DateTimeException e) {
      throw new RequestException("Invalid date: '" + text + "': " + e.getMessage(), e);
    }
  }

  private static int number(Matcher date, int group) {
    String digits = date.group(group);
    return digits == null ? 0 : Integer.parseInt(digits);
  }
}
