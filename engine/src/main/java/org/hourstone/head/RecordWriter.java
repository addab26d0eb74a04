package org.hourstone.head;

import com.google.common.primitives.Longs;
import java.util.Arrays;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.Value;

/**
 * Builds the value of a journal record, see {@code docs/format/journal.md}, and remembers where the
 * points of each row are in it. Used again and again, by one thread.
 */
final class RecordWriter {
  static final byte VERSION = 1;

  static final int KIND_BITS = 2;
  static final int POINTS = 0;
  static final int OPENED = 1;
  static final int SEALED = 2;

  private static final int MOST_BYTES_OF_NUMBER = 10;
  private static final int MOST_BYTES_OF_POINT = 12;

  /** The points, and the keys of new rows; the numbers are put between them by {@link #build}. */
  private byte[] points = new byte[4096];

  private int end;

  /** Where the value is built before its length is known. */
  private byte[] scratch = {};

  private OpenRow[] rows = new OpenRow[64];
  private int[] starts = new int[64];
  private boolean[] opens = new boolean[64];
  private int entries;
  private int keyBytes;
  private long[] sealed = {};
  private int sealedCount;
  private long least = Long.MAX_VALUE;

  boolean isEmpty() {
    return entries == 0 && sealedCount == 0;
  }

  /** About how many bytes it has. */
  int bytes() {
    return end + keyBytes + entries * MOST_BYTES_OF_POINT;
  }

  /** How many runs of points it has. */
  int entries() {
    return entries;
  }

  void clear() {
    end = 0;
    Arrays.fill(rows, 0, entries, null);
    entries = 0;
    sealedCount = 0;
    keyBytes = 0;
    least = Long.MAX_VALUE;
  }

  /** Adds a row whose points are in the data table now. */
  void addSealed(long number) {
    if (sealedCount == sealed.length) {
      sealed = Arrays.copyOf(sealed, Math.max(64, sealedCount * 2));
    }
    sealed[sealedCount++] = number;
    least = Math.min(least, number);
  }

  /** Begins a new row; its first points are added next. */
  void open(OpenRow row) {
    begin(row, true);
    keyBytes += row.key().length;
  }

  /**
   * Adds a point.
   *
   * @param offset milliseconds from the row's base time
   */
  @SuppressWarnings("ReferenceEquality") // a row is one object
  void add(OpenRow row, int offset, boolean millis, int flags, long raw) {
    if (points.length - end < MOST_BYTES_OF_POINT) {
      points = Arrays.copyOf(points, points.length * 2);
    }
    if (entries == 0 || rows[entries - 1] != row) {
      begin(row, false);
    }
    end =
        millis
            ? Qualifier.putMillis(offset, flags, points, end)
            : Qualifier.putSeconds(offset / 1000, flags, points, end);
    end = Value.put(flags, raw, points, end);
  }

  private void begin(OpenRow row, boolean isNew) {
    if (entries == starts.length) {
      starts = Arrays.copyOf(starts, entries * 2);
      opens = Arrays.copyOf(opens, entries * 2);
      rows = Arrays.copyOf(rows, entries * 2);
    }
    opens[entries] = isNew;
    starts[entries] = end;
    rows[entries++] = row;
    least = Math.min(least, row.number());
  }

  private int endOf(int entry) {
    return entry + 1 < entries ? starts[entry + 1] : end;
  }

  /** Adds the points of an entry to their row; returns how many more bytes that takes. */
  int apply(int entry) {
    return rows[entry].append(points, starts[entry], endOf(entry) - starts[entry]);
  }

  /** The record's value. */
  byte[] build() {
    int most = 1 + MOST_BYTES_OF_NUMBER + end + sealedCount * MOST_BYTES_OF_NUMBER;
    for (int i = 0; i < entries; i++) {
      most += 3 * MOST_BYTES_OF_NUMBER + (opens[i] ? rows[i].key().length : 0);
    }
    if (scratch.length < most) {
      scratch = new byte[most + (most >> 2)];
    }
    byte[] record = scratch;
    record[0] = VERSION;
    int at = putNumber(record, 1, least);
    for (int i = 0; i < sealedCount; i++) {
      at = putNumber(record, at, (sealed[i] - least) << KIND_BITS | SEALED);
    }
    for (int i = 0; i < entries; i++) {
      OpenRow row = rows[i];
      int kind = opens[i] ? OPENED : POINTS;
      at = putNumber(record, at, (row.number() - least) << KIND_BITS | kind);
      if (opens[i]) {
        at = putNumber(record, at, row.key().length);
        System.arraycopy(row.key(), 0, record, at, row.key().length);
        at += row.key().length;
      }
      int count = endOf(i) - starts[i];
      at = putNumber(record, at, count);
      System.arraycopy(points, starts[i], record, at, count);
      at += count;
    }
    return Arrays.copyOf(record, at);
  }

  private static int putNumber(byte[] target, int from, long number) {
    int at = from;
    long left = number;
    while ((left & ~0x7FL) != 0) {
      target[at++] = (byte) (left | 0x80);
      left >>>= 7;
    }
    target[at++] = (byte) left;
    return at;
  }

  /** The key of a record. */
  static byte[] key(long number) {
    return Longs.toByteArray(number);
  }
}
