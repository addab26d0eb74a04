package org.hourstone.kv.hbase;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;

/**
 * The versions of some cells of a row on a server, including overwritten ones, and their deletion
 * markers, as long as no major compaction has removed them.
 */
final class RowHistory {
  /** The column of a marker that hides a whole row, or all of its cells with one write time. */
  private static final Bytes WHOLE_FAMILY = new Bytes(new byte[0]);

  private final Map<Bytes, List<Cell>> cells = new TreeMap<>();
  private final NavigableSet<Long> timesDeleted = new TreeSet<>();
  private long rowDeleted = -1;

  static RowHistory read(Reads reads, Family family, byte[] row, List<byte[]> qualifiers) {
    Columns columns = Columns.exactly(qualifiers.toArray(byte[][]::new));
    return read(reads, family, List.of(new Reads.Question(row, columns))).get(0);
  }

  /**
   * @param questions requests with {@linkplain Columns#exactly exact} columns
   */
  static List<RowHistory> read(Reads reads, Family family, List<Reads.Question> questions) {
    List<List<Cell>> found = reads.history(family, questions);
    List<RowHistory> histories = new ArrayList<>(questions.size());
    for (int i = 0; i < found.size(); i++) {
      RowHistory history = new RowHistory();
      qualifiers(questions.get(i))
          .forEach(each -> history.cells.put(new Bytes(each), new ArrayList<>()));
      found.get(i).forEach(history::add);
      histories.add(history);
    }
    return histories;
  }

  /** The requested qualifiers, and that of the family's markers. */
  static List<byte[]> qualifiers(Reads.Question question) {
    Set<Bytes> qualifiers = new LinkedHashSet<>(List.of(WHOLE_FAMILY));
    ((Columns.Exact) question.columns())
        .qualifiers()
        .forEach(each -> qualifiers.add(new Bytes(each)));
    return qualifiers.stream().map(Bytes::array).toList();
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

  /**
   * The latest time up to which the cell or a part of it is deleted; -1 if it was never deleted.
   */
  long deletedUpTo(byte[] qualifier) {
    long latest = timesDeleted.isEmpty() ? rowDeleted : Math.max(rowDeleted, timesDeleted.last());
    for (Cell cell : of(qualifier)) {
      latest = cell.getType() == Cell.Type.Put ? latest : Math.max(latest, cell.getTimestamp());
    }
    return latest;
  }

  /** Whether the cell would be hidden if it were put with this time. */
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

  /** Whether a marker for only this cell has exactly this time. */
  boolean isDeletedAt(byte[] qualifier, long time) {
    return of(qualifier).stream()
        .anyMatch(cell -> cell.getType() != Cell.Type.Put && cell.getTimestamp() == time);
  }

  /** Whether the cell was put with this time and another value. */
  boolean hasOther(byte[] qualifier, long time, byte[] value) {
    return of(qualifier).stream()
        .anyMatch(
            cell ->
                cell.getType() == Cell.Type.Put
                    && cell.getTimestamp() == time
                    && !CellUtil.matchingValue(cell, value));
  }

  /** The times of the cell's versions that are later than one time and not later than another. */
  List<Long> versions(byte[] qualifier, long after, long upTo) {
    return of(qualifier).stream()
        .filter(cell -> cell.getType() == Cell.Type.Put)
        .map(Cell::getTimestamp)
        .filter(time -> time > after && time <= upTo)
        .toList();
  }
}
