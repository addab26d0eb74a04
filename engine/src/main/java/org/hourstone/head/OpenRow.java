package org.hourstone.head;

import static java.util.Objects.requireNonNull;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Timestamps;
import org.hourstone.codec.Value;
import org.hourstone.kv.Change;
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
public final class OpenRow implements Sealable {
  private static final byte[] NONE = {};
  private static final int LEAST_BYTES = 32;
  private static final int MOST_FIRST_BYTES = 1024;
  private static final int MOST_BYTES_OF_POINT = 12;

  /** About how many bytes a row takes without its points: itself, its key, its place in maps. */
  static final long OVERHEAD = 250;

  /** About how many bytes it takes to tell someone of a point. */
  static final int WAITING_BYTES = 16;

  /** How long after its hour a row is sealed, and over how long the rows of an hour are spread. */
  static final long GRACE_MILLIS = 300_000;

  private static final int SPREAD_MILLIS = 600_000;

  private static final VarHandle LENGTH;

  static {
    try {
      LENGTH = MethodHandles.lookup().findVarHandle(OpenRow.class, "length", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final byte[] key;

  /** Of the key, which is in another place of memory. */
  private final int hash;

  private final long baseTime;
  private final long number;
  private final long openedAt;
  private volatile byte[] bytes;

  @SuppressWarnings("unused") // accessed by its handle
  private int length;

  /** Those who wait for its points; null if the journal has these, or once all are notified. */
  private @Nullable Waiting waiting;

  // Of the list of its shard's rows, see ShardRows. Shard thread only.
  @Nullable OpenRow previous;
  @Nullable OpenRow next;
  boolean isListed;

  /** Shard thread only: the first record with points of it. */
  private long firstRecord = Long.MAX_VALUE;

  /** By which its cells are dated; 0 if they are when written. Shard thread only. */
  private long writeTime;

  /** Shard thread only: the greatest offset; of rows that others wait for. */
  private int newestOffset = -1;

  /** By their offsets the codes of its points, once one not after the newest was looked for. */
  private @Nullable Map<Integer, Integer> codes;

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
   * @param number by which journal records refer to it; 0 if the journal does not have its points
   * @param openedAt in milliseconds since the epoch
   * @param before the last row of the series; null if there is none. The new one has room for as
   *     many points, so that it need not grow
   * @param waiting those who wait for its points; null if the journal has these
   */
  OpenRow(
      byte[] key,
      long baseTime,
      long number,
      long openedAt,
      @Nullable OpenRow before,
      @Nullable Waiting waiting) {
    this.key = key;
    this.hash = Arrays.hashCode(key);
    this.baseTime = baseTime;
    this.number = number;
    this.openedAt = openedAt;
    this.waiting = waiting;
    int expected = before == null ? 0 : (int) LENGTH.get(before);
    bytes = new byte[Math.min(MOST_FIRST_BYTES, Math.max(LEAST_BYTES, expected + expected / 16))];
  }

  @Override
  public byte[] key() {
    return key;
  }

  /** The hash of its key. */
  int hash() {
    return hash;
  }

  @Override
  public @Nullable Waiting waiting() {
    return waiting;
  }

  /** Whether a record of the journal has its points. */
  boolean isJournaled() {
    return number > 0;
  }

  @Override
  public int size() {
    Waiting others = waiting;
    return others == null ? requireNonNull(openPoints(), "closed").count() : others.size();
  }

  @Override
  public int points() {
    Waiting others = waiting;
    return others == null ? 0 : others.pending();
  }

  @Override
  public List<Change> changes(CellOptions options, CellForm form, RowPoints scratch) {
    OpenPoints points = requireNonNull(openPoints(), "closed");
    Waiting others = waiting;
    if (form == CellForm.APPENDED) {
      return List.of(points.append());
    }
    if (form == CellForm.SINGLE && others != null && options.dated()) {
      return points.dated(baseTime, others.begin(), others.end());
    }
    List<Change> puts = new ArrayList<>(1);
    int most = form == CellForm.SINGLE ? 1 : options.maxBytes();
    for (CompactedCell cell : points.cells(scratch, most)) {
      puts.add(put(cell));
    }
    return puts;
  }

  private Change put(CompactedCell cell) {
    return writeTime == 0
        ? new Change.Put(cell.qualifier(), cell.value())
        : new Change.PutIfNewer(cell.qualifier(), cell.value(), writeTime);
  }

  /** When a row is sealed of which no point arrives any more, if the journal has it. */
  long dueByHour() {
    int spread = Math.floorMod(hash, SPREAD_MILLIS);
    return baseTime * 1000 + Timestamps.ROW_MILLIS + GRACE_MILLIS + spread;
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

  /** It has points that were stored at this time: if it is sealed late, later points stay newer. */
  void dateBy(long time) {
    writeTime = Math.max(writeTime, time);
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
    codes = null;
  }

  /** All who waited are notified. */
  void release() {
    waiting = null;
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

  /**
   * Allocates what the next {@link #add} needs, which then can't fail.
   *
   * @return how many more bytes of memory it takes
   */
  int makeRoom() {
    int before = bytes.length;
    return withRoom((int) LENGTH.get(this), MOST_BYTES_OF_POINT).length - before;
  }

  /**
   * Adds a point for which others wait.
   *
   * @param offset milliseconds from its base time
   */
  void add(int offset, boolean inMillis, int flags, long raw) {
    int end = (int) LENGTH.get(this);
    byte[] target = withRoom(end, MOST_BYTES_OF_POINT);
    int value =
        inMillis
            ? Qualifier.putMillis(offset, flags, target, end)
            : Qualifier.putSeconds(offset / 1000, flags, target, end);
    newestOffset = Math.max(newestOffset, offset);
    if (codes != null) {
      codes.put(offset, OpenPoints.code(inMillis, flags));
    }
    LENGTH.setRelease(this, Value.put(flags, raw, target, value));
  }

  /** The code of the last point at an offset, or null. */
  @Nullable Integer code(int offset) {
    if (offset > newestOffset) {
      return null;
    }
    Map<Integer, Integer> known = codes;
    if (known == null) {
      known = requireNonNull(openPoints(), "closed").codes();
      codes = known;
    }
    return known.get(offset);
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
    Waiting others = waiting;
    int waitingBytes = others == null ? 0 : WAITING_BYTES * others.size();
    return OVERHEAD + key.length + bytes.length + waitingBytes;
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
  @Nullable OpenPoints openPoints() {
    // The length first: an array that is read later has at least the bytes of the earlier one.
    int end = (int) LENGTH.getAcquire(this);
    byte[] source = bytes;
    return source.length < end ? null : new OpenPoints(key, openedAt, source, end);
  }
}
