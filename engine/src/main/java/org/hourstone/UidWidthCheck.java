package org.hourstone;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.codec.Schema;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;

/**
 * Checks that UIDs are as wide as configured, by those that exist. With a wrong setting points
 * would be acknowledged in rows that nothing reads.
 *
 * <p>Only a contradiction is reported: there are UIDs of a kind, and none of those that are read is
 * as wide as configured. So a few names of another width, which a wrong setting has left, do not
 * prevent opening.
 */
final class UidWidthCheck {
  private static final int ROWS = 16;

  private UidWidthCheck() {}

  /**
   * Reads the UIDs that are assigned first, and if there are none, those before all others. A
   * failure to read does not prevent opening, since points can still be accepted.
   *
   * @param names the family that leads from UIDs to names
   * @throws IllegalArgumentException if the table contradicts the settings
   */
  static void check(KeyValueReader store, Family names, Schema schema) {
    try {
      check(store, names, UidKind.METRIC, Settings.UID_WIDTH_METRIC, schema.metricWidth());
      check(store, names, UidKind.TAGK, Settings.UID_WIDTH_TAGK, schema.tagkWidth());
      check(store, names, UidKind.TAGV, Settings.UID_WIDTH_TAGV, schema.tagvWidth());
    } catch (StoreException unreachable) {
      // Nothing is known.
    }
  }

  private static void check(
      KeyValueReader store, Family names, UidKind kind, Setting<Integer> setting, int width) {
    Columns columns = Columns.exactly(kind.qualifier().getBytes(ISO_8859_1));
    List<byte[]> first = new ArrayList<>();
    for (int i = 1; i <= ROWS; i++) {
      byte[] uid = new byte[width];
      uid[width - 1] = (byte) i;
      first.add(uid);
    }
    if (store.get(names, first, columns).stream().allMatch(Row::isEmpty)) {
      byte[] other = otherWidth(store, names, columns, width);
      if (other != null) {
        throw new IllegalArgumentException(
            "table %s has UIDs of %s of %d bytes, such as %s, not of %s=%d"
                .formatted(
                    names.table(),
                    kind.qualifier(),
                    other.length,
                    new Bytes(other),
                    setting.key(),
                    width));
      }
    }
  }

  /** The first UID of another width; null if there is none, or one of this width beside it. */
  private static byte @Nullable [] otherWidth(
      KeyValueReader store, Family names, Columns columns, int width) {
    byte[] other = null;
    Scan scan = Scan.all().columns(columns).rowsPerFetch(ROWS).limit(ROWS);
    try (RowCursor rows = store.scan(names, scan)) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        if (row.key().length == width) {
          return null;
        }
        other = other == null ? row.key() : other;
      }
    }
    return other;
  }
}
