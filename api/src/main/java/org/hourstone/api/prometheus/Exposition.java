package org.hourstone.api.prometheus;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.hourstone.api.door.LineFault;
import org.hourstone.api.request.ApiException;

/** The two forms of Prometheus' text: they differ in their timestamps. */
public enum Exposition {
  /** Prometheus' own, version 0.0.4: milliseconds. */
  PROMETHEUS,
  /** OpenMetrics 1.0: seconds, perhaps with a fraction. */
  OPENMETRICS;

  /** More digits are those of no time. */
  private static final int LONGEST = 40;

  private static final BigDecimal MOST_SECONDS = BigDecimal.valueOf(Long.MAX_VALUE / 1000);

  /**
   * The one that a type of bodies names; Prometheus' own unless it is the other's.
   *
   * @throws ApiException 415 if it is that of protocol buffers
   */
  static Exposition of(String contentType) {
    String type = contentType.toLowerCase(Locale.ROOT);
    if (type.contains("protobuf")) {
      throw new ApiException(
          ApiException.UNSUPPORTED_TYPE,
          "Unsupported Media Type",
          "The Content-Type ["
              + contentType
              + "] is unknown: text/plain and application/openmetrics-text are known");
    }
    return type.startsWith("application/openmetrics-text") ? OPENMETRICS : PROMETHEUS;
  }

  /** A timestamp in milliseconds; finer ones are cut off. */
  long millis(byte[] text, int from, int to) throws LineFault {
    try {
      if (to - from <= LONGEST) {
        String number = new String(text, from, to - from, StandardCharsets.ISO_8859_1);
        return this == PROMETHEUS ? Long.parseLong(number) : millisOfSeconds(number);
      }
    } catch (NumberFormatException e) {
      // Neither is what it is.
    }
    throw new LineFault(
        "the timestamp is not a number of "
            + (this == PROMETHEUS ? "milliseconds" : "seconds")
            + ": "
            + SampleLine.shown(text, from, to));
  }

  private static long millisOfSeconds(String number) {
    BigDecimal seconds = new BigDecimal(number);
    boolean isTime =
        Math.abs((long) seconds.scale()) <= LONGEST && seconds.abs().compareTo(MOST_SECONDS) < 0;
    if (!isTime) {
      throw new NumberFormatException(number);
    }
    return seconds.movePointRight(3).setScale(0, RoundingMode.FLOOR).longValueExact();
  }
}
