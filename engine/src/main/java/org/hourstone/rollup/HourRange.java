package org.hourstone.rollup;

import com.google.common.primitives.Longs;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.hourstone.codec.Timestamps;

/**
 * Hours that follow each other.
 *
 * @param from the base time of the first one, in seconds since the epoch
 * @param until that of the hour after the last one; equal to {@code from} if there are none
 */
public record HourRange(long from, long until) {
  /** No hours. */
  public static final HourRange NONE = new HourRange(0, 0);

  private static final int BYTES = 2 * Long.BYTES;

  public boolean isEmpty() {
    return from >= until;
  }

  public boolean contains(long baseTime) {
    return baseTime >= from && baseTime < until;
  }

  /** The base times of the hours. */
  LongStream starts() {
    return LongStream.iterate(from, hour -> hour < until, hour -> hour + Timestamps.ROW_SECONDS);
  }

  /** Those of both, and all between them; the other one if this has none. */
  HourRange with(HourRange other) {
    if (isEmpty() || other.isEmpty()) {
      return isEmpty() ? other : this;
    }
    return new HourRange(Math.min(from, other.from), Math.max(until, other.until));
  }

  boolean overlaps(HourRange other) {
    return !isEmpty() && !other.isEmpty() && from < other.until && other.from < until;
  }

  /** The part that consists of whole units, counted from the epoch. */
  public HourRange inWhole(long seconds) {
    long first = from + Math.floorMod(-from, seconds);
    long end = until - Math.floorMod(until, seconds);
    return first < end ? new HourRange(first, end) : NONE;
  }

  /** The part of this that another one has, too. */
  public HourRange within(HourRange other) {
    long first = Math.max(from, other.from);
    long end = Math.min(until, other.until);
    return first < end ? new HourRange(first, end) : NONE;
  }

  byte[] toBytes() {
    byte[] bytes = Arrays.copyOf(Longs.toByteArray(from), BYTES);
    System.arraycopy(Longs.toByteArray(until), 0, bytes, Long.BYTES, Long.BYTES);
    return bytes;
  }

  /**
   * @throws IllegalArgumentException if they are not those of a range
   */
  static HourRange of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(bytes.length + " bytes of a range of hours");
    }
    return new HourRange(
        Longs.fromByteArray(bytes),
        Longs.fromByteArray(Arrays.copyOfRange(bytes, Long.BYTES, BYTES)));
  }
}
