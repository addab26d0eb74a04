package org.hourstone.codec;

/**
 * Timestamps of points: seconds or milliseconds since the epoch, distinguished by their size alone.
 * See {@code docs/format/row-key.md#base-time}.
 */
public final class Timestamps {
  /** Seconds one row holds. */
  public static final int ROW_SECONDS = 3600;

  /** Milliseconds one row holds. */
  public static final int ROW_MILLIS = ROW_SECONDS * 1000;

  /** The largest timestamp a point may have: 9999999999999 ms. */
  public static final long MAX = 9_999_999_999_999L;

  /** The largest time a row key can hold without wrapping around: 2^32 - 1 seconds. */
  public static final long MAX_SECONDS = 0xFFFF_FFFFL;

  private static final long SECOND_MASK = 0xFFFF_FFFF_0000_0000L;

  private Timestamps() {}

  /** Whether a timestamp is in milliseconds: it is if it doesn't fit in 32 bits. */
  public static boolean isMillis(long timestamp) {
    return (timestamp & SECOND_MASK) != 0;
  }

  /** The timestamp in milliseconds. */
  public static long toMillis(long timestamp) {
    return isMillis(timestamp) ? timestamp : timestamp * 1000;
  }

  /** The timestamp in whole seconds. */
  public static long toSeconds(long timestamp) {
    return isMillis(timestamp) ? timestamp / 1000 : timestamp;
  }

  /** The start of the timestamp's hour, in seconds; not yet truncated to 32 bits. */
  public static long baseTime(long timestamp) {
    long seconds = toSeconds(timestamp);
    return seconds - seconds % ROW_SECONDS;
  }
}
