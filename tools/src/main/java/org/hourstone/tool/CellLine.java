package org.hourstone.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Family;

/**
 * A cell as a line of JSON: {@code
 * {"table":"tsdb","row":"hex","family":"t","qualifier":"hex","value":"hex","ts":millis}}.
 *
 * @param cell the cell with the write time {@code ts}, or {@link Cell#STORE_TIME} if the line has
 *     none
 */
record CellLine(Family family, byte[] row, Cell cell) {
  private static final String WRITE_TIME = "ts";
  private static final Set<String> FIELDS =
      Set.of("table", "row", "family", "qualifier", "value", WRITE_TIME);

  /**
   * @throws RequestException if the line is malformed; the message says why
   */
  static CellLine parse(String line) {
    JsonNode cell = Json.readWhole(line);
    if (!cell.isObject()) {
      throw new RequestException("not a JSON object");
    }
    for (Map.Entry<String, JsonNode> field : cell.properties()) {
      if (!FIELDS.contains(field.getKey())) {
        throw new RequestException("unknown field '" + field.getKey() + "'");
      }
    }
    byte[] row = bytes(cell, "row");
    if (row.length == 0) {
      throw new RequestException("empty row");
    }
    return new CellLine(
        new Family(text(cell, "table"), text(cell, "family")),
        row,
        new Cell(bytes(cell, "qualifier"), bytes(cell, "value"), writeTime(cell)));
  }

  private static String text(JsonNode cell, String field) {
    JsonNode value = cell.get(field);
    if (value == null) {
      throw new RequestException("no field '" + field + "'");
    }
    if (!value.isTextual()) {
      throw new RequestException("field '" + field + "' is not a string");
    }
    return value.asText();
  }

  private static byte[] bytes(JsonNode cell, String field) {
    String text = text(cell, field);
    try {
      return HexFormat.of().parseHex(text);
    } catch (IllegalArgumentException e) {
      throw new RequestException("field '" + field + "' is not hex: " + text, e);
    }
  }

  private static long writeTime(JsonNode cell) {
    JsonNode time = cell.get(WRITE_TIME);
    if (time == null) {
      return Cell.STORE_TIME;
    }
    if (!time.isIntegralNumber() || !time.canConvertToLong() || time.asLong() < 0) {
      throw new RequestException("field 'ts' is not a time in milliseconds: " + time);
    }
    return time.asLong();
  }
}
