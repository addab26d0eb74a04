package org.hourstone;

import java.lang.System.Logger.Level;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the data table is salted as configured. The salt is not recorded in the store: with a
 * wrong setting, rows are not found, and new ones are written where readers don't find them.
 *
 * <p>The salt shows in the length of row keys. Only a contradiction is reported: none of the first
 * rows can be a series' row as configured, and one of them can with another salt. So a table
 * without rows passes, and a corrupt row among others does not matter. A salt as wide as a whole
 * number of tag pairs looks like tags, and is not detected. Rows in salt buckets beyond the
 * configured number, which are not read, are logged as a warning.
 */
final class SaltCheck {
  private static final System.Logger LOG = System.getLogger("org.hourstone.salt");
  private static final int ROWS = 8;
  private static final int MAX_WIDTH = 8;

  private final Schema schema;
  private final RowKey keys;
  private boolean fits;
  private @Nullable String contradiction;

  private SaltCheck(Schema schema) {
    this.schema = schema;
    this.keys = new RowKey(schema);
  }

  /**
   * Reads a few rows from the beginning, and a few after the rows that begin with zeros: these may
   * be any number of global annotations, whose keys do not depend on the salt. A failure to read
   * does not prevent opening, since points can still be accepted.
   *
   * @throws IllegalArgumentException if the table contradicts the settings
   */
  static void check(KeyValueReader store, Family points, Schema schema) {
    SaltCheck check = new SaltCheck(schema);
    byte[] firstMetric = new byte[schema.metricWidth()];
    firstMetric[firstMetric.length - 1] = 1;
    try {
      check.read(store, points, new byte[0]);
      check.read(store, points, firstMetric);
      check.warnOfRowsBeyond(store, points);
    } catch (StoreException unreachable) {
      return;
    }
    if (!check.fits && check.contradiction != null) {
      throw new IllegalArgumentException(
          "table %s does not fit %s=%d: %s; %s=false skips this check"
              .formatted(
                  points.table(),
                  Settings.SALT_WIDTH.key(),
                  schema.saltWidth(),
                  check.contradiction,
                  Settings.SALT_CHECK.key()));
    }
  }

  /** The number of buckets was lowered, or is not the one the table was written with. */
  private void warnOfRowsBeyond(KeyValueReader store, Family points) {
    int buckets = schema.distinctSalts();
    if (schema.saltWidth() == 0
        || (schema.saltWidth() < 4 && buckets == 1 << (8 * schema.saltWidth()))) {
      return; // there are no others
    }
    try (RowCursor rows =
        store.scan(points, Scan.range(keys.salt(buckets), null).rowsPerFetch(1).limit(1))) {
      Row row = rows.next();
      if (row != null && keys.isSeriesRow(row.key())) {
        LOG.log(
            Level.WARNING,
            "table %s has rows in salt buckets beyond %s=%d, which are not read: the first is %s;"
                    .formatted(
                        points.table(),
                        Settings.SALT_BUCKETS.key(),
                        schema.saltBuckets(),
                        new Bytes(row.key()))
                + " restore the number, or move the rows by fsck");
      }
    }
  }

  private void read(KeyValueReader store, Family points, byte[] start) {
    Scan scan = Scan.range(start, null).rowsPerFetch(ROWS).limit(ROWS);
    try (RowCursor rows = store.scan(points, scan)) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        consider(row.key());
      }
    }
  }

  private void consider(byte[] row) {
    if (keys.isSeriesRow(row)) {
      fits = true;
    } else if (!keys.isGlobalRow(row)) {
      Integer width = otherWidth(row);
      contradiction =
          width == null
              ? contradiction
              : "the key of row %s has the length of one with a salt width of %d"
                  .formatted(new Bytes(row), width);
    }
  }

  /** The salt width with which this can be a series' row; null if it can't with any. */
  private @Nullable Integer otherWidth(byte[] row) {
    for (int width = 0; width <= MAX_WIDTH; width++) {
      if (new RowKey(salted(width)).isSeriesRow(row)) {
        return width;
      }
    }
    return null;
  }

  private Schema salted(int width) {
    return new Schema(
        schema.metricWidth(),
        schema.tagkWidth(),
        schema.tagvWidth(),
        width,
        schema.saltBuckets(),
        schema.maxTags());
  }
}
