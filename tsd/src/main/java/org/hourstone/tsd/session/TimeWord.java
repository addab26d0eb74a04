package org.hourstone.tsd.session;

import java.time.Instant;
import java.time.ZoneId;
import org.hourstone.error.RequestException;
import org.hourstone.query.QueryDialect;
import org.hourstone.query.TimeText;

/** A time on the command line. */
public final class TimeWord {
  private TimeWord() {}

  /**
   * A time in the form used by queries, in milliseconds since the epoch.
   *
   * @param field the origin of the time, for messages
   * @throws UsageException if it is not a time
   */
  public static long time(
      String field, String text, Instant now, ZoneId zone, QueryDialect dialect) {
    try {
      return TimeText.parseMillis(text, now, zone, dialect);
    } catch (RequestException e) {
      throw new UsageException(
          field + ": " + e.getMessage() + " (times are such as 1h-ago, 2014/02/14 or 1700000000)");
    }
  }
}
