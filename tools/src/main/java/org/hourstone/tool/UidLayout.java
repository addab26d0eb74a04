package org.hourstone.tool;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.hourstone.codec.Schema;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;

/**
 * The layout of the UID table.
 *
 * @param forward the family of names to UIDs
 * @param reverse the family of UIDs to names
 */
record UidLayout(Family forward, Family reverse, Schema schema) {
  /** The row of the counters, in the family of names to UIDs. */
  private static final byte[] COUNTER_ROW = {0};

  /**
   * The columns in addition to the entries; the last two are from early versions of OpenTSDB 2.0.
   */
  private static final List<byte[]> OTHER_COLUMNS =
      List.of(
          UidKind.METRIC.metaQualifier(),
          UidKind.TAGK.metaQualifier(),
          UidKind.TAGV.metaQualifier(),
          bytes("ts_meta"),
          bytes("ts_ctr"));

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  static byte[] counterRow() {
    return COUNTER_ROW.clone();
  }

  static boolean isCounterRow(byte[] row) {
    return Arrays.equals(row, COUNTER_ROW);
  }

  /** Whether a name can have a forward entry: it is not empty, and not the counters' row. */
  static boolean isName(byte[] name) {
    return name.length > 0 && !isCounterRow(name);
  }

  static byte[] qualifier(UidKind kind) {
    return bytes(kind.qualifier());
  }

  /** The columns of all kinds' entries. */
  static Columns entries() {
    return Columns.exactly(
        qualifier(UidKind.METRIC), qualifier(UidKind.TAGK), qualifier(UidKind.TAGV));
  }

  /** The kind of an entry; null if the column is not an entry. */
  static @Nullable UidKind kindOf(byte[] qualifier) {
    return switch (text(qualifier)) {
      case "metrics" -> UidKind.METRIC;
      case "tagk" -> UidKind.TAGK;
      case "tagv" -> UidKind.TAGV;
      default -> null;
    };
  }

  /** Whether a column that is not an entry is known. */
  static boolean isKnown(byte[] qualifier) {
    return OTHER_COLUMNS.stream().anyMatch(known -> Arrays.equals(known, qualifier));
  }

  int width(UidKind kind) {
    return switch (kind) {
      case METRIC -> schema.metricWidth();
      case TAGK -> schema.tagkWidth();
      case TAGV -> schema.tagvWidth();
    };
  }
}
