package org.hourstone.query;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowDecoder;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Timestamps;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;

/**
 * Finds the latest point of a series: gets its rows, the latest hour first, until one has a point.
 * Thread-safe.
 */
public final class LastPointReader {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  /** How many hours are requested at once after the first, which usually has a point. */
  private static final int HOURS_AT_ONCE = 24;

  private final KeyValueReader store;
  private final Family family;
  private final RowKey keys;
  private final DuplicatePolicy duplicates;
  private final boolean cellsAsTheyStand;

  /**
   * @param family the data table's
   * @param duplicates as for queries
   * @param cellsAsTheyStand likewise
   */
  public LastPointReader(
      KeyValueReader store,
      Family family,
      RowKey keys,
      DuplicatePolicy duplicates,
      boolean cellsAsTheyStand) {
    this.store = store;
    this.family = family;
    this.keys = keys;
    this.duplicates = duplicates;
    this.cellsAsTheyStand = cellsAsTheyStand;
  }

  /**
   * The latest point within some hours.
   *
   * @param millis a timestamp in the latest hour
   * @param hours how many hours before that one are searched; 0 for it alone
   * @throws CorruptDataException if a row is corrupt, naming it
   * @throws org.hourstone.kv.StoreException if the store fails
   */
  public Optional<LastPoint> find(byte[] tsuid, long millis, int hours) {
    long latest = Timestamps.baseTime(millis / 1000);
    int asked = 0;
    while (asked <= hours) {
      int next = asked == 0 ? 1 : Math.min(HOURS_AT_ONCE, hours - asked + 1);
      List<byte[]> rows = new ArrayList<>(next);
      for (int i = 0; i < next; i++) {
        long baseTime = latest - (asked + i) * (long) Timestamps.ROW_SECONDS;
        if (baseTime >= 0) {
          rows.add(keys.rowKey(tsuid, baseTime));
        }
      }
      if (rows.isEmpty()) {
        break;
      }
      for (Row row : store.get(family, rows, Columns.all())) {
        Optional<LastPoint> last = last(tsuid, row);
        if (last.isPresent()) {
          return last;
        }
      }
      asked += next;
    }
    return Optional.empty();
  }

  private Optional<LastPoint> last(byte[] tsuid, Row row) {
    RowPoints points = new RowPoints();
    try {
      RowDecoder decoder = new RowDecoder(duplicates, cellsAsTheyStand);
      decoder.start();
      for (int i = 0; i < row.size(); i++) {
        decoder.add(row.qualifier(i), row.value(i), row.writeTime(i));
      }
      decoder.finish(points);
      decoder.checkLengths(points);
    } catch (CorruptDataException e) {
      throw new CorruptDataException(
          "row " + HEX.formatHex(row.key()) + " of " + family + ": " + e.getMessage(), e);
    }
    if (points.size() == 0) {
      return Optional.empty();
    }
    int last = points.size() - 1;
    boolean isInteger = !points.isFloat(last);
    return Optional.of(
        new LastPoint(
            HEX.formatHex(tsuid),
            keys.baseTime(row.key()) * 1000 + points.offset(last),
            isInteger,
            isInteger ? points.raw(last) : 0,
            points.toDouble(last)));
  }
}
