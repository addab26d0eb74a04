package org.hourstone.testkit.golden;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
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
    HexFormat hex = HexFormat.of();
    List<GoldenCell> list = new ArrayList<>();
    for (Family family : store.families()) {
      try (RowCursor rows = store.scan(family, Scan.all())) {
        for (Row row = rows.next(); row != null; row = rows.next()) {
          for (int i = 0; i < row.size(); i++) {
            list.add(
                new GoldenCell(
                    family.table(),
                    hex.formatHex(row.key()),
                    family.name(),
                    hex.formatHex(row.qualifier(i)),
                    hex.formatHex(row.value(i))));
          }
        }
      }
    }
    list.sort(null);
    return list;
  }

  @Override
  public int compareTo(GoldenCell other) {
    return ORDER.compare(this, other);
  }
}
