package org.hourstone.tsd.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import org.hourstone.error.RequestException;
import org.hourstone.query.QueryDialect;
import org.hourstone.query.TimeText;

/**
 * Replaces relative times by absolute ones, so that both servers are asked for the same range
 * although one is asked later. Dates stay: each server reads them in its time zone.
 */
final class RequestTimes {
  private final Instant now;

  /**
   * @param now what relative times refer to, and the end of ranges that have none
   */
  public RequestTimes(Instant now) {
    this.now = now;
  }

  long nowMillis() {
    return now.toEpochMilli();
  }

  /**
   * The absolute form of a time.
   *
   * @return the same text if it is not relative, or can't be read: the servers refuse it then
   */
  String fixed(String text) {
    if (text.equals("now")) {
      return String.valueOf(nowMillis());
    }
    if (!text.endsWith("-ago")) {
      return text;
    }
    try {
      return String.valueOf(
          TimeText.parseMillis(text, now, ZoneOffset.UTC, QueryDialect.HOURSTONE));
    } catch (RequestException e) {
      return text;
    }
  }

  /** A query string with fixed times. */
  String fixIn(String query) {
    StringBuilder fixed = new StringBuilder();
    boolean hasEnd = false;
    Matcher separators = SafeRequest.SEPARATOR.matcher(query);
    int from = 0;
    while (from <= query.length()) {
      boolean isSeparated = separators.find();
      int to = isSeparated ? separators.start() : query.length();
      String pair = query.substring(from, to);
      if (pair.startsWith("start=") || pair.startsWith("end=")) {
        int value = pair.indexOf('=') + 1;
        fixed.append(pair, 0, value).append(fixed(pair.substring(value)));
        hasEnd |= pair.startsWith("end=");
      } else {
        fixed.append(pair);
      }
      // As it is: only one of the servers may separate parameters by a semicolon.
      fixed.append(isSeparated ? separators.group() : "");
      from = isSeparated ? separators.end() : query.length() + 1;
    }
    if (!hasEnd) {
      fixed.append(fixed.isEmpty() ? "" : "&").append("end=").append(nowMillis());
    }
    return fixed.toString();
  }

  /** Fixes the times of a body's range. */
  void fixIn(ObjectNode range) {
    JsonNode start = range.path("start");
    if (start.isTextual()) {
      range.put("start", fixed(start.textValue()));
    }
    JsonNode end = range.path("end");
    if (end.isTextual()) {
      range.put("end", fixed(end.textValue()));
    } else if (end.isMissingNode() || end.isNull()) {
      range.put("end", nowMillis());
    }
  }
}
