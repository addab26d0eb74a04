package org.hourstone.write;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.hourstone.codec.AppendCell;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Timestamps;
import org.hourstone.codec.Value;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.RowMutation;
import org.jspecify.annotations.Nullable;

/**
 * The points that go into one row together. Holds one point per instant: a later one with the same
 * qualifier takes the place of the earlier, as it would in the store. Not thread-safe.
 */
final class RowBatch extends RowWrite {
  private final long baseTime;
  private final long since;
  private final List<PendingPoint> cells = new ArrayList<>();
  private final List<PendingPoint> superseded = new ArrayList<>(0);
  private int[] offsets = new int[4];
  private int newestOffset = -1;
  private boolean taken;
  private final Work.@Nullable Cells complete;

  /**
   * @param since when its first point came, in milliseconds since the epoch
   */
  RowBatch(byte[] key, long baseTime, long since) {
    super(key);
    this.baseTime = baseTime;
    this.since = since;
    this.complete = null;
  }

  /** Of cells that were put together already; takes no points. */
  RowBatch(Work.Cells complete) {
    super(complete.mutation().row());
    this.baseTime = 0;
    this.since = 0;
    this.complete = complete;
  }

  long since() {
    return since;
  }

  @Override
  int size() {
    return complete == null ? cells.size() + superseded.size() : complete.points();
  }

  /** Whether points of this hour may still be added. */
  boolean isFor(long wantedBaseTime) {
    return !taken && baseTime == wantedBaseTime;
  }

  /**
   * Adds a point, unless the row holds one of the same instant that must be written before it.
   *
   * @param options whether a point takes the place of any earlier one of its instant, whatever
   *     their qualifiers; where points are appended, all of them are
   * @return whether it was added
   */
  boolean add(PendingPoint point, WriteOptions options) {
    int offset = (int) (Timestamps.toMillis(point.timestamp()) - baseTime * 1000);
    int held = offset > newestOffset || options.appends() ? -1 : indexOf(offset);
    if (held < 0) {
      append(point, offset);
      return true;
    }
    PendingPoint earlier = cells.get(held);
    if (!options.newestWins() && !sameQualifier(earlier, point)) {
      return false;
    }
    superseded.add(earlier);
    cells.set(held, point);
    return true;
  }

  /**
   * It is going to be written: the next points of its series must look for another row, whichever
   * object stands for the series.
   */
  void take() {
    taken = true;
    for (PendingPoint point : cells) {
      Series series = point.series();
      if (series.openRow == this) {
        series.openRow = null;
      }
    }
  }

  /** Whether somebody waits for a point of the row. */
  boolean isAwaited() {
    return anyAwaited(cells) || anyAwaited(superseded);
  }

  private static boolean anyAwaited(List<PendingPoint> points) {
    for (PendingPoint point : points) {
      if (point.isAwaited()) {
        return true;
      }
    }
    return false;
  }

  private void append(PendingPoint point, int offset) {
    if (cells.size() == offsets.length) {
      offsets = Arrays.copyOf(offsets, offsets.length * 2);
    }
    offsets[cells.size()] = offset;
    cells.add(point);
    newestOffset = Math.max(newestOffset, offset);
  }

  private int indexOf(int offset) {
    for (int i = cells.size() - 1; i >= 0; i--) {
      if (offsets[i] == offset) {
        return i;
      }
    }
    return -1;
  }

  private static boolean sameQualifier(PendingPoint one, PendingPoint other) {
    return one.flags() == other.flags()
        && Timestamps.isMillis(one.timestamp()) == Timestamps.isMillis(other.timestamp());
  }

  @Override
  RowMutation mutation(WriteOptions options) {
    if (complete != null) {
      return complete.mutation();
    }
    if (options.form() == CellForm.SINGLE || (cells.size() == 1 && !options.appends())) {
      return new RowMutation(key(), singleCells(options.pointTimeAsWriteTime()));
    }
    RowPoints points = new RowPoints();
    for (int i = 0; i < cells.size(); i++) {
      PendingPoint point = cells.get(i);
      boolean millis = Timestamps.isMillis(point.timestamp());
      points.add(offsets[i], millis, point.flags(), point.raw());
    }
    if (options.appends()) {
      return new RowMutation(
          key(), new Change.Append(AppendCell.qualifier(), AppendCell.encode(points)));
    }
    points.sort();
    List<Change> changes = new ArrayList<>();
    for (CompactedCell cell : CompactedCell.of(points, options.maxCellBytes())) {
      changes.add(new Change.Put(cell.qualifier(), cell.value()));
    }
    return new RowMutation(key(), changes);
  }

  private List<Change> singleCells(boolean pointTimeAsWriteTime) {
    List<Change> changes = new ArrayList<>(cells.size());
    for (PendingPoint point : cells) {
      changes.add(
          new Cell(
                  Qualifier.encode(point.timestamp(), point.flags()),
                  Value.encode(point.flags(), point.raw()),
                  pointTimeAsWriteTime ? Timestamps.toMillis(point.timestamp()) : Cell.STORE_TIME)
              .put());
    }
    return changes;
  }

  @Override
  void forEach(Consumer<Work.Pending> action) {
    superseded.forEach(action);
    cells.forEach(action);
    if (complete != null) {
      action.accept(complete);
    }
  }
}
