package org.hourstone.rewrite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hourstone.codec.AppendCell;
import org.hourstone.codec.CellKind;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RowDecoder;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.RowPoints;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Row;

/**
 * Plans the replacements of cells that compact a row. The plan depends only on the row. A row that
 * has been replaced as planned needs no further change.
 *
 * <p><strong>All cells with points are observed</strong>, including those that are not changed: the
 * choice between two points of one timestamp depends on both cells. So a replacement fails if
 * another writer has changed or removed any of them, and a cell that it does not observe was
 * written after the row was read.
 *
 * <p><strong>A new cell has the write time of the newest cell it replaces.</strong> So a point that
 * is written after the row was read takes precedence over the new cell. On a store that assigns
 * write times by the millisecond, the new cell is dated a millisecond later: after a deletion, the
 * remaining part of the new cell may have the qualifier of a replaced cell, whose tombstone may
 * hide cells with the same write time. Such a row has not been written for some time. If cells are
 * dated by their points' timestamps, but not strictly as OpenTSDB dates them, a new cell is dated
 * before its hour, since a later write may have the time of any point of the hour.
 */
final class CompactionPlanner {
  /**
   * The maximum number of cells that one replacement observes, unless their points overlap; an hour
   * with a point per second is replaced in one step. A server compares the cells while other
   * writers of the row wait.
   */
  static final int MOST_CELLS = 4096;

  /** One replacement of cells. */
  record Step(Row observed, List<Cell> replacement) {
    /** The observed cells that do not stay as they are. */
    Row replaced() {
      Set<Integer> unchanged =
          replacement.stream()
              .filter(this::isThere)
              .map(cell -> observed.indexOf(cell.qualifier()))
              .collect(Collectors.toSet());
      return observed.only(
          IntStream.range(0, observed.size()).filter(i -> !unchanged.contains(i)).boxed().toList());
    }

    /**
     * The time of the newest cell that is put, if points get a later time by it; else the earliest
     * time of all.
     */
    long raisedTo() {
      Row replaced = replaced();
      long oldest =
          IntStream.range(0, replaced.size())
              .mapToLong(replaced::writeTime)
              .min()
              .orElse(Long.MAX_VALUE);
      long newest = replacement.stream().mapToLong(Cell::writeTime).max().orElse(Long.MIN_VALUE);
      return newest > oldest ? newest : Long.MIN_VALUE;
    }

    private boolean isThere(Cell cell) {
      int at = observed.indexOf(cell.qualifier());
      return at >= 0
          && observed.writeTime(at) == cell.writeTime()
          && Arrays.equals(observed.value(at), cell.value());
    }
  }

  /** A cell, and the first and last offset of its points. */
  private record Span(int cell, int first, int last) {}

  private final RowKey keys;
  private final CompactionOptions options;
  private final boolean keepsCellsWhole;
  private final boolean exactTimes;

  /**
   * @param keepsCellsWhole whether the points of one compacted cell stay in one cell, even if it
   *     exceeds the maximum size
   * @param exactTimes whether two changes of a row never have the same write time
   */
  CompactionPlanner(
      RowKey keys, CompactionOptions options, boolean keepsCellsWhole, boolean exactTimes) {
    this.keys = keys;
    this.options = options;
    this.keepsCellsWhole = keepsCellsWhole;
    this.exactTimes = exactTimes;
  }

  /** The numbers of the cells that hold points. */
  static List<Integer> parts(Row row) {
    return IntStream.range(0, row.size())
        .filter(i -> CellKind.of(row.qualifier(i)).holdsPoints())
        .boxed()
        .toList();
  }

  static boolean hasAppends(Row row) {
    return IntStream.range(0, row.size())
        .anyMatch(i -> CellKind.of(row.qualifier(i)) == CellKind.APPEND);
  }

  /**
   * The replacement of the row's append cell by its points in order, without those that later
   * points replaced. The write time does not change, so that the cell does not take precedence over
   * cells that were written after it.
   */
  List<Step> repair(Row row) {
    int at = row.indexOf(AppendCell.qualifier());
    if (at < 0 || row.value(at).length == 0) {
      return List.of();
    }
    Row cell = row.only(List.of(at));
    byte[] repaired = AppendCell.encode(points(cell, DuplicatePolicy.NEWEST_WINS));
    return Arrays.equals(repaired, row.value(at))
        ? List.of()
        : List.of(
            new Step(cell, List.of(new Cell(row.qualifier(at), repaired, row.writeTime(at)))));
  }

  /**
   * The replacements that change the row, each independent of the others.
   *
   * @param parts the row's cells that hold points
   * @throws CorruptDataException if a cell is corrupt, or points conflict
   */
  List<Step> steps(Row row, List<Integer> parts) {
    Row all = row.only(parts);
    RowPoints points = points(all);
    if (points.size() == 0) {
      return List.of();
    }
    List<Step> steps = new ArrayList<>();
    if (all.size() <= MOST_CELLS) {
      addStep(all, points, steps);
    } else {
      for (List<Integer> group : groups(all)) {
        Row some = all.only(group);
        addStep(some, points(some), steps);
      }
    }
    return steps;
  }

  /** The points that a reader of the row would get. */
  RowPoints points(Row row) {
    return points(row, options.duplicates());
  }

  private RowPoints points(Row row, DuplicatePolicy duplicates) {
    RowDecoder decoder = new RowDecoder(duplicates, options.cellsInStoredOrder());
    RowPoints points = new RowPoints();
    decoder.start();
    for (int i = 0; i < row.size(); i++) {
      int left = decoder.add(row.qualifier(i), row.value(i), row.writeTime(i));
      checkLeftOver(row.qualifier(i), left);
    }
    decoder.finish(points);
    return points;
  }

  /** Bytes whose meaning is unknown must not be dropped with their cell. */
  private void checkLeftOver(byte[] qualifier, int left) {
    int allowed = CellKind.of(qualifier) == CellKind.COMPACTED ? 1 : 0;
    if (left > allowed && !options.cellsInStoredOrder()) {
      throw new CorruptDataException(
          "cell "
              + HexFormat.of().formatHex(qualifier)
              + " has "
              + (left - allowed)
              + " bytes more than its points take");
    }
  }

  private void addStep(Row observed, RowPoints points, List<Step> steps) {
    if (points.size() == 0) {
      return; // append cells without points
    }
    List<CompactedCell> cells = cells(observed, points);
    long writeTime = writeTime(observed);
    List<Cell> replacement = new ArrayList<>();
    int same = 0;
    for (CompactedCell cell : cells) {
      int at = observed.indexOf(cell.qualifier());
      boolean present = at >= 0 && Arrays.equals(cell.value(), observed.value(at));
      same += present ? 1 : 0;
      replacement.add(
          new Cell(
              cell.qualifier(),
              cell.value(),
              present && options.duplicates().pointTimeAsWriteTime()
                  ? observed.writeTime(at)
                  : writeTime));
    }
    if (same < cells.size() || same < observed.size()) {
      steps.add(new Step(observed, replacement));
    }
  }

  private long writeTime(Row observed) {
    if (options.duplicates().pointTimeAsWriteTime() && !options.cellsInStoredOrder()) {
      return Math.max(0, keys.baseTime(observed.key()) * 1000 - 1);
    }
    long newest = observed.writeTime(0);
    for (int i = 1; i < observed.size(); i++) {
      newest = Math.max(newest, observed.writeTime(i));
    }
    return exactTimes || options.duplicates().pointTimeAsWriteTime()
        ? newest
        : Math.min(newest + 1, Change.MAX_WRITE_TIME);
  }

  private List<CompactedCell> cells(Row observed, RowPoints points) {
    if (!keepsCellsWhole) {
      return CompactedCell.of(points, options.maxCellBytes());
    }
    BitSet inside = new BitSet(points.size());
    for (int i = 0; i < observed.size(); i++) {
      if (CellKind.of(observed.qualifier(i)) == CellKind.COMPACTED) {
        Span span = span(observed, i);
        int first = points.indexOf(span.first());
        inside.set(first + 1, Math.max(first, points.indexOf(span.last())) + 1);
      }
    }
    return CompactedCell.of(points, options.maxCellBytes(), from -> !inside.get(from));
  }

  /** The cells in time order, in groups such that no two groups share a timestamp. */
  private static List<List<Integer>> groups(Row parts) {
    List<Span> spans = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      spans.add(span(parts, i));
    }
    spans.sort(Comparator.comparingInt(Span::first));
    List<List<Integer>> groups = new ArrayList<>();
    List<Integer> group = new ArrayList<>();
    int last = -1;
    for (Span span : spans) {
      if (group.size() >= MOST_CELLS && span.first() > last) {
        groups.add(group);
        group = new ArrayList<>();
      }
      group.add(span.cell());
      last = Math.max(last, span.last());
    }
    groups.add(group);
    groups.forEach(cells -> cells.sort(Comparator.naturalOrder()));
    return groups;
  }

  private static Span span(Row parts, int cell) {
    byte[] qualifier = parts.qualifier(cell);
    if (CellKind.of(qualifier) == CellKind.APPEND) {
      return new Span(cell, 0, Integer.MAX_VALUE);
    }
    int first = Integer.MAX_VALUE;
    int last = 0;
    for (int at = 0; at < qualifier.length; at += Qualifier.width(qualifier[at])) {
      int offset = Qualifier.offsetMillis(qualifier, at);
      first = Math.min(first, offset);
      last = Math.max(last, offset);
    }
    return new Span(cell, first, last);
  }
}
