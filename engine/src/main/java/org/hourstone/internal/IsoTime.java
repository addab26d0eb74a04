package org.hourstone.internal;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hourstone.error.RequestException;
import org.jspecify.annotations.Nullable;

/**
 * Parses times in ISO 8601: {@code 2024-01-31}, {@code 2024-01-31T10:30}, {@code
 * 2024-01-31T10:30:00.123+01:00}. A space may replace the T.
 */
public final class IsoTime {
  private static final Pattern BEGINNING = Pattern.compile("\\d{4}-\\d{1,2}-\\d.*");
  private static final Pattern FORM =
      Pattern.compile(
          "(\\d{4}-\\d\\d-\\d\\d)"
              + "(?:[Tt ](\\d\\d:\\d\\d)(?:(:\\d\\d)(?:[.,](\\d{1,3})0*)?)?"
              + "(?:([Zz])|([+-]\\d\\d)(?::?(\\d\\d))?)?)?");

  private IsoTime() {}

  /** Whether a text is intended as such a time, that is, begins with a date. */
  public static boolean isMeant(String text) {
    return text.length() > 6 && text.charAt(4) == '-' && BEGINNING.matcher(text).matches();
  }

  /**
   * The time in milliseconds since the epoch.
   *
   * @param zone the zone of times without an offset
   * @throws RequestException if it is malformed, finer than a millisecond, or a time without an
   *     offset that occurs twice or not at all in the zone
   */
  public static long parseMillis(String text, ZoneId zone) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      throw invalid(text, "must be like 2024-01-31 or 2024-01-31T10:30:00.123Z", null);
    }
    try {
      LocalDate date = LocalDate.parse(parts.group(1));
      return parts.group(2) == null
          ? date.atStartOfDay(zone).toInstant().toEpochMilli()
          : instant(text, date.atTime(time(parts)), offset(parts), zone).toEpochMilli();
    } catch (DateTimeException e) {
      throw invalid(text, String.valueOf(e.getMessage()), e);
    }
  }

  private static LocalTime time(Matcher parts) {
    String seconds = parts.group(3) == null ? ":00" : parts.group(3);
    String fraction = parts.group(4) == null ? "0" : parts.group(4);
    return LocalTime.parse(parts.group(2) + seconds + "." + fraction);
  }

  private static @Nullable ZoneOffset offset(Matcher parts) {
    if (parts.group(6) == null) {
      return parts.group(5) == null ? null : ZoneOffset.UTC;
    }
    return ZoneOffset.of(parts.group(6) + ":" + (parts.group(7) == null ? "00" : parts.group(7)));
  }

  private static Instant instant(
      String text, LocalDateTime time, @Nullable ZoneOffset offset, ZoneId zone) {
    if (offset != null) {
      return time.toInstant(offset);
    }
    List<ZoneOffset> possible = zone.getRules().getValidOffsets(time);
    if (possible.size() != 1) {
      String often = possible.isEmpty() ? "does not occur in " : "occurs twice in ";
      throw invalid(text, often + zone + "; add the offset, such as +01:00", null);
    }
    return time.toInstant(possible.get(0));
  }

  private static RequestException invalid(
      String text, String reason, @Nullable DateTimeException cause) {
    return new RequestException("Invalid time: '" + text + "': " + reason, cause);
  }
}
