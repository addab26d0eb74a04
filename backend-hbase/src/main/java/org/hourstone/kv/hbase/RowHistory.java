package org.hourstone.kv.hbase;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;

/**
 * The remains of some cells of a row on a server: overwritten versions, and the markers of
 * deletions, until a major compaction removes them.
 */
final class RowHistory {
  /** Of a marker that hides a whole row, or all of its cells of one time. */
  private static final Bytes WHOLE_FAMILY = new Bytes(new byte[0]);

  private final Map<Bytes, List<Cell>> cells = new TreeMap<>();
  private final NavigableSet<Long> timesDeleted = new TreeSet<>();
  private long rowDeleted = -1;

  static RowHistory read(Reads reads, Family family, byte[] row, List<byte[]> qualifiers) {
    RowHistory history = new RowHistory();
    history.cells.put(WHOLE_FAMILY, new ArrayList<>());
    qualifiers.forEach(each -> history.cells.put(new Bytes(each), new ArrayList<>()));
    List<byte[]> all = history.cells.keySet().stream().map(Bytes::array).toList();
    reads.history(family, row, all).forEach(history::add);
    return history;
  }

  private void add(Cell cell) {
    if (cell.getType() == Cell.Type.DeleteFamily) {
      rowDeleted = Math.max(rowDeleted, cell.getTimestamp());
    } else if (cell.getType() == Cell.Type.DeleteFamilyVersion) {
      timesDeleted.add(cell.getTimestamp());
    } else {
      List<Cell> known = cells.get(new Bytes(CellUtil.cloneQualifier(cell)));
      if (known != null) {
        known.add(cell);
      }
    }
  }

  private List<Cell> of(byte[] qualifier) {
    return cells.getOrDefault(new Bytes(qualifier), List.of());
  }

  /** The latest time up to which the cell is deleted, or a part of it; -1 if it never was. */
  long deletedUpTo(byte[] qualifier) {
    long latest = timesDeleted.isEmpty() ? rowDeleted : Math.max(rowDeleted, timesDeleted.last());
    for (Cell cell : of(qualifier)) {
      latest = cell.getType() == Cell.Type.Put ? latest : Math.max(latest, cell.getTimestamp());
    }
    return latest;
  }

  /** Whether the cell would not be seen if it were put with this time. */
  boolean hides(byte[] qualifier, long time) {
    return time <= rowDeleted
        || timesDeleted.contains(time)
        || of(qualifier).stream()
            .anyMatch(
                cell ->
                    switch (cell.getType()) {
                      case Put -> false;
                      case Delete -> cell.getTimestamp() == time;
                      default -> cell.getTimestamp() >= time;
                    });
  }

  /** The times of the cell's versions that are later than one time, and not later than another. */
  List<Long> versions(byte[] qualifier, long after, long upTo) {
    return of(qualifier).stream()
        .filter(cell -> cell.getType() == Cell.Type.Put)
        .map(Cell::getTimestamp)
        .filter(time -> time > after && time <= upTo)
        .toList();
  }
}
