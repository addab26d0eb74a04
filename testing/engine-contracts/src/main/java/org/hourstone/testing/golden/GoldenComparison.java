package org.hourstone.testing.golden;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.hourstone.codec.CellKind;
import org.hourstone.codec.DuplicatePolicy;

/**
 * The cells that a store must have where a recording has some: the same, except for deviations.
 *
 * @param recorded all cells of the recording
 * @param before the cells of the store at the last comparison
 * @param hiddenThen cells that were put and stayed hidden in the recording
 * @param duplicates which of two values of one timestamp is read
 */
record GoldenComparison(
    List<GoldenCell> recorded,
    List<GoldenCell> before,
    List<GoldenCell> hiddenThen,
    DuplicatePolicy duplicates) {

  /**
   * The cells that must be there.
   *
   * @param actual the cells that are there, where a rule leaves a choice
   * @param nullPointer whether the compaction before failed by a NullPointerException
   * @param found the deviations there are, to which more are added
   */
  List<GoldenCell> expected(List<GoldenCell> actual, boolean nullPointer, Set<Deviation> found) {
    Map<String, GoldenRow> rowsBefore = GoldenRow.of(before);
    Map<String, GoldenRow> actualRows = GoldenRow.of(actual);
    Map<String, GoldenRow> expected = new TreeMap<>(GoldenRow.of(recorded));
    expected.replaceAll(
        (place, row) -> {
          if (row.hasEmptyQualifier()) {
            found.add(Deviation.EMPTY_QUALIFIER);
            return rowsBefore.getOrDefault(place, row);
          }
          if (nullPointer && (row.has(CellKind.ANNOTATION) || row.has(CellKind.HISTOGRAM))) {
            GoldenRow compacted = row.compacted();
            if (!compacted.equals(row) && compacted.equals(actualRows.get(place))) {
              found.add(Deviation.COMPACTION_PAST_ANNOTATIONS);
              return compacted;
            }
          }
          return row;
        });
    for (String place : GoldenRow.of(hiddenThen).keySet()) {
      GoldenRow row = actualRows.get(place);
      if (row != null
          && !row.equals(expected.get(place))
          && row.points(duplicates).equals(pointsWithHidden(expected, place))) {
        found.add(Deviation.PUT_HIDDEN_BY_DELETE_MARKER);
        expected.put(place, row);
      }
    }
    return expected.values().stream().flatMap(row -> row.cells().stream()).sorted().toList();
  }

  private List<String> pointsWithHidden(Map<String, GoldenRow> rows, String place) {
    List<GoldenCell> cells =
        new ArrayList<>(rows.getOrDefault(place, new GoldenRow(List.of())).cells());
    hiddenThen.stream().filter(cell -> cell.place().equals(place)).forEach(cells::add);
    return new GoldenRow(cells.stream().sorted().toList()).points(duplicates);
  }
}
