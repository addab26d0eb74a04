package org.hourstone.testkit.golden;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowDecoder;
import org.hourstone.codec.RowPoints;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;

/**
 * A stored cell as recordings hold it: row, qualifier and value in lower-case hex, which sorts as
 * the bytes do.
 */
record GoldenCell(String table, String row, String family, String qualifier, String value)
    implements Comparable<GoldenCell> {
  private static final HexFormat HEX = HexFormat.of();
  private static final Comparator<GoldenCell> ORDER =
      Comparator.comparing(GoldenCell::table)
          .thenComparing(GoldenCell::row)
          .thenComparing(GoldenCell::family)
          .thenComparing(GoldenCell::qualifier);

  /** The cells of a recording, sorted. */
  static List<GoldenCell> of(JsonNode cells) {
    List<GoldenCell> list = new ArrayList<>();
    for (JsonNode cell : cells) {
      list.add(
          new GoldenCell(
              cell.required("table").asText(),
              cell.required("row").asText(),
              cell.required("family").asText(),
              cell.required("qualifier").asText(),
              cell.required("value").asText()));
    }
    list.sort(null);
    return list;
  }

  /** Every cell of a store, sorted. */
  static List<GoldenCell> of(KeyValueStore store) {
    List<GoldenCell> list = new ArrayList<>();
    for (Family family : store.families()) {
      try (RowCursor rows = store.scan(family, Scan.all())) {
        for (Row row = rows.next(); row != null; row = rows.next()) {
          for (int i = 0; i < row.size(); i++) {
            list.add(
                new GoldenCell(
                    family.table(),
                    HEX.formatHex(row.key()),
                    family.name(),
                    HEX.formatHex(row.qualifier(i)),
                    HEX.formatHex(row.value(i))));
          }
        }
      }
    }
    list.sort(null);
    return list;
  }

  /** The cells of all tables but one. */
  static List<GoldenCell> outside(String table, List<GoldenCell> cells) {
    return cells.stream().filter(cell -> !cell.table().equals(table)).toList();
  }

  /** The points of a table's rows, by the rows' keys, whatever cells they stand in. */
  static Map<String, List<String>> points(String table, List<GoldenCell> cells) {
    Map<String, List<GoldenCell>> rows =
        cells.stream()
            .filter(cell -> cell.table().equals(table))
            .collect(Collectors.groupingBy(GoldenCell::row, TreeMap::new, Collectors.toList()));
    Map<String, List<String>> points = new TreeMap<>();
    rows.forEach((row, ofRow) -> points.put(row, points(ofRow)));
    return points;
  }

  private static List<String> points(List<GoldenCell> cells) {
    RowDecoder decoder = new RowDecoder(DuplicatePolicy.NEWEST_WINS, false);
    RowPoints points = new RowPoints();
    decoder.start();
    for (GoldenCell cell : cells) {
      decoder.add(HEX.parseHex(cell.qualifier()), HEX.parseHex(cell.value()), 0);
    }
    decoder.finish(points);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < points.size(); i++) {
      texts.add(points.offset(i) + " " + points.flags(i) + " " + points.raw(i));
    }
    return texts;
  }

  @Override
  public int compareTo(GoldenCell other) {
    return ORDER.compare(this, other);
  }
}
