package org.hourstone.codec;

import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/**
 * Decodes the cells of a data row into its points: single points, several points in one cell, and
 * appended points, in any mixture. Cells without points are skipped. Not thread-safe: keeps its
 * buffers from row to row.
 *
 * <p>Cells are merged by a queue over (timestamp, newest cell first, order of qualifiers). The
 * first point of a timestamp is kept. So the choice between two points with the same write time is
 * that of OpenTSDB. See {@code docs/format/compaction.md#merging}.
 */
public final class RowDecoder {
  private final DuplicatePolicy duplicates;
  private final boolean inStoredOrder;
  private final RowPoints gathered = new RowPoints();
  private final RowPoints merged = new RowPoints();

  /**
   * For each cell the index of its first gathered point; after the last cell, the number of points.
   */
  private int[] starts = new int[9];

  /** The write time of each cell. */
  private long[] writeTimes = new long[8];

  private int cells;

  /**
   * @param inStoredOrder whether the points of a cell are read as stored, as in OpenTSDB, even if
   *     they are out of order or have an impossible value length; otherwise they are sorted, and
   *     such a length is an error
   */
  public RowDecoder(DuplicatePolicy duplicates, boolean inStoredOrder) {
    this.duplicates = duplicates;
    this.inStoredOrder = inStoredOrder;
  }

  /** The number of points that fit in the buffers. */
  public int capacity() {
    return Math.max(writeTimes.length, gathered.capacity() + merged.capacity());
  }

  /** Begins a row. */
  public void start() {
    gathered.clear();
    cells = 0;
  }

  /**
   * Adds the row's next cell, in the order of qualifiers.
   *
   * @param writeTime milliseconds since the epoch
   * @return how many bytes of the value follow its points: 0, but 1 for a multi-point cell;
   *     possibly others if the cell was not written by Hourstone or OpenTSDB
   * @throws CorruptDataException if the cell violates the format. Its points are left out, except
   *     for those that were appended before the corruption; more cells may be added
   */
  public int add(byte[] qualifier, byte[] value, long writeTime) {
    CellKind kind = CellKind.of(qualifier);
    int first = gathered.size();
    try {
      return gather(kind, qualifier, value);
    } catch (CorruptDataException e) {
      if (kind != CellKind.APPEND) {
        gathered.cut(first);
      }
      throw e;
    } finally {
      putInOrder(kind, first);
      endCell(first, writeTime);
    }
  }

  /**
   * Adds the row's next cell, whose points the caller adds.
   *
   * @param cell adds the points in the order of the cell, and returns true; otherwise it adds none
   * @param writeTime milliseconds since the epoch
   * @return the result of {@code cell}; if false, the cell was not added
   */
  public boolean add(Predicate<RowPoints> cell, long writeTime) {
    int first = gathered.size();
    if (!cell.test(gathered)) {
      return false;
    }
    putInOrder(CellKind.COMPACTED, first);
    endCell(first, writeTime);
    return true;
  }

  private int gather(CellKind kind, byte[] qualifier, byte[] value) {
    return switch (kind) {
      case POINT -> gatherPoint(qualifier, value);
      case COMPACTED -> gatherCompacted(qualifier, value);
      case APPEND -> gatherAppended(value);
      case ANNOTATION, HISTOGRAM, UNKNOWN -> 0;
    };
  }

  private void putInOrder(CellKind kind, int first) {
    if (kind == CellKind.APPEND) {
      gathered.sort(first);
      gathered.keepLastOfEachInstant(first);
    } else if (!inStoredOrder) {
      gathered.sort(first);
    }
  }

  private void endCell(int first, long writeTime) {
    if (cells == writeTimes.length) {
      writeTimes = Arrays.copyOf(writeTimes, cells * 2);
      starts = Arrays.copyOf(starts, cells * 2 + 1);
    }
    starts[cells] = first;
    writeTimes[cells] = writeTime;
    cells++;
    starts[cells] = gathered.size();
  }

  /**
   * Ends the row. Throws as {@link #finish(RowPoints)} does.
   *
   * @return its points, valid until the next row begins
   */
  public RowPoints finish() {
    if (gathered.isAscending()) {
      return gathered;
    }
    merge(merged);
    return merged;
  }

  /**
   * Ends the row and returns its points. May be called once per row.
   *
   * @param into is filled with its points: ascending by offset, each timestamp once
   * @throws CorruptDataException if the policy is to fail and two points with the same timestamp
   *     differ
   */
  public void finish(RowPoints into) {
    if (gathered.isAscending()) {
      into.exchange(gathered);
    } else {
      merge(into);
    }
  }

  /**
   * Checks the points of a finished row, for a reader that needs numbers.
   *
   * @throws CorruptDataException if the length of a value is impossible
   */
  public void checkLengths(RowPoints finished) {
    for (int i = 0; inStoredOrder && i < finished.size(); i++) {
      Value.checkLength(finished.flags(i));
    }
  }

  /** The points of one cell that are still to be merged. */
  private final class Run implements Comparable<Run> {
    final long writeTime;
    final int end;
    int next;

    Run(int cell) {
      this.writeTime = writeTimes[cell];
      this.next = starts[cell];
      this.end = starts[cell + 1];
    }

    @Override
    public int compareTo(Run other) {
      int byInstant = Integer.compare(gathered.offset(next), gathered.offset(other.next));
      return byInstant != 0 ? byInstant : Long.compare(other.writeTime, writeTime);
    }
  }

  private void merge(RowPoints into) {
    PriorityQueue<Run> runs = new PriorityQueue<>();
    for (int cell = 0; cell < cells; cell++) {
      if (starts[cell] < starts[cell + 1]) {
        runs.add(new Run(cell));
      }
    }
    into.clear();
    int kept = -1;
    for (Run run = runs.poll(); run != null; run = runs.poll()) {
      int next = run.next;
      if (kept < 0 || gathered.offset(kept) != gathered.offset(next)) {
        into.addFrom(gathered, next);
        kept = next;
      } else if (supersedes(next, kept)) {
        into.setLastFrom(gathered, next);
        kept = next;
      }
      if (++run.next < run.end) {
        runs.add(run);
      }
    }
  }

  /** If two points share a timestamp: whether the one later in the merge order is to be kept. */
  private boolean supersedes(int later, int kept) {
    return switch (duplicates) {
      case NEWEST_WINS -> false;
      case LARGEST_WINS -> gathered.toDouble(later) > gathered.toDouble(kept);
      case SMALLEST_WINS -> gathered.toDouble(later) < gathered.toDouble(kept);
      case FAIL -> {
        if (!gathered.sameBytes(later, kept)) {
          throw new CorruptDataException(
              "Duplicate timestamp at offset "
                  + gathered.offset(kept)
                  + " ms: "
                  + Arrays.toString(gathered.valueBytes(kept))
                  + " and, older, "
                  + Arrays.toString(gathered.valueBytes(later))
                  + "; set tsd.storage.fix_duplicates=true to keep the newest");
        }
        yield false;
      }
    };
  }

  private int gatherPoint(byte[] qualifier, byte[] value) {
    int flags = Qualifier.flags(qualifier, 0);
    boolean millis = Qualifier.isMillis(qualifier[0]);
    int at = 0;
    if (!millis) {
      at = oldFloatPadding(flags, value);
      flags = withLength(flags, value.length - at);
    }
    add(qualifier, 0, flags, value, at);
    return value.length - at - Qualifier.valueLength(flags);
  }

  /**
   * Early versions wrote 4-byte floats in 8 bytes, the first four of them zero.
   *
   * @return where the float starts
   */
  private static int oldFloatPadding(int flags, byte[] value) {
    if (flags != Value.FLOAT_FLAGS || value.length != Long.BYTES) {
      return 0;
    }
    if (BigEndian.intAt(value, 0) != 0) {
      throw new CorruptDataException(
          "Corrupted floating point value: "
              + Arrays.toString(value)
              + ": its first 4 bytes are expected to be zeros");
    }
    return Integer.BYTES;
  }

  /**
   * Early versions also wrote wrong lengths into flags: the actual length of the value is the right
   * one.
   */
  private static int withLength(int flags, int length) {
    if (length < 1 || length > Long.BYTES) {
      throw new CorruptDataException("Value of " + length + " bytes: not on 8/4/2/1 bytes");
    }
    return (flags & Qualifier.FLOAT) | (length - 1);
  }

  private int gatherCompacted(byte[] qualifier, byte[] value) {
    int valueAt = 0;
    for (int at = 0; at < qualifier.length; ) {
      if (startsRun(qualifier, at)) {
        int flags = Qualifier.flags(qualifier, at);
        int count = gathered.addRun(qualifier, at, value, valueAt);
        at += 2 * count;
        valueAt += count * Qualifier.valueLength(flags);
        if (count > 0) {
          continue;
        }
      }
      int width = Qualifier.width(qualifier[at]);
      if (at + width > qualifier.length) {
        throw new CorruptDataException(
            "Corrupted qualifier: its last point's " + width + " bytes are cut off");
      }
      int flags = Qualifier.flags(qualifier, at);
      add(qualifier, at, flags, value, valueAt);
      valueAt += Qualifier.valueLength(flags);
      at += width;
    }
    return value.length - valueAt;
  }

  /** Whether there are two points with the same flags, of a legal length, in seconds. */
  private boolean startsRun(byte[] qualifier, int at) {
    return at + 4 <= qualifier.length
        && !Qualifier.isMillis(qualifier[at])
        && ((qualifier[at + 1] ^ qualifier[at + 3]) & 0xF) == 0
        && (inStoredOrder || Value.isLegalLength(Qualifier.flags(qualifier, at)));
  }

  private int gatherAppended(byte[] value) {
    for (int at = 0; at < value.length; ) {
      int width = Qualifier.width(value[at]);
      if (at + width > value.length) {
        throw new CorruptDataException(
            "Corrupted value: the qualifier of " + width + " bytes at byte " + at + " is cut off");
      }
      int flags = Qualifier.flags(value, at);
      add(value, at, flags, value, at + width);
      at += width + Qualifier.valueLength(flags);
    }
    return 0;
  }

  private void add(byte[] qualifier, int at, int flags, byte[] value, int valueAt) {
    int length = Qualifier.valueLength(flags);
    if (valueAt + length > value.length) {
      throw new CorruptDataException(
          "Corrupted value: couldn't break down into individual values (consumed "
              + value.length
              + " bytes, but was expecting to consume "
              + (valueAt + length)
              + ")");
    }
    gathered.add(
        Qualifier.offsetMillis(qualifier, at),
        Qualifier.isMillis(qualifier[at]),
        flags,
        inStoredOrder ? Value.rawAt(flags, value, valueAt) : Value.decode(flags, value, valueAt));
  }
}
