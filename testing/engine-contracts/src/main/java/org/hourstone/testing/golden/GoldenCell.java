package org.hourstone.testing.golden;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;

/**
 * A stored cell as recordings hold it: row, qualifier and value in lower-case hex, which sorts as
 * the bytes do.
 *
 * @param value with the run's clock masked where it is metadata
 * @param ts the write time in milliseconds, {@code now} if it is the run's clock; empty where the
 *     recording gives none
 */
record GoldenCell(
    String table, String row, String family, String qualifier, String value, String ts)
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
              masked(HEX.parseHex(cell.required("value").asText())),
              cell.has("ts") ? RunClock.maskMillis(cell.get("ts").asLong()) : ""));
    }
    list.sort(null);
    return list;
  }

  /**
   * Every cell of a store, sorted.
   *
   * @param timed the tables whose write times are wanted
   */
  static List<GoldenCell> of(KeyValueStore store, Set<String> timed) {
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
                    masked(row.value(i)),
                    timed.contains(family.table()) ? RunClock.maskMillis(row.writeTime(i)) : ""));
          }
        }
      }
    }
    list.sort(null);
    return list;
  }

  /** Metadata is JSON, and contains the time of its creation. */
  private static String masked(byte[] value) {
    if (value.length == 0 || value[0] != '{') {
      return HEX.formatHex(value);
    }
    String text = new String(value, StandardCharsets.ISO_8859_1);
    return HEX.formatHex(RunClock.maskCreated(text).getBytes(StandardCharsets.ISO_8859_1));
  }

  byte[] qualifierBytes() {
    return HEX.parseHex(qualifier);
  }

  byte[] valueBytes() {
    return HEX.parseHex(value);
  }

  /** Table and row key. */
  String place() {
    return table + " " + row;
  }

  @Override
  public int compareTo(GoldenCell other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return (table + " " + row + " " + family + ":" + qualifier + " = " + value + " " + ts).strip();
  }
}
