package org.hourstone.query.run;

import com.google.common.collect.Lists;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
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
import org.hourstone.query.LastPoint;

/**
 * Finds the latest point of a series: gets its rows, the latest hour first, until one has a point.
 * As in queries, the rows of an hour are those of every salt bucket if the number of buckets may
 * have been changed. Thread-safe.
 */
public final class LastPointReader {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  /** How many hours are requested at once after the first, which usually has a point. */
  private static final int HOURS_AT_ONCE = 24;

  /** How many rows are requested at once, unless one hour has more. */
  private static final int ROWS_AT_ONCE = 1024;

  private final KeyValueReader store;
  private final Family family;
  private final RowKey keys;
  private final DuplicatePolicy duplicates;
  private final boolean cellsInStoredOrder;
  private final BooleanSupplier ownBucketsOnly;

  /**
   * @param family the data table's
   * @param duplicates as for queries
   * @param cellsInStoredOrder likewise
   * @param ownBucketsOnly whether only a series' own salt bucket is searched
   */
  public LastPointReader(
      KeyValueReader store,
      Family family,
      RowKey keys,
      DuplicatePolicy duplicates,
      boolean cellsInStoredOrder,
      BooleanSupplier ownBucketsOnly) {
    this.store = store;
    this.family = family;
    this.keys = keys;
    this.duplicates = duplicates;
    this.cellsInStoredOrder = cellsInStoredOrder;
    this.ownBucketsOnly = ownBucketsOnly;
  }

  /**
   * The latest point within some hours.
   *
   * @param millis a timestamp in the latest hour
   * @param hours the number of earlier hours to search; 0 for that hour alone
   * @throws CorruptDataException if a row is corrupt, naming it
   * @throws org.hourstone.kv.StoreException if the store fails
   */
  public Optional<LastPoint> find(byte[] tsuid, long millis, int hours) {
    long latest = Timestamps.baseTime(millis / 1000);
    boolean own = ownBucketsOnly.getAsBoolean();
    int ofHour = own ? 1 : keys.schema().distinctSalts();
    int atOnce = Math.max(1, Math.min(HOURS_AT_ONCE, ROWS_AT_ONCE / ofHour));
    int asked = 0;
    while (asked <= hours) {
      int next = asked == 0 ? 1 : Math.min(atOnce, hours - asked + 1);
      List<byte[]> rows = new ArrayList<>(next * ofHour);
      for (int i = 0; i < next; i++) {
        long baseTime = latest - (asked + i) * (long) Timestamps.ROW_SECONDS;
        if (baseTime >= 0) {
          rows.addAll(own ? List.of(keys.rowKey(tsuid, baseTime)) : keys.rowKeys(tsuid, baseTime));
        }
      }
      if (rows.isEmpty()) {
        break;
      }
      for (List<Row> hour : Lists.partition(store.get(family, rows, Columns.all()), ofHour)) {
        Optional<LastPoint> last = last(tsuid, hour);
        if (last.isPresent()) {
          return last;
        }
      }
      asked += next;
    }
    return Optional.empty();
  }

  /** How many rows of a series an hour may have: one, or one in each salt bucket. */
  int rowsOfHour() {
    return ownBucketsOnly.getAsBoolean() ? 1 : keys.schema().distinctSalts();
  }

  /**
   * The latest points of some series within some hours; absent for a series that has none there.
   *
   * @param latest the base time of the latest hour
   * @param hours how many hours, at least 1
   * @throws CorruptDataException if a row is corrupt, naming it
   */
  List<Optional<LastPoint>> find(List<byte[]> tsuids, long latest, int hours) {
    boolean own = ownBucketsOnly.getAsBoolean();
    int ofHour = own ? 1 : keys.schema().distinctSalts();
    List<byte[]> rows = new ArrayList<>(tsuids.size() * hours * ofHour);
    for (byte[] tsuid : tsuids) {
      for (int i = 0; i < hours; i++) {
        long baseTime = Math.max(0, latest - i * (long) Timestamps.ROW_SECONDS);
        rows.addAll(own ? List.of(keys.rowKey(tsuid, baseTime)) : keys.rowKeys(tsuid, baseTime));
      }
    }
    List<List<Row>> found = Lists.partition(store.get(family, rows, Columns.all()), ofHour);
    List<Optional<LastPoint>> points = new ArrayList<>(tsuids.size());
    for (int series = 0; series < tsuids.size(); series++) {
      Optional<LastPoint> last = Optional.empty();
      for (int i = 0; i < hours && last.isEmpty(); i++) {
        last = last(tsuids.get(series), found.get(series * hours + i));
      }
      points.add(last);
    }
    return points;
  }

  private Optional<LastPoint> last(byte[] tsuid, List<Row> hour) {
    if (hour.stream().allMatch(Row::isEmpty)) {
      return Optional.empty();
    }
    RowPoints points = new RowPoints();
    byte[] key = hour.get(0).key();
    try {
      RowDecoder decoder = new RowDecoder(duplicates, cellsInStoredOrder);
      decoder.start();
      for (Row row : hour) {
        key = row.isEmpty() ? key : row.key();
        for (int i = 0; i < row.size(); i++) {
          decoder.add(row.qualifier(i), row.value(i), row.writeTime(i));
        }
      }
      decoder.finish(points);
      decoder.checkLengths(points);
    } catch (CorruptDataException e) {
      throw new CorruptDataException(
          "row " + HEX.formatHex(key) + " of " + family + ": " + e.getMessage(), e);
    }
    if (points.size() == 0) {
      return Optional.empty();
    }
    int last = points.size() - 1;
    boolean isInteger = !points.isFloat(last);
    return Optional.of(
        new LastPoint(
            HEX.formatHex(tsuid),
            keys.baseTime(key) * 1000 + points.offset(last),
            isInteger,
            isInteger ? points.raw(last) : 0,
            points.toDouble(last)));
  }
}
