package org.hourstone.series;

import org.hourstone.error.RequestException;

/**
 * How the points of a series are converted to rates, in changes per second. See {@code
 * docs/query.md#rates}.
 *
 * @param counter whether the values only increase, so that a smaller value means that the counter
 *     wrapped around after its maximum
 * @param counterMax the counter's maximum
 * @param resetValue a counter's rate above this value is treated as a restart and becomes 0; 0 for
 *     no bound
 * @param dropResets whether a smaller value of a counter yields no rate
 */
public record RateOptions(boolean counter, long counterMax, long resetValue, boolean dropResets) {
  /** Plain changes, which may be negative. */
  public static final RateOptions DEFAULT = new RateOptions(false, Long.MAX_VALUE, 0, false);

  private static final String NAME = "rate";
  private static final int MAX_PARTS = 3;

  /**
   * Parses OpenTSDB's form: {@code rate}, or {@code rate{counter[,max[,reset]]}}, in which {@code
   * dropcounter} is a counter whose resets are dropped.
   *
   * @throws RequestException if it is malformed; the message says why
   */
  public static RateOptions parse(String text) {
    if (text.equals(NAME)) {
      return DEFAULT;
    }
    if (text.length() < NAME.length() + 2) {
      throw new RequestException("Invalid rate options specification: " + text);
    }
    String[] parts = text.substring(NAME.length() + 1, text.length() - 1).split(",", -1);
    if (parts.length > MAX_PARTS) {
      throw new RequestException(
          "Incorrect number of values in rate options specification, must be"
              + " counter[,counter max value,reset value], received: "
              + parts.length
              + " parts");
    }
    return new RateOptions(
        parts[0].endsWith("counter"),
        number(parts, 1, Long.MAX_VALUE, "Max value"),
        number(parts, 2, 0, "Reset value"),
        parts[0].equals("dropcounter"));
  }

  /** The text form of these options, which {@link #parse} accepts. */
  public String text() {
    String kind = dropResets ? "dropcounter" : counter ? "counter" : "";
    return equals(DEFAULT) ? NAME : NAME + "{" + kind + "," + counterMax + "," + resetValue + "}";
  }

  private static long number(String[] parts, int i, long otherwise, String what) {
    if (parts.length <= i || parts[i].isEmpty()) {
      return otherwise;
    }
    try {
      return Long.parseLong(parts[i]);
    } catch (NumberFormatException e) {
      throw new RequestException(
          what + " of counter was not a number, received '" + parts[i] + "'", e);
    }
  }
}
