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
   */
  public static long time(
      String field, String text, Instant now, ZoneId zone, QueryDialect dialect) {
    try {
      return TimeText.parseMillis(text, now, zone, dialect);
    } catch (RequestException e) {
      throw new RequestException(field + ": " + e.getMessage(), e);
    }
  }
}
