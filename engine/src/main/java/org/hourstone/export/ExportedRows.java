package org.hourstone.export;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.LongConsumer;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.codec.Timestamps;
import org.hourstone.error.RequestException;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.query.RequestBudget;
import org.hourstone.query.RowSelection;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an export, in batches. No cursor stays open between these, so a client that reads
 * slowly keeps nothing in the store. The order is that of the selections, in each that of the row
 * keys; a row that several have is in the first. For one thread.
 */
final class ExportedRows {
  /** A batch ends with the row that reaches this many bytes. */
  private static final long BATCH = 1 << 18;

  private static final int MOST_ROWS = 1024;

  private final KeyValueReader store;
  private final Family family;
  private final RowKey keys;
  private final List<Leg> legs = new ArrayList<>();
  private final long firstHour;
  private final long lastHour;

  private int leg;

  /** The next key to read; null for the first of the leg. */
  private byte @Nullable [] position;

  private record Leg(Scan scan, RowSelection selection) {
    boolean has(byte[] key) {
      byte[] stop = scan.stop();
      return Arrays.compareUnsigned(key, scan.start()) >= 0
          && (stop == null || Arrays.compareUnsigned(key, stop) < 0)
          && scan.filter().matches(key)
          && selection.passes().test(key);
    }
  }

  /** A row, and the part of the export that it belongs to. */
  record Placed(int leg, Row row) {
    /** From which the export continues behind the row. */
    String token() {
      return leg + "." + HexFormat.of().formatHex(row.key());
    }
  }

  /**
   * @param selections at least one
   */
  ExportedRows(
      KeyValueReader store,
      Family family,
      RowKey keys,
      List<RowSelection> selections,
      ExportRequest what) {
    this.store = store;
    this.family = family;
    this.keys = keys;
    for (RowSelection each : selections) {
      each.scans().forEach(scan -> legs.add(new Leg(scan.columns(Columns.all()), each)));
    }
    this.firstHour = hour(what.fromMillis());
    this.lastHour = hour(what.toMillis());
    if (!what.after().isEmpty()) {
      continueAfter(what.after());
    }
  }

  private static long hour(long millis) {
    long seconds = Math.min(millis / 1000, Timestamps.MAX_SECONDS);
    return seconds - seconds % Timestamps.ROW_SECONDS;
  }

  private void continueAfter(String token) {
    int dot = token.indexOf('.');
    try {
      leg = Integer.parseInt(token.substring(0, Math.max(0, dot)));
      position = next(HexFormat.of().parseHex(token.substring(dot + 1)));
    } catch (IllegalArgumentException e) {
      throw new RequestException("after: '" + token + "' is not from an export", e);
    }
    if (leg < 0 || leg >= legs.size()) {
      throw new RequestException("after: '" + token + "' is from an export of another selection");
    }
  }

  /** The smallest key that is greater. */
  private static byte[] next(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  /**
   * Reads the next rows.
   *
   * @param held is called with the size of each row, in bytes
   * @return none at the end
   */
  List<Placed> read(LongConsumer held) {
    List<Placed> rows = new ArrayList<>();
    while (rows.isEmpty() && leg < legs.size()) {
      read(rows, held);
    }
    return rows;
  }

  /** Reads on until a batch is complete, the leg ends, or hours are skipped. */
  private void read(List<Placed> rows, LongConsumer held) {
    Scan rest = rest(legs.get(leg).scan());
    if (rest == null) {
      nextLeg();
      return;
    }
    long bytes = 0;
    try (RowCursor cursor = store.scan(family, rest)) {
      Row row = cursor.next();
      while (row != null && bytes < BATCH && rows.size() < MOST_ROWS) {
        byte[] key = row.key();
        if (key.length >= keys.schema().tagsOffset()) {
          long hour = keys.baseTime(key);
          if (hour < firstHour) {
            position = withHour(key, firstHour);
            return;
          }
          if (hour > lastHour) {
            position = Scan.prefix(ofMetric(key)).stop();
            if (position == null) {
              nextLeg();
            }
            return;
          }
        }
        if (isWanted(key)) {
          long size = RequestBudget.bytes(row);
          held.accept(size);
          bytes += size;
          rows.add(new Placed(leg, row));
        }
        position = next(key);
        row = bytes < BATCH && rows.size() < MOST_ROWS ? cursor.next() : row;
      }
      if (row == null) {
        nextLeg();
      }
    }
  }

  private void nextLeg() {
    leg++;
    position = null;
  }

  private @Nullable Scan rest(Scan scan) {
    byte[] from = position;
    if (from == null || Arrays.compareUnsigned(from, scan.start()) <= 0) {
      return scan;
    }
    byte[] stop = scan.stop();
    return stop != null && Arrays.compareUnsigned(from, stop) >= 0 ? null : scan.from(from);
  }

  private boolean isWanted(byte[] key) {
    if (!legs.get(leg).selection().passes().test(key)) {
      return false;
    }
    for (int i = 0; i < leg; i++) {
      if (legs.get(i).has(key)) {
        return false;
      }
    }
    return true;
  }

  /** Salt and metric of a row. */
  private byte[] ofMetric(byte[] key) {
    return Arrays.copyOf(key, keys.schema().baseTimeOffset());
  }

  private byte[] withHour(byte[] key, long hour) {
    byte[] metric = ofMetric(key);
    return ByteBuffer.allocate(metric.length + Schema.BASE_TIME_WIDTH)
        .put(metric)
        .putInt((int) hour)
        .array();
  }
}
