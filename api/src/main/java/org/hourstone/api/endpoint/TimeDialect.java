package org.hourstone.api.endpoint;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Set;
import java.util.TimeZone;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.error.RequestException;
import org.jspecify.annotations.Nullable;

/**
 * How the times, time zones and calendars of requests are read ({@code hourstone.strict=requests}).
 */
public enum TimeDialect {
  HOURSTONE,
  OPENTSDB {
    /** OpenTSDB knows only the names of Java's old time zones. */
    @Override
    ZoneId zone(String name) {
      throw new RequestException(NO_ZONE);
    }

    /** OpenTSDB reads the zone where it uses it: for dates and intervals. */
    @Override
    public boolean checksUnusedZone() {
      return false;
    }

    /** OpenTSDB supports a zone only in bodies. */
    @Override
    public @Nullable String timezone(ApiCall call) {
      return null;
    }

    /** OpenTSDB has them only in bodies. */
    @Override
    public boolean usesCalendar(ApiCall call) {
      return false;
    }

    /** OpenTSDB computes those of UTC there. */
    @Override
    public boolean hasCalendarsInExpressions() {
      return false;
    }

    /** OpenTSDB has its own text for a time that is neither relative nor a date nor a number. */
    @Override
    public void checkTime(String text) {
      if (text.equals("now") || text.endsWith("-ago") || text.endsWith("ms")) {
        return;
      }
      if (text.indexOf('/') >= 0) {
        if (!DATE_LENGTHS.contains(text.length())) {
          throw new RequestException("Invalid absolute date: " + text);
        }
        return;
      }
      if (text.indexOf(':') >= 0) {
        throw new RequestException("Invalid absolute date: " + text);
      }
      if (text.startsWith("-")) {
        throw new RequestException(
            "Invalid time: " + text + ". Negative timestamps are not supported.");
      }
      if (text.indexOf('.') >= 0
          && text.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'))
          && !text.matches("\\d{10}\\.\\d{1,3}")) {
        throw new RequestException(
            "Invalid time: "
                + text
                + ". Millisecond timestamps must be in the format <seconds>.<ms> where the"
                + " milliseconds are limited to 3 digits");
      }
      text.chars()
          .filter(c -> (c < '0' || c > '9') && c != '.')
          .findFirst()
          .ifPresent(
              c -> {
                throw new RequestException(
                    "Invalid time: " + text + ". Invalid character '" + (char) c + "' in " + text);
              });
    }

    /** OpenTSDB fails at a time that is too large for its rows, with filters in another way. */
    @Override
    public void checkRange(long from, long to, boolean filtered) {
      for (long time : new long[] {from, to}) {
        if (time > LATEST_MILLIS) {
          String message = "Invalid timestamp: " + time;
          throw filtered
              ? QueryFaultDialect.OPENTSDB.refused(message)
              : ApiException.internal(message);
        }
      }
    }

    /** OpenTSDB reads the range of plots and points as text in seconds. */
    @Override
    public void checkRangeOfText(long from, long to) {
      if (from / 1000 == to / 1000) {
        throw new RequestException(
            "End time ["
                + to / 1000
                + "] must be greater than the start time ["
                + from / 1000
                + "]");
      }
    }
  };

  /** With two digits for each part, to days, minutes or seconds. */
  private static final Set<Integer> DATE_LENGTHS = Set.of(10, 16, 19);

  /** The last of 13 digits. */
  private static final long LATEST_MILLIS = 9_999_999_999_999L;

  private static final String NO_ZONE = "The timezone specification could not be found";

  /**
   * A time zone: by the names of Java's old time zones, of which EST is one and GMT+2 is not, or as
   * {@link #zone}.
   *
   * @throws RequestException if there is no such zone
   */
  public final ZoneId timeZone(String name) {
    return Arrays.asList(TimeZone.getAvailableIDs()).contains(name)
        ? TimeZone.getTimeZone(name).toZoneId()
        : zone(name);
  }

  /**
   * A time zone by a name that Java's old time zones lack.
   *
   * @throws RequestException if there is no such zone
   */
  ZoneId zone(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw new RequestException(NO_ZONE + ": " + name, e);
    }
  }

  /** Whether an unknown time zone is an error though the request doesn't need it. */
  public boolean checksUnusedZone() {
    return true;
  }

  /** The time zone that a query string names; null or empty for none. */
  public @Nullable String timezone(ApiCall call) {
    return call.parameter("timezone").or(() -> call.parameter("tz")).orElse("");
  }

  /** Whether a query string requests calendar intervals. */
  public boolean usesCalendar(ApiCall call) {
    return call.parameter("use_calendar")
        .or(() -> call.parameter("useCalendar"))
        .filter(value -> !value.equals("false"))
        .isPresent();
  }

  /** Whether functions and formulas have the calendar and the time zone of their request. */
  public boolean hasCalendarsInExpressions() {
    return true;
  }

  /**
   * @throws RequestException if a time can't be read
   */
  public void checkTime(String text) {}

  /**
   * @param from in milliseconds
   * @param filtered whether there are filters
   * @throws ApiException if one of the times is too late
   */
  public void checkRange(long from, long to, boolean filtered) {}

  /**
   * Checks the range of a request for plots or for points as text.
   *
   * @throws RequestException if it is refused
   */
  public void checkRangeOfText(long from, long to) {}
}
