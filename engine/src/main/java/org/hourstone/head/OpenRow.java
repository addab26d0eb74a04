package org.hourstone.head;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The points of one series and hour that are not in the data table yet, as bytes in order of
 * arrival: each point's qualifier and value, as in an append cell.
 *
 * <p>One thread, that of its {@link HeadShard}, changes it; any thread reads it. The bytes up to
 * {@link #length} never change, and are written before the length is published; an array with more
 * room takes the place of the old one only when it has the same bytes. A closed row has no array
 * any more: handles of series may keep it for long.
 */
public final class OpenRow {
  private static final byte[] NONE = {};
  private static final int LEAST_BYTES = 32;
  private static final int MOST_FIRST_BYTES = 1024;

  /** About how many bytes a row takes without its points: itself, its key, its place in maps. */
  static final long OVERHEAD = 250;

  private static final VarHandle LENGTH;

  static {
    try {
      LENGTH = MethodHandles.lookup().findVarHandle(OpenRow.class, "length", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final byte[] key;
  private final long baseTime;
  private final long number;
  private final long openedAt;
  private volatile byte[] bytes;

  @SuppressWarnings("unused") // accessed by its handle
  private int length;

  /** Shard thread only: the first record with points of it. */
  private long firstRecord = Long.MAX_VALUE;

  private enum State {
    /** Points of its series and hour are added to it. */
    CURRENT,
    /** Its series has gone on to another row, and may come back. */
    PASSED,
    /** It takes no further points and has none: they are in the data table, or were never seen. */
    CLOSED
  }

  /** Shard thread only. */
  private State state = State.CURRENT;

  /**
   * @param baseTime in seconds
   * @param number by which journal records refer to it
   * @param openedAt in milliseconds since the epoch
   * @param before the last row of the series; null if there is none. The new one has room for as
   *     many points, so that it need not grow
   */
  OpenRow(byte[] key, long baseTime, long number, long openedAt, @Nullable OpenRow before) {
    this.key = key;
    this.baseTime = baseTime;
    this.number = number;
    this.openedAt = openedAt;
    int expected = before == null ? 0 : (int) LENGTH.get(before);
    bytes = new byte[Math.min(MOST_FIRST_BYTES, Math.max(LEAST_BYTES, expected + expected / 16))];
  }

  byte[] key() {
    return key;
  }

  long baseTime() {
    return baseTime;
  }

  long number() {
    return number;
  }

  long firstRecord() {
    return firstRecord;
  }

  void isIn(long record) {
    firstRecord = Math.min(firstRecord, record);
  }

  long openedAt() {
    return openedAt;
  }

  /** Whether points of an hour can be added. Shard thread only. */
  public boolean isOpenFor(long wantedBaseTime) {
    return baseTime == wantedBaseTime && state != State.CLOSED;
  }

  boolean isClosed() {
    return state == State.CLOSED;
  }

  void close() {
    state = State.CLOSED;
    bytes = NONE;
  }

  boolean isPassed() {
    return state == State.PASSED;
  }

  /** Its series goes on to another row. */
  void pass() {
    state = State.PASSED;
  }

  /** Its series comes back to it. */
  void resume() {
    state = State.CURRENT;
  }

  /**
   * Adds points.
   *
   * @return how many more bytes of memory it takes
   */
  int append(byte[] source, int from, int count) {
    int end = (int) LENGTH.get(this);
    int before = bytes.length;
    byte[] target = withRoom(end, count);
    System.arraycopy(source, from, target, end, count);
    LENGTH.setRelease(this, end + count);
    return target.length - before;
  }

  /**
   * Adds a point.
   *
   * @param qualifier where its qualifier is in the source
   * @param width the length of its qualifier
   * @param value where its value is
   * @return how many more bytes of memory it takes
   */
  int append(byte[] source, int qualifier, int width, int value, int length) {
    int end = (int) LENGTH.get(this);
    int before = bytes.length;
    byte[] target = withRoom(end, width + length);
    for (int i = 0; i < width; i++) {
      target[end + i] = source[qualifier + i];
    }
    for (int i = 0; i < length; i++) {
      target[end + width + i] = source[value + i];
    }
    LENGTH.setRelease(this, end + width + length);
    return target.length - before;
  }

  private byte[] withRoom(int end, int count) {
    byte[] present = bytes;
    int capacity = present.length;
    if (end + count > capacity) {
      present = Arrays.copyOf(present, Math.max(end + count, capacity + (capacity >> 1)));
      bytes = present;
    }
    return present;
  }

  /** The memory it takes, in bytes. */
  long memory() {
    return OVERHEAD + key.length + bytes.length;
  }

  /** Reads what adding a point needs. Shard thread only. Returns an arbitrary number. */
  public int touch() {
    byte[] present = bytes;
    int end = (int) LENGTH.get(this);
    return present.length == 0 ? 0 : present[Math.min(end, present.length - 1)] + (int) baseTime;
  }

  /** Whether it has points for readers, who otherwise find them in the data table. */
  boolean isReadable() {
    int end = (int) LENGTH.getAcquire(this);
    return bytes.length >= end;
  }

  /** Its points now; null if it is closed: the data table has them, for reads that begin later. */
  @Nullable OpenPoints points() {
    // The length first: an array that is read later has at least the bytes of the earlier one.
    int end = (int) LENGTH.getAcquire(this);
    byte[] source = bytes;
    return source.length < end ? null : new OpenPoints(key, openedAt, source, end);
  }
}
