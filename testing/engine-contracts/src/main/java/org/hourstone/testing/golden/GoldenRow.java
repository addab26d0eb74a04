package org.hourstone.testing.golden;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.hourstone.codec.CellKind;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowDecoder;
import org.hourstone.codec.RowPoints;

/**
 * The cells of one row of the data table.
 *
 * @param cells sorted
 */
record GoldenRow(List<GoldenCell> cells) {
  private static final HexFormat HEX = HexFormat.of();

  /** The rows of some cells, by table and row key. */
  static Map<String, GoldenRow> of(Collection<GoldenCell> cells) {
    return cells.stream()
        .collect(
            Collectors.groupingBy(
                GoldenCell::place,
                TreeMap::new,
                Collectors.collectingAndThen(Collectors.toList(), GoldenRow::new)));
  }

  /** Whether it has a cell of this kind. */
  boolean has(CellKind kind) {
    return cells.stream().anyMatch(cell -> CellKind.of(cell.qualifierBytes()) == kind);
  }

  /** Whether the recording has the write times of its cells. */
  boolean hasTimes() {
    return cells.stream().noneMatch(cell -> cell.ts().isEmpty());
  }

  boolean hasEmptyQualifier() {
    return cells.stream().anyMatch(cell -> cell.qualifier().isEmpty());
  }

  /** Its points, each as text, whatever cells they stand in. */
  List<String> points(DuplicatePolicy duplicates) {
    RowPoints points = decode(cells, duplicates);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < points.size(); i++) {
      texts.add(points.offset(i) + " ms: " + points.flags(i) + "/" + points.raw(i));
    }
    return texts;
  }

  /** The row with its points in one cell. */
  GoldenRow compacted() {
    List<GoldenCell> rest = new ArrayList<>();
    List<GoldenCell> parts = new ArrayList<>();
    for (GoldenCell cell : cells) {
      switch (CellKind.of(cell.qualifierBytes())) {
        case POINT, COMPACTED -> parts.add(cell);
        default -> rest.add(cell);
      }
    }
    if (!parts.isEmpty()) {
      GoldenCell any = parts.get(0);
      RowPoints points = decode(parts, DuplicatePolicy.FAIL);
      CompactedCell one = CompactedCell.of(points, 0, points.size());
      rest.add(
          new GoldenCell(
              any.table(),
              any.row(),
              any.family(),
              HEX.formatHex(one.qualifier()),
              HEX.formatHex(one.value()),
              any.ts()));
    }
    rest.sort(null);
    return new GoldenRow(rest);
  }

  private static RowPoints decode(List<GoldenCell> cells, DuplicatePolicy duplicates) {
    RowDecoder decoder = new RowDecoder(duplicates, true);
    RowPoints points = new RowPoints();
    decoder.start();
    for (GoldenCell cell : cells) {
      decoder.add(cell.qualifierBytes(), cell.valueBytes(), 0);
    }
    decoder.finish(points);
    return points;
  }
}
