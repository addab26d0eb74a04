package org.hourstone.write;

import java.util.Arrays;
import java.util.Map;
import org.hourstone.codec.Timestamps;
import org.hourstone.codec.Value;
import org.hourstone.error.RequestException;

/** The checks of a point that don't need its names resolved. Immutable. */
public final class PointCheck {
  private final long maxTimestamp;
  private final boolean wrapBaseTime;

  private PointCheck(long maxTimestamp, boolean wrapBaseTime) {
    this.maxTimestamp = maxTimestamp;
    this.wrapBaseTime = wrapBaseTime;
  }

  /**
   * For points in seconds or milliseconds.
   *
   * @param wrapBaseTime whether timestamps beyond 2^32 s are accepted
   */
  public static PointCheck ofAnyTime(boolean wrapBaseTime) {
    return new PointCheck(Timestamps.MAX, wrapBaseTime);
  }

  /** For points in seconds only. */
  public static PointCheck ofSeconds() {
    return new PointCheck(Timestamps.MAX_SECONDS, false);
  }

  /**
   * @throws RequestException if the point may not be written
   */
  public void check(String metric, Map<String, String> tags, long timestamp, PointValue value) {
    if (!passes(timestamp, value)) {
      throw failure(metric, tags, timestamp, value);
    }
  }

  /** Whether a point may be written; if not, {@link #failure} says why. */
  boolean passes(long timestamp, PointValue value) {
    return value.isFinite() && passes(timestamp);
  }

  /** Whether a point may have this timestamp. */
  public boolean passes(long timestamp) {
    return timestamp >= 0
        && timestamp <= maxTimestamp
        && (wrapBaseTime || Timestamps.toSeconds(timestamp) <= Timestamps.MAX_SECONDS);
  }

  /** The exception for a point that fails the checks. */
  RequestException failure(
      String metric, Map<String, String> tags, long timestamp, PointValue value) {
    if (!value.isFinite()) {
      return new RequestException(
          "value is NaN or Infinite: "
              + value.text()
              + " for metric="
              + metric
              + " timestamp="
              + timestamp);
    }
    String what =
        timestamp < 0
            ? "negative  timestamp="
            : timestamp > maxTimestamp ? "bad timestamp=" : "timestamp after the year 2106=";
    return new RequestException(
        what
            + timestamp
            + " when trying to add value="
            + Arrays.toString(Value.encode(value.flags(), value.raw()))
            + '/'
            + value.flags()
            + " to metric="
            + metric
            + ", tags="
            + tags);
  }
}
