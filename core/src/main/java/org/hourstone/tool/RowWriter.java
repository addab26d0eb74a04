package org.hourstone.tool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Timestamps;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.write.DatedCells;

/**
 * Changes rows as plans say.
 *
 * <p>Only cells that are still as they were read are removed, in the same atomic step as others
 * come, and these bear the write time of what they are made of: so a writer who is at work on the
 * row meanwhile loses nothing, and what is written later is read. What goes from one row into
 * another is there before it goes here: a crash in between leaves it twice, which the next run
 * mends.
 *
 * <p>Where a deletion may hide what is put after it, a cell that comes is read back before the one
 * it is made of goes. Thread-safe.
 */
final class RowWriter {
  /** A point and the cell it is in. */
  private record Member(RowPart part, StoredPoint point) {}

  private final KeyValueStore store;
  private final Family family;
  private final RowKey keys;
  private final FsckOptions options;
  private final FsckListener listener;
  private final DatedCells dated;
  private final ReadableCells readable;

  RowWriter(
      KeyValueStore store, Family family, RowKey keys, FsckOptions options, FsckListener listener) {
    this.store = store;
    this.family = family;
    this.keys = keys;
    this.options = options;
    this.listener = listener;
    this.dated = new DatedCells(store, family);
    this.readable = new ReadableCells(store, family, dated);
  }

  Row read(byte[] row) {
    return store.get(family, row, Columns.all());
  }

  /** Removes cells of a row. */
  void remove(Row row, List<Integer> cells) {
    if (!cells.isEmpty()) {
      Row removed = only(row, cells);
      listener.removing(family, removed);
      store.replaceCells(family, removed, List.of());
    }
  }

  /** Removes a row as it was read. */
  void remove(Row row) {
    listener.removing(family, row);
    store.replaceCells(family, row, List.of());
  }

  /**
   * Puts the cells that come under new qualifiers, where a deletion may hide them; {@link #apply}
   * follows.
   *
   * @return the cells they were to come from whose replacement stays hidden: they must not go
   */
  Set<Integer> prepare(Row row, RowPlan plan) {
    Map<Integer, Cell> coming = plan.comingUnderNewQualifiers();
    List<Cell> hidden = readable.put(row, plan.going(), List.copyOf(coming.values()));
    Set<Integer> staying = new HashSet<>();
    coming.forEach(
        (from, cell) -> {
          if (hidden.contains(cell)) {
            staying.add(from);
          }
        });
    return staying;
  }

  void apply(Row row, RowPlan plan) {
    listener.removing(family, only(row, plan.goingOrReplaced()));
    store.replaceCells(family, only(row, plan.going()), plan.coming());
  }

  /**
   * Puts points of a row into the rows they belong to, unless they are there.
   *
   * @param baseTime of the row the points are from, in seconds
   * @param prepare mends a row before it gets points
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
    Row target = read(key);
    List<RowPart> parts = new ArrayList<>();
    Map<Integer, List<Member>> present = new HashMap<>();
    for (int i = 0; i < target.size(); i++) {
      RowPart part = new RowPart(target, i);
      part.takePoints();
      part.points.forEach(
          point ->
              present
                  .computeIfAbsent(point.offset(), offset -> new ArrayList<>())
                  .add(new Member(part, point)));
      parts.add(part);
    }
    Map<Integer, StoredPoint> placed = new TreeMap<>();
    boolean all = true;
    for (StoredPoint point : points) {
      StoredPoint other = placed.get(point.offset());
      if (other != null && !other.hasValueOf(point)) {
        if (!options.permits(FsckAction.RESOLVE_DUPLICATES)) {
          all = false;
        } else if (Winner.of(List.of(other, point), options.keep()) == 1) {
          placed.put(point.offset(), point);
        }
      }
      if (other != null) {
        continue;
      }
      Fit fit = fit(present.getOrDefault(point.offset(), List.of()), point);
      all &= fit != Fit.REFUSED;
      if (fit == Fit.COMES) {
        placed.put(point.offset(), point);
      }
    }
    return write(target, parts, placed.values()) && all;
  }

  /** How a point fits into a row. */
  private enum Fit {
    COMES,
    IS_THERE,
    REFUSED
  }

  private Fit fit(List<Member> rivals, StoredPoint point) {
    if (rivals.isEmpty()) {
      return Fit.COMES;
    }
    boolean damaged = rivals.stream().anyMatch(rival -> rival.part().cell.isDamaged());
    if (!damaged && rivals.stream().allMatch(rival -> rival.point().hasValueOf(point))) {
      return Fit.IS_THERE;
    }
    if (damaged || !options.permits(FsckAction.RESOLVE_DUPLICATES)) {
      return Fit.REFUSED;
    }
    List<StoredPoint> candidates = new ArrayList<>();
    rivals.forEach(rival -> candidates.add(rival.point()));
    candidates.add(point);
    if (Winner.of(candidates, options.keep()) < rivals.size()) {
      return Fit.IS_THERE;
    }
    rivals.forEach(rival -> rival.part().drop(rival.point()));
    return Fit.COMES;
  }

  private boolean write(Row target, List<RowPart> parts, Collection<StoredPoint> placed) {
    List<Cell> coming = new ArrayList<>();
    placed.forEach(point -> coming.add(cell(point)));
    List<Integer> going = new ArrayList<>();
    for (RowPart part : parts) {
      if (part.fate == RowPart.Fate.REWRITTEN) {
        going.add(part.index);
        Cell rewritten = part.replacement(false);
        if (rewritten != null) {
          coming.add(rewritten);
        }
      }
    }
    if (coming.isEmpty()) {
      return true;
    }
    Map<Boolean, List<Cell>> byPlace =
        coming.stream()
            .collect(Collectors.partitioningBy(cell -> target.indexOf(cell.qualifier()) < 0));
    if (overwrites(target, going, coming)
        || !readable.put(target, going, byPlace.getOrDefault(true, List.of())).isEmpty()) {
      return false;
    }
    if (!going.isEmpty()) {
      listener.removing(family, only(target, going));
    }
    store.replaceCells(family, only(target, going), coming);
    // In the place of a younger one they can be read only now. They still are where they came from.
    return readable.put(target, going, byPlace.getOrDefault(false, List.of())).isEmpty();
  }

  /** Whether a cell would take the place of one that stays. */
  private static boolean overwrites(Row target, List<Integer> going, List<Cell> coming) {
    Set<Bytes> qualifiers = new HashSet<>();
    for (Cell cell : coming) {
      int present = target.indexOf(cell.qualifier());
      if (!qualifiers.add(new Bytes(cell.qualifier()))
          || (present >= 0 && !going.contains(present))) {
        return true;
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
    byte[] present = read(key).find(qualifier);
    if (present != null) {
      return Arrays.equals(present, value);
    }
    Cell cell = new Cell(qualifier, value, writeTime);
    if (dated.put(key, List.of(cell)).isEmpty()) {
      return true;
    }
    return dated.putNow(key, cell);
  }

  private static Cell cell(StoredPoint point) {
    RowPoints one = StoredPoint.toRowPoints(List.of(point));
    CompactedCell single = CompactedCell.of(one, 0, 1);
    return new Cell(single.qualifier(), single.value(), point.writeTime());
  }

  /** A row's cells of these numbers. */
  static Row only(Row row, List<Integer> cells) {
    return Row.of(
        row.key(),
        cells.stream().map(row::qualifier).toArray(byte[][]::new),
        cells.stream().map(row::value).toArray(byte[][]::new),
        cells.stream().mapToLong(row::writeTime).toArray());
  }
}
