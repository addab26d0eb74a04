package org.hourstone.kv;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A scan: a half-open range of rows, the columns to keep, a row filter, a hint, and a check that
 * may end it. The bounds are copied.
 *
 * @param start first row, inclusive; empty means from the first
 * @param stop last row, exclusive; null means to the last
 * @param columns the cells to keep; rows left without one are skipped
 * @param filter the rows to keep
 * @param rowsPerFetch how many rows a remote store should send at a time, at least 1: a hint
 * @param limit the maximum number of rows to return, at least 1; {@link #NO_LIMIT} for all
 * @param writtenSince a hint: cells whose write time, in milliseconds since the epoch, is earlier
 *     may be left out, and rows that have no others; 0 for all cells. A store may ignore it
 * @param check called once per {@link #ROWS_PER_CHECK} rows that a call of {@link RowCursor#next}
 *     (or of {@code scan}, if that reads them) reads and does not return, whether the filter or the
 *     columns skip them; by the caller's thread; it does not block. An exception of it ends the
 *     call and reaches the caller unchanged; after that the cursor can only be closed. A store
 *     whose servers read the rows need not call it
 */
public record Scan(
    byte[] start,
    byte @Nullable [] stop,
    Columns columns,
    RowFilter filter,
    int rowsPerFetch,
    long limit,
    long writtenSince,
    Runnable check) {

  public static final long NO_LIMIT = Long.MAX_VALUE;

  /** OpenTSDB's {@code tsd.storage.hbase.scanner.maxNumRows}. */
  public static final int DEFAULT_ROWS_PER_FETCH = 128;

  /** The number of rows that are not returned after which a cursor should call {@link #check}. */
  public static final int ROWS_PER_CHECK = 1000;

  public Scan {
    if (stop != null && Arrays.compareUnsigned(start, stop) > 0) {
      throw new IllegalArgumentException("scan starts after it stops");
    }
    if (rowsPerFetch < 1 || limit < 1) {
      throw new IllegalArgumentException("rowsPerFetch and limit must be at least 1");
    }
    if (writtenSince < 0) {
      throw new IllegalArgumentException("writtenSince is negative: " + writtenSince);
    }
    start = start.clone();
    stop = stop == null ? null : stop.clone();
  }

  /** All rows of the family. */
  public static Scan all() {
    return range(new byte[0], null);
  }

  /** All rows from {@code start} (inclusive) to {@code stop} (exclusive, null for no end). */
  public static Scan range(byte[] start, byte @Nullable [] stop) {
    return new Scan(
        start,
        stop,
        Columns.all(),
        RowFilter.any(),
        DEFAULT_ROWS_PER_FETCH,
        NO_LIMIT,
        0,
        Scan::noCheck);
  }

  /** All rows whose key starts with {@code prefix}. */
  public static Scan prefix(byte[] prefix) {
    return range(prefix, afterPrefix(prefix));
  }

  /** The rest of this scan, from a row on. */
  public Scan from(byte[] first) {
    return new Scan(first, stop, columns, filter, rowsPerFetch, limit, writtenSince, check);
  }

  /** The beginning of this scan, up to a row exclusively. */
  public Scan until(byte[] end) {
    return new Scan(start, end, columns, filter, rowsPerFetch, limit, writtenSince, check);
  }

  public Scan columns(Columns kept) {
    return new Scan(start, stop, kept, filter, rowsPerFetch, limit, writtenSince, check);
  }

  public Scan filter(RowFilter kept) {
    return new Scan(start, stop, columns, kept, rowsPerFetch, limit, writtenSince, check);
  }

  public Scan limit(long rows) {
    return new Scan(start, stop, columns, filter, rowsPerFetch, rows, writtenSince, check);
  }

  public Scan rowsPerFetch(int rows) {
    return new Scan(start, stop, columns, filter, rows, limit, writtenSince, check);
  }

  /** This scan with a hint that earlier cells may be left out; milliseconds since the epoch. */
  public Scan writtenSince(long millis) {
    return new Scan(start, stop, columns, filter, rowsPerFetch, limit, millis, check);
  }

  /** This scan with another check, which may end it. */
  public Scan check(Runnable ends) {
    return new Scan(start, stop, columns, filter, rowsPerFetch, limit, writtenSince, ends);
  }

  /** The smallest key greater than every key with this prefix; null if there is none. */
  static byte @Nullable [] afterPrefix(byte[] prefix) {
    int last = prefix.length - 1;
    while (last >= 0 && prefix[last] == (byte) 0xFF) {
      last--;
    }
    if (last < 0) {
      return null;
    }
    byte[] after = Arrays.copyOf(prefix, last + 1);
    after[last]++;
    return after;
  }

  private static void noCheck() {}
}
