package org.hourstone.index;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.codec.Timestamps;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.uid.UidTable;
import org.jspecify.annotations.Nullable;

/** Looks up series. Thread-safe. */
public final class SeriesLookup {
  private final KeyValueReader store;
  private final Family points;
  private final Family meta;
  private final RowKey keys;
  private final Schema schema;
  private final UidTable uids;
  private final SeriesIndex index;
  private final boolean metaIsKept;

  /** Where series are looked up. */
  public enum Source {
    /** The series index. */
    INDEX,
    /** The meta table: the series that have metadata. */
    META,
    /** The data table, read as far as necessary. */
    DATA
  }

  /**
   * @param points the data table's family
   * @param meta the meta table's family
   * @param metaIsKept whether series are added to the meta table when they are written
   */
  public SeriesLookup(
      KeyValueReader store,
      Family points,
      Family meta,
      RowKey keys,
      UidTable uids,
      SeriesIndex index,
      boolean metaIsKept) {
    this.store = store;
    this.points = points;
    this.meta = meta;
    this.keys = keys;
    this.schema = keys.schema();
    this.uids = uids;
    this.index = index;
    this.metaIsKept = metaIsKept;
  }

  /**
   * Looks series up in the fastest source: the index; if it is not usable, the meta table; if that
   * is not kept up to date and has none of the series, the data table.
   *
   * @param limit the maximum number of series, at least 1
   * @param action receives the TSUIDs
   * @return the source that was used
   * @throws org.hourstone.uid.NoSuchNameException if a name is unknown
   */
  public Source find(SeriesPattern wanted, long limit, Consumer<byte[]> action) {
    UidPattern pattern = UidPattern.of(wanted, uids);
    if (inIndex(pattern, new Limited(limit, action)).isPresent()) {
      return Source.INDEX;
    }
    if (inMeta(pattern, new Limited(limit, action)) > 0 || metaIsKept) {
      return Source.META;
    }
    inData(pattern, new Limited(limit, action));
    return Source.DATA;
  }

  /**
   * As {@link #find}, but only in the index.
   *
   * @return false if the index is not usable
   */
  public boolean findInIndex(SeriesPattern wanted, Consumer<byte[]> action) {
    return inIndex(UidPattern.of(wanted, uids), new Limited(Long.MAX_VALUE, action)).isPresent();
  }

  /** As {@link #find}, but never reads the data table. */
  public Source findKept(SeriesPattern wanted, long limit, Consumer<byte[]> action) {
    UidPattern pattern = UidPattern.of(wanted, uids);
    if (inIndex(pattern, new Limited(limit, action)).isPresent()) {
      return Source.INDEX;
    }
    inMeta(pattern, new Limited(limit, action));
    return Source.META;
  }

  /**
   * As {@link #find}, but only in the data table: each series once, one salt bucket after the
   * other.
   */
  public void findInData(SeriesPattern wanted, long limit, Consumer<byte[]> action) {
    inData(UidPattern.of(wanted, uids), new Limited(limit, action));
  }

  /**
   * As {@link #findInData}, of series of a known metric that have rows in some hours.
   *
   * @param fromSeconds the base time of the first hour
   * @param lastSeconds that of the last one
   */
  public void findInHours(
      SeriesPattern wanted, long fromSeconds, long lastSeconds, Consumer<byte[]> action) {
    UidPattern pattern = UidPattern.of(wanted, uids);
    Limited each = new Limited(Long.MAX_VALUE, action).each();
    for (int bucket = 0; bucket < schema.distinctSalts(); bucket++) {
      byte[] first = Arrays.copyOf(prefix(pattern, bucket), schema.tagsOffset());
      byte[] stop = first.clone();
      keys.setBaseTime(first, fromSeconds);
      keys.setBaseTime(stop, lastSeconds + Timestamps.ROW_SECONDS);
      scan(pattern, Scan.range(first, stop), each);
    }
  }

  /**
   * As in OpenTSDB: returns a series once for each of its rows. The maximum number of rows of each
   * salt bucket is the limit divided by the number of buckets.
   */
  public void findRows(SeriesPattern wanted, long limit, Consumer<byte[]> action) {
    UidPattern pattern = UidPattern.of(wanted, uids);
    int buckets = schema.saltWidth() == 0 ? 1 : schema.saltBuckets();
    for (int bucket = 0; bucket < schema.distinctSalts(); bucket++) {
      scanData(pattern, bucket, new Limited(Math.max(1, limit / buckets), action));
    }
  }

  /** Passes at most a limited number of series on. */
  private static final class Limited {
    private final Consumer<byte[]> action;
    private final long limit;
    private final @Nullable PackedKeys seen;
    private long count;

    Limited(long limit, Consumer<byte[]> action) {
      this(limit, action, null);
    }

    private Limited(long limit, Consumer<byte[]> action, @Nullable PackedKeys seen) {
      this.limit = limit;
      this.action = action;
      this.seen = seen;
    }

    Limited each() {
      return new Limited(limit, action, new PackedKeys());
    }

    /** Passes a series on; returns whether more are wanted. */
    boolean take(byte[] tsuid) {
      if (seen == null || seen.add(tsuid, 0, tsuid.length) >= 0) {
        action.accept(tsuid);
        count++;
      }
      return isOpen();
    }

    boolean isOpen() {
      return count < limit;
    }
  }

  private Optional<Long> inIndex(UidPattern pattern, Limited limited) {
    if (pattern.metric().length == 0) {
      boolean usable =
          index.forEachSeries(
              pattern.filter(schema, SeriesIndex.TSUID_FROM + schema.metricWidth()),
              tsuid -> !pattern.matches(keys, tsuid) || limited.take(tsuid));
      return usable ? Optional.of(limited.count) : Optional.empty();
    }
    Optional<SeriesSet> found = index.match(pattern.metric(), pattern.conditions());
    found.ifPresent(
        set -> {
          SeriesSet.Cursor cursor = set.cursor();
          for (byte[] next = cursor.next(); next != null; next = cursor.next()) {
            if (pattern.matches(keys, next) && !limited.take(next)) {
              return;
            }
          }
        });
    return found.map(set -> limited.count);
  }

  private long inMeta(UidPattern pattern, Limited limited) {
    Scan scan =
        Scan.prefix(pattern.metric())
            .filter(pattern.filter(schema, schema.metricWidth()))
            .columns(Columns.all());
    try (RowCursor rows = store.scan(meta, scan)) {
      for (Row row = rows.next(); row != null && limited.isOpen(); row = rows.next()) {
        if (keys.isTsuid(row.key()) && pattern.matches(keys, row.key())) {
          limited.take(row.key());
        }
      }
    }
    return limited.count;
  }

  private void inData(UidPattern pattern, Limited limited) {
    Limited each = limited.each();
    for (int bucket = 0; bucket < schema.distinctSalts() && each.isOpen(); bucket++) {
      scanData(pattern, bucket, each);
    }
  }

  private void scanData(UidPattern pattern, int bucket, Limited limited) {
    scan(pattern, Scan.prefix(prefix(pattern, bucket)), limited);
  }

  /** The salt and the metric of rows. */
  private byte[] prefix(UidPattern pattern, int bucket) {
    byte[] salt = keys.salt(bucket);
    byte[] prefix = new byte[salt.length + pattern.metric().length];
    System.arraycopy(salt, 0, prefix, 0, salt.length);
    System.arraycopy(pattern.metric(), 0, prefix, salt.length, pattern.metric().length);
    return prefix;
  }

  private void scan(UidPattern pattern, Scan range, Limited limited) {
    Scan scan = range.filter(pattern.filter(schema, schema.tagsOffset()));
    try (RowCursor rows = store.scan(points, scan)) {
      for (Row row = rows.next(); row != null && limited.isOpen(); row = rows.next()) {
        if (keys.isSeriesRow(row.key())) {
          byte[] tsuid = keys.tsuid(row.key());
          if (pattern.matches(keys, tsuid)) {
            limited.take(tsuid);
          }
        }
      }
    }
  }
}
