package org.hourstone.write;

import java.util.Arrays;
import java.util.Map;
import org.hourstone.codec.Timestamps;
import org.hourstone.codec.Value;

/** What must hold of a point before its names are looked at. */
final class PointCheck {
  private final boolean wrapBaseTime;

  PointCheck(boolean wrapBaseTime) {
    this.wrapBaseTime = wrapBaseTime;
  }

  /** Whether a point may be written; if not, {@link #failure} says why. */
  boolean passes(long timestamp, PointValue value) {
    return value.isFinite()
        && timestamp >= 0
        && timestamp <= Timestamps.MAX
        && (wrapBaseTime || Timestamps.toSeconds(timestamp) <= Timestamps.MAX_SECONDS);
  }

  /** Says what is wrong with a point that doesn't pass. */
  IllegalArgumentException failure(
      String metric, Map<String, String> tags, long timestamp, PointValue value) {
    if (!value.isFinite()) {
      return new IllegalArgumentException(
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
            : timestamp > Timestamps.MAX ? "bad timestamp=" : "timestamp after the year 2106=";
    return new IllegalArgumentException(
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
