package org.hourstone.write;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hourstone.codec.AppendCell;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Timestamps;
import org.hourstone.codec.Value;
import org.hourstone.kv.Change;
import org.hourstone.kv.RowMutation;
import org.jspecify.annotations.Nullable;

/**
 * The points that are written to one row together, in primitive columns in order of arrival. If two
 * share a timestamp, the later one replaces the earlier, as it would in the store. Not thread-safe.
 */
final class RowBatch extends RowWrite {
  /**
   * About how many bytes of memory a row takes with its first points, its place in maps included.
   */
  static final int BYTES = 400;

  /** About how many bytes each further point takes. */
  static final int POINT_BYTES = 40;

  private static final int CODE_BITS = 5;
  private static final int MILLIS = 0x10;

  private final long baseTime;
  private final long since;

  /**
   * For each point its offset in milliseconds, whether its timestamp is in milliseconds, and its
   * flags.
   */
  private int[] codes = new int[2];

  private long[] raws = new long[2];
  private int cells;
  private int newestOffset = -1;

  /** The position of each point, once one arrived that was not the newest. */
  private @Nullable OffsetIndex index;

  private boolean taken;

  /** The series object whose open row this is: the last to open it. */
  private @Nullable Series openedBy;

  /**
   * @param since when its first point arrived, in milliseconds since the epoch
   */
  RowBatch(RowId id, long baseTime, long since) {
    super(id);
    this.baseTime = baseTime;
    this.since = since;
  }

  long since() {
    return since;
  }

  @Override
  int size() {
    return receipts.size();
  }

  @Override
  int points() {
    return receipts.untold();
  }

  @Override
  boolean isDivisible(WriteOptions options) {
    return options.cells().dated() && receipts.untold() > 1;
  }

  /** Whether points of this hour may still be added. */
  boolean isFor(long wantedBaseTime) {
    return !taken && baseTime == wantedBaseTime;
  }

  /**
   * Makes it the row in which the series' next point is placed. Several objects may denote the
   * series, any number while names are resolved again and again: the others must look the row up.
   */
  void open(Series series) {
    letGo();
    openedBy = series;
    series.openRow = this;
  }

  @SuppressWarnings("ReferenceEquality") // the series may have opened another row since
  private void letGo() {
    if (openedBy != null && openedBy.openRow == this) {
      openedBy.openRow = null;
    }
    openedBy = null;
  }

  /**
   * Adds a point, unless the row has one of the same timestamp that must be written before it.
   *
   * @param options whether a point replaces any earlier one of its timestamp, whatever their
   *     qualifiers; where points are appended, all are kept, and where they are dated, none shares
   *     its cell with another receipt
   * @return whether it was added
   */
  boolean add(
      long timestamp, int flags, long raw, Receipt receipt, long token, WriteOptions options) {
    int offset = (int) (Timestamps.toMillis(timestamp) - baseTime * 1000);
    int millis = Timestamps.isMillis(timestamp) ? MILLIS : 0;
    int code = offset << CODE_BITS | millis | flags;
    int at = options.appends() ? -1 : find(offset);
    if (at >= 0
        && !options.cells().newestWins()
        && (codes[at] != code || options.cells().dated())) {
      return false;
    }
    // Allocation first: a point is added with its receipt or not at all.
    makeRoom();
    receipts.makeRoom();
    if (at < 0) {
      at = cells++;
      if (index != null) {
        index.put(offset, at);
      }
      newestOffset = Math.max(newestOffset, offset);
    }
    codes[at] = code;
    raws[at] = raw;
    receipts.add(receipt, token);
    return true;
  }

  private void makeRoom() {
    if (cells == codes.length) {
      long[] more = Arrays.copyOf(raws, cells * 2);
      codes = Arrays.copyOf(codes, cells * 2);
      raws = more;
    }
    if (index != null) {
      index.makeRoom();
    }
  }

  private int find(int offset) {
    if (offset > newestOffset) {
      return -1;
    }
    if (index == null) {
      OffsetIndex made = new OffsetIndex();
      for (int i = 0; i < cells; i++) {
        made.makeRoom();
        made.put(offset(i), i);
      }
      index = made;
    }
    return index.find(offset);
  }

  private int offset(int i) {
    return codes[i] >>> CODE_BITS;
  }

  private boolean isMillis(int i) {
    return (codes[i] & MILLIS) != 0;
  }

  private int flags(int i) {
    return codes[i] & (MILLIS - 1);
  }

  /** Called before writing: the next points of its series must use another row. */
  void take() {
    taken = true;
    letGo();
  }

  /** Whether a caller waits for a point of the row. */
  boolean isAwaited() {
    return receipts.anyAwaited();
  }

  @Override
  RowMutation mutation(WriteOptions options, boolean appends, RowPoints scratch) {
    byte[] key = id().key();
    if (options.cells().form() == CellForm.SINGLE || (cells == 1 && !appends)) {
      return new RowMutation(
          key,
          options.cells().dated()
              ? singleCells(receipts.begin(), receipts.end(), true)
              : singleCells(0, cells, false));
    }
    scratch.clear();
    for (int i = 0; i < cells; i++) {
      scratch.add(offset(i), isMillis(i), flags(i), raws[i]);
    }
    if (appends) {
      return new RowMutation(
          key, new Change.Append(AppendCell.qualifier(), AppendCell.encode(scratch)));
    }
    if (options.appends()) { // no point has replaced an earlier one of its timestamp
      byte[] inOrderOfArrival = AppendCell.encode(scratch);
      scratch.clear();
      AppendCell.read(inOrderOfArrival, inOrderOfArrival.length, scratch);
    } else {
      scratch.sort();
    }
    List<Change> changes = new ArrayList<>();
    for (CompactedCell cell : CompactedCell.of(scratch, options.cells().maxBytes())) {
      changes.add(new Change.Put(cell.qualifier(), cell.value()));
    }
    return new RowMutation(key, changes);
  }

  private List<Change> singleCells(int from, int to, boolean dated) {
    List<Change> changes = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      long millis = baseTime * 1000 + offset(i);
      byte[] qualifier = Qualifier.encode(isMillis(i) ? millis : millis / 1000, flags(i));
      byte[] value = Value.encode(flags(i), raws[i]);
      changes.add(
          dated
              ? new Change.PutIfNewer(qualifier, value, millis)
              : new Change.Put(qualifier, value));
    }
    return changes;
  }
}
