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
  private static final int FIRST_BYTES = 32;

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
  private volatile byte[] bytes = new byte[FIRST_BYTES];

  @SuppressWarnings("unused") // accessed by its handle
  private int length;

  /** Shard thread only: the first record with points of it. */
  private long firstRecord = Long.MAX_VALUE;

  /** Shard thread only: it takes no further points. */
  private boolean closed;

  /** Shard thread only: its series has gone on to another row. */
  private boolean left;

  /**
   * @param baseTime in seconds
   * @param number by which journal records refer to it
   * @param openedAt in milliseconds since the epoch
   */
  OpenRow(byte[] key, long baseTime, long number, long openedAt) {
    this.key = key;
    this.baseTime = baseTime;
    this.number = number;
    this.openedAt = openedAt;
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
    return baseTime == wantedBaseTime && !closed;
  }

  boolean isClosed() {
    return closed;
  }

  void close() {
    closed = true;
    bytes = NONE;
  }

  boolean isLeft() {
    return left;
  }

  void leave() {
    left = true;
  }

  void enter() {
    left = false;
  }

  /**
   * Adds points.
   *
   * @return how many more bytes of memory it takes
   */
  int append(byte[] source, int from, int count) {
    int end = (int) LENGTH.get(this);
    byte[] target = bytes;
    int before = target.length;
    if (end + count > before) {
      target = Arrays.copyOf(target, Math.max(end + count, before + (before >> 1)));
      bytes = target;
    }
    System.arraycopy(source, from, target, end, count);
    LENGTH.setRelease(this, end + count);
    return target.length - before;
  }

  /** The memory it takes, in bytes. */
  long memory() {
    return OVERHEAD + key.length + bytes.length;
  }

  /** The memory it takes from the beginning; the rest is what {@link #append} returned. */
  long fixedMemory() {
    return OVERHEAD + key.length + FIRST_BYTES;
  }

  /** Its points now; null if it is closed: the data table has them, for reads that begin later. */
  @Nullable OpenPoints points() {
    // The length first: an array that is read later has at least the bytes of the earlier one.
    int end = (int) LENGTH.getAcquire(this);
    byte[] source = bytes;
    return source.length < end ? null : new OpenPoints(key, openedAt, source, end);
  }
}
