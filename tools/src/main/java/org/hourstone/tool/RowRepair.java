package org.hourstone.tool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Timestamps;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.rewrite.StoredPoint;

/**
 * Executes plans for rows, each in one atomic step, which fails if a cell on which the plan depends
 * has changed. So concurrent writes are not lost, and concurrent deletions are not undone. If a
 * cell has changed, nothing is written, and the caller plans again.
 *
 * <p>A cell that is moved to another row is put there before it is removed from its old row. After
 * a crash in between it exists twice, which the next run repairs. Thread-safe.
 */
final class RowRepair {
  /** The number of conflicts after which a row that keeps changing is left to the next run. */
  static final int ATTEMPTS = 10;

  /** The number of a row's cells that are removed in one step. */
  private static final int CELLS_PER_STEP = 10_000;

  private final KeyValueStore store;
  private final Family family;
  private final RowKey keys;
  private final FsckOptions options;
  private final OneAtATime<FsckListener> listener;

  RowRepair(
      KeyValueStore store,
      Family family,
      RowKey keys,
      FsckOptions options,
      OneAtATime<FsckListener> listener) {
    this.store = store;
    this.family = family;
    this.keys = keys;
    this.options = options;
    this.listener = listener;
  }

  Row read(byte[] row) {
    return store.get(family, row, Columns.all());
  }

  /** Removes a row with any cells, even if it changes concurrently. */
  void remove(Row row) {
    for (Row left = row; !left.isEmpty(); left = read(row.key())) {
      int cells = Math.min(left.size(), CELLS_PER_STEP);
      boolean unused = remove(left, IntStream.range(0, cells).boxed().toList());
    }
  }

  /** Removes cells of a row; returns whether they were unchanged since they were read. */
  boolean remove(Row row, List<Integer> cells) {
    return replace(row, cells, cells, List.of());
  }

  /** Executes a plan; returns whether the row was unchanged since it was read. */
  boolean apply(Row row, RowPlan plan) {
    return replace(row, plan.changed(), plan.observed(), plan.coming());
  }

  /** Replaces observed cells, some of which are put back unchanged. */
  private boolean replace(
      Row row, List<Integer> changed, List<Integer> observed, List<Cell> coming) {
    if (observed.isEmpty() && coming.isEmpty()) {
      return true;
    }
    if (!changed.isEmpty()) {
      removing(row.only(changed));
    }
    return store.replaceCells(family, row.only(observed), coming);
  }

  /** These cells are about to be removed or replaced. */
  void removing(Row cells) {
    listener.call(to -> to.removing(family, cells));
  }

  /**
   * Puts points of a row into the rows they belong to, unless they are already there.
   *
   * @param baseTime the base time of the row that contains the points, in seconds
   * @param prepare repairs a row before points are put into it
   * @return whether all points are there now; if not, those rows have other values at some of their
   *     timestamps
   */
  boolean place(byte[] tsuid, long baseTime, List<StoredPoint> points, Consumer<byte[]> prepare) {
    Map<Long, List<StoredPoint>> byHour = new TreeMap<>();
    for (StoredPoint point : points) {
      long millis = baseTime * 1000 + point.offset();
      long hour = Timestamps.baseTime(millis / 1000);
      int offset = (int) (millis - hour * 1000);
      byHour.computeIfAbsent(hour, any -> new ArrayList<>()).add(point.atOffset(offset));
    }
    boolean all = true;
    for (Map.Entry<Long, List<StoredPoint>> hour : byHour.entrySet()) {
      if (hour.getKey() > Timestamps.MAX_SECONDS) {
        all = false;
        continue;
      }
      byte[] key = keys.rowKey(tsuid, hour.getKey());
      prepare.accept(key);
      all &= place(key, hour.getValue());
    }
    return all;
  }

  private boolean place(byte[] key, List<StoredPoint> points) {
    for (int i = 0; i < ATTEMPTS; i++) {
      Row target = read(key);
      PointPlacement placement = new PointPlacement(target, points, options);
      if (placement.overwrites()) {
        return false;
      }
      List<Integer> changed = placement.changed();
      if (replace(target, changed, changed, placement.coming())) {
        return placement.isComplete();
      }
    }
    return false;
  }

  /**
   * Puts an object, such as an annotation, into the row it belongs to, unless it is already there.
   *
   * @return whether it is there now; if not, another one is in its place
   */
  boolean placeObject(byte[] key, byte[] qualifier, byte[] value, long writeTime) {
    List<Cell> cell = List.of(new Cell(qualifier, value, writeTime));
    if (store.replaceCells(family, Row.empty(key), cell)) {
      return true;
    }
    byte[] present = read(key).find(qualifier);
    return present != null && Arrays.equals(present, value);
  }
}
