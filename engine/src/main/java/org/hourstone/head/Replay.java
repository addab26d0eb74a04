package org.hourstone.head;

import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.RowKey;
import org.jspecify.annotations.Nullable;

/**
 * Makes the rows that were open from the records of a journal, taken in order. The first records
 * may lack what came before them: of a row that is sealed later. If they take too much memory, rows
 * from a number on are left out, for another replay. For one thread.
 */
final class Replay {
  private static final int MOST_RECENT = 1 << 22;

  /** About how much memory it takes to remember a row without the record that opens it. */
  private static final long UNKNOWN_BYTES = 80;

  private final RowKey keys;
  private final InstantSource clock;
  private final long from;
  private final long mostBytes;
  private final Map<Long, OpenRow> open = new LinkedHashMap<>();

  /** Some of the open rows, by the last bits of their numbers: most points are of these. */
  private @Nullable OpenRow[] recent = new OpenRow[1 << 16];

  /** Their numbers, which are close together in memory, as the rows are not. */
  private long[] numbers = new long[recent.length];

  /** Rows with points whose opening was trimmed: a later record must say that they are sealed. */
  private final Set<Long> unknown = new HashSet<>();

  private final PendingPoints points = new PendingPoints();

  private long greatest;

  /** Rows with this number, and greater ones, are left out. */
  private long end = Long.MAX_VALUE;

  /** The memory of the open rows; some that are sealed since may be counted, too. */
  private long bytes;

  /**
   * @param from the first number of a row that is not left out
   * @param mostBytes of memory for the rows; a single one may take more
   */
  Replay(RowKey keys, InstantSource clock, long from, long mostBytes) {
    this.keys = keys;
    this.clock = clock;
    this.from = from;
    this.mostBytes = mostBytes;
  }

  /**
   * @param time by which rows that have points of it are dated; 0 if they are when written
   */
  void read(long number, long time, byte[] record) {
    RecordReader.read(
        record,
        new RecordReader.Visitor() {
          @Override
          public void sealed(long row) {
            OpenRow was = open.remove(row);
            bytes -= was == null ? 0 : was.memory();
            recent[slot(row)] = null;
            unknown.remove(row);
            greatest = Math.max(greatest, row);
          }

          @Override
          public void opened(long row, byte[] key) {
            checkKey(key);
            greatest = Math.max(greatest, row);
            if (isLeftOut(row)) {
              return;
            }
            OpenRow made = new OpenRow(key, keys.baseTime(key), row, clock.millis(), null, null);
            made.isIn(number);
            if (open.put(row, made) != null) {
              throw new CorruptDataException(
                  "the journal opens row " + row + " twice; the second time in record " + number);
            }
            bytes += made.memory();
            makeRoom();
          }

          @Override
          public void points(long row, byte[] source, int from, int count) {
            if (isLeftOut(row)) {
              return;
            }
            OpenRow to = open(row);
            if (to == null) {
              unknown.add(row);
            } else {
              points.add(to, source, from, count);
              to.dateBy(time);
            }
          }
        });
    points.apply();
    bytes += points.grown();
    if (isTooLarge()) {
      bytes = memory();
      while (isTooLarge() && open.size() > 1) {
        leaveOut();
      }
    }
  }

  private boolean isLeftOut(long row) {
    return row < from || row >= end;
  }

  private boolean isTooLarge() {
    return bytes + unknown.size() * UNKNOWN_BYTES > mostBytes;
  }

  /** Leaves out the last half of the rows: the others may still get points. */
  private void leaveOut() {
    long[] sorted = open.keySet().stream().mapToLong(Long::longValue).sorted().toArray();
    end = sorted[(sorted.length + 1) / 2];
    open.keySet().removeIf(row -> row >= end);
    unknown.removeIf(row -> row >= end);
    Arrays.fill(recent, null);
    bytes = memory();
  }

  private long memory() {
    return open.values().stream().mapToLong(OpenRow::memory).sum();
  }

  private @Nullable OpenRow open(long number) {
    int slot = slot(number);
    OpenRow row = recent[slot];
    if (row == null || numbers[slot] != number) {
      row = open.get(number);
      recent[slot] = row;
      numbers[slot] = number;
    }
    return row;
  }

  /** Adds slots until rows with consecutive numbers do not share them. */
  private void makeRoom() {
    if (open.size() > recent.length / 2 && recent.length < MOST_RECENT) {
      recent = new OpenRow[2 * recent.length];
      numbers = new long[recent.length];
    }
  }

  private int slot(long number) {
    return (int) number & (recent.length - 1);
  }

  private void checkKey(byte[] key) {
    if (!keys.isSeriesRow(key) || !keys.isInOwnBucket(key, keys.tsuid(key))) {
      throw new IllegalArgumentException(
          "the journal has points that were written with other widths of UIDs or another salt"
              + " (tsd.storage.uid.width.…, tsd.storage.salt.…): open the store with these");
    }
  }

  /**
   * The rows that are open after the last record, in the order in which they were opened.
   *
   * @throws CorruptDataException if records are missing
   */
  Collection<OpenRow> rows() {
    if (!unknown.isEmpty()) {
      throw new CorruptDataException(
          "the journal is incomplete: it has points of rows without the record that opens them");
    }
    return open.values();
  }

  /** The first number of a row that is left out, but for those before {@code from}. */
  long end() {
    return end;
  }

  /** A number for the next row, greater than all in the journal. */
  long nextRow() {
    return greatest + 1;
  }
}
