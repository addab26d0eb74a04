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
 * Changes rows as plans say, each in one step that happens only if the cells a plan depends on are
 * as they were read: so nothing that is written or deleted concurrently is lost or comes back. If
 * they are not, nothing happens and the caller plans again.
 *
 * <p>What is moved from one row to another is put there before it is removed here: a crash in
 * between leaves it twice, which the next run repairs. Thread-safe.
 */
final class RowRepair {
  /** After as many conflicts a row that keeps changing is left to the next run. */
  static final int ATTEMPTS = 10;

  /** Cells of a row that are removed in one step. */
  private static final int CELLS_PER_STEP = 10_000;

  private final KeyValueStore store;
  private final Family family;
  private final RowKey keys;
  private final FsckOptions options;
  private final FsckListener listener;

  RowRepair(
      KeyValueStore store, Family family, RowKey keys, FsckOptions options, FsckListener listener) {
    this.store = store;
    this.family = family;
    this.keys = keys;
    this.options = options;
    this.listener = listener;
  }

  Row read(byte[] row) {
    return store.get(family, row, Columns.all());
  }

  /** Removes a row whatever is in it, even if it changes concurrently. */
  void remove(Row row) {
    for (Row left = row; !left.isEmpty(); left = read(row.key())) {
      int cells = Math.min(left.size(), CELLS_PER_STEP);
      boolean unused = remove(left, IntStream.range(0, cells).boxed().toList());
    }
  }

  /** Removes cells of a row; returns whether they were as they had been read. */
  boolean remove(Row row, List<Integer> cells) {
    return replace(row, cells, cells, List.of());
  }

  /** Carries a plan out; returns whether the row was as it had been read. */
  boolean apply(Row row, RowPlan plan) {
    return replace(row, plan.changed(), plan.observed(), plan.coming());
  }

  /** Replaces observed cells, some of which are put back as they were. */
  private boolean replace(
      Row row, List<Integer> changed, List<Integer> observed, List<Cell> coming) {
    if (observed.isEmpty() && coming.isEmpty()) {
      return true;
    }
    if (!changed.isEmpty()) {
      listener.removing(family, row.only(changed));
    }
    return store.replaceCells(family, row.only(observed), coming);
  }

  /**
   * Puts points of a row into the rows they belong to, unless they are there.
   *
   * @param baseTime of the row the points are from, in seconds
   * @param prepare repairs a row before it gets points
   * @return whether all of them are there now; else some of their instants have other values there
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
   * Puts an object, such as an annotation, into the row it belongs to, unless it is there.
   *
   * @return whether it is there now; else there is another in its place
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
