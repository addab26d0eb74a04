package org.hourstone.head;

import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.Value;

/**
 * Builds the value of a journal record, see {@code docs/format/journal.md}, and remembers where the
 * points of each row are in it. Used again and again, by one thread.
 */
final class RecordWriter {
  static final byte VERSION = 2;

  static final int KIND_BITS = 2;
  static final int POINT = 0;
  static final int OPENED = 1;
  static final int SEALED = 2;
  static final int SAME_QUALIFIER = 3;

  private static final int MOST_BYTES_OF_NUMBER = 10;
  private static final int MOST_BYTES_OF_POINT = 12;

  /** The record so far. */
  private byte[] bytes = new byte[4096];

  private int end;

  /** The row of each point. */
  private OpenRow[] rows = new OpenRow[64];

  /** Where each point has its qualifier; of one without, the complement of where its value is. */
  private int[] starts = new int[64];

  private int points;

  /** The base times of the first and last hour that has a point. */
  private long firstHour;

  private long lastHour;

  /** The number after that of the row of the last entry. */
  private long next;

  /** That of the last qualifier: its offset, flags and unit. */
  private int lastOffset;

  private int lastCode;

  RecordWriter() {
    clear();
  }

  boolean isEmpty() {
    return end == 1;
  }

  /** How many bytes it has. */
  int bytes() {
    return end;
  }

  void clear() {
    Arrays.fill(rows, 0, points, null);
    points = 0;
    bytes[0] = VERSION;
    end = 1;
    next = 0;
    lastOffset = -1;
    firstHour = Long.MAX_VALUE;
    lastHour = Long.MIN_VALUE;
  }

  /** The base time of the first hour that has a point; later than the last one if none has. */
  long firstHour() {
    return firstHour;
  }

  long lastHour() {
    return lastHour;
  }

  /** The keys of the rows that have points. */
  List<byte[]> rows() {
    Set<OpenRow> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
    distinct.addAll(Arrays.asList(rows).subList(0, points));
    return distinct.stream().map(OpenRow::key).toList();
  }

  /** Adds a row whose points are in the data table now. */
  void addSealed(long number) {
    reserve(MOST_BYTES_OF_NUMBER);
    begin(number, SEALED);
  }

  /** Begins a new row; points of it may follow. */
  void open(OpenRow row) {
    byte[] key = row.key();
    reserve(2 * MOST_BYTES_OF_NUMBER + key.length);
    begin(row.number(), OPENED);
    putNumber(key.length);
    System.arraycopy(key, 0, bytes, end, key.length);
    end += key.length;
  }

  /**
   * Adds a point.
   *
   * @param offset milliseconds from the row's base time
   */
  void add(OpenRow row, int offset, boolean millis, int flags, long raw) {
    reserve(MOST_BYTES_OF_NUMBER + MOST_BYTES_OF_POINT);
    if (points == starts.length) {
      OpenRow[] more = Arrays.copyOf(rows, points * 2);
      starts = Arrays.copyOf(starts, points * 2);
      rows = more;
    }
    firstHour = Math.min(firstHour, row.baseTime());
    lastHour = Math.max(lastHour, row.baseTime());
    int code = millis ? ~flags : flags;
    boolean same = offset == lastOffset && code == lastCode;
    begin(row.number(), same ? SAME_QUALIFIER : POINT);
    rows[points] = row;
    starts[points++] = same ? ~end : end;
    if (!same) {
      lastOffset = offset;
      lastCode = code;
      end =
          millis
              ? Qualifier.putMillis(offset, flags, bytes, end)
              : Qualifier.putSeconds(offset / 1000, flags, bytes, end);
    }
    end = Value.put(flags, raw, bytes, end);
  }

  private void reserve(int count) {
    if (bytes.length - end < count) {
      bytes = Arrays.copyOf(bytes, Math.max(end + count, bytes.length * 2));
    }
  }

  private void begin(long row, int kind) {
    long away = row - next;
    putNumber(((away << 1) ^ (away >> 63)) << KIND_BITS | kind);
    next = row + 1;
  }

  private void putNumber(long number) {
    long left = number;
    while ((left & ~0x7FL) != 0) {
      bytes[end++] = (byte) (left | 0x80);
      left >>>= 7;
    }
    bytes[end++] = (byte) left;
  }

  /**
   * Adds the points to their rows.
   *
   * @param time by which these are dated; 0 if they are when written
   * @return how many more bytes of memory they take
   */
  long apply(long time) {
    long more = 0;
    int qualifier = 0;
    int width = 0;
    int length = 0;
    for (int i = 0; i < points; i++) {
      int value = ~starts[i];
      if (value < 0) {
        qualifier = starts[i];
        width = Qualifier.width(bytes[qualifier]);
        length = Qualifier.valueLength(Qualifier.flags(bytes, qualifier));
        value = qualifier + width;
      }
      more += rows[i].append(bytes, qualifier, width, value, length);
      if (time > 0) {
        rows[i].dateBy(time);
      }
    }
    return more;
  }

  /** The record's value. */
  byte[] build() {
    return Arrays.copyOf(bytes, end);
  }
}
