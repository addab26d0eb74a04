package org.hourstone;

import java.time.Instant;
import org.hourstone.codec.Timestamps;
import org.hourstone.error.RequestException;

/** The timestamp that is stored for a time. */
final class PointTime {
  private PointTime() {}

  /**
   * In seconds if it is a whole second, otherwise in milliseconds.
   *
   * @throws RequestException if it is out of range
   */
  static long of(Instant time) {
    long millis;
    try {
      millis = time.toEpochMilli();
    } catch (ArithmeticException e) {
      throw new RequestException("time out of range: " + time, e);
    }
    if (millis % 1000 == 0 && !Timestamps.isMillis(millis / 1000)) {
      return millis / 1000;
    }
    if (millis >= 0 && !Timestamps.isMillis(millis)) {
      throw new RequestException(
          "time "
              + time
              + " can't be stored: before 1970-02-19T17:02:47.296Z only whole seconds can");
    }
    return millis;
  }
}
