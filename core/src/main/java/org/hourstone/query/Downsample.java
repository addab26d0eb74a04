package org.hourstone.query;

/**
 * How each series is thinned before series meet: its points of one bucket become one, a double, at
 * the bucket's start. See {@code docs/query.md#downsampling}.
 *
 * @param intervalMillis the width of the buckets, which are counted from the epoch; {@link #ALL}
 *     for one bucket that holds the whole range
 * @param aggregator any but {@link Aggregator#NONE}
 */
public record Downsample(long intervalMillis, Aggregator aggregator) {
  /** In place of an interval: one bucket from the start of the range to its end, exclusive. */
  public static final long ALL = 0;

  public Downsample {
    if (intervalMillis < 0) {
      throw new IllegalArgumentException("Zero or negative duration: " + intervalMillis + "ms");
    }
    if (aggregator == Aggregator.NONE) {
      throw new IllegalArgumentException("cannot use the NONE aggregator for downsampling");
    }
  }

  boolean isAll() {
    return intervalMillis == ALL;
  }

  /** The start of the bucket an instant is in. */
  long bucket(long millis) {
    return millis - millis % intervalMillis;
  }

  /**
   * A specifier such as {@code 5m-avg}, {@code 1h-sum-none} or {@code 0all-max}.
   *
   * @throws IllegalArgumentException saying what is wrong
   */
  public static Downsample parse(String text) {
    String[] parts = text.split("-", -1);
    if (parts.length < 2) {
      throw new IllegalArgumentException(
          "Invalid downsampling specifier '"
              + text
              + "': must provide at least interval and function");
    }
    if (parts.length > 3 || (parts.length == 3 && !parts[2].equals("none"))) {
      throw new IllegalArgumentException(
          "Unrecognized fill policy: " + text.substring(parts[0].length() + parts[1].length() + 2));
    }
    long interval = parts[0].contains("all") ? ALL : Durations.parseMillis(parts[0]);
    return new Downsample(interval, Aggregator.parse(parts[1]));
  }
}
