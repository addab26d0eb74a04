package org.hourstone.codec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Row keys of the data table and TSUIDs, for one {@link Schema}. Immutable. See {@code
 * docs/format/row-key.md}.
 *
 * <pre>
 *   row key: [salt] metric_uid base_time (tagk_uid tagv_uid)+
 *   TSUID:          metric_uid           (tagk_uid tagv_uid)+
 * </pre>
 */
public final class RowKey {
  private final Schema schema;

  public RowKey(Schema schema) {
    this.schema = schema;
  }

  public Schema schema() {
    return schema;
  }

  /**
   * The TSUID of a series; its pairs are sorted by their bytes.
   *
   * @throws IllegalArgumentException if a UID has the wrong width
   */
  public byte[] tsuid(byte[] metric, List<TagPair> tags) {
    byte[][] pairs = new byte[tags.size()][];
    for (int i = 0; i < pairs.length; i++) {
      TagPair tag = tags.get(i);
      checkWidth("tagk", tag.tagk(), schema.tagkWidth());
      checkWidth("tagv", tag.tagv(), schema.tagvWidth());
      byte[] pair = Arrays.copyOf(tag.tagk(), schema.tagPairWidth());
      System.arraycopy(tag.tagv(), 0, pair, schema.tagkWidth(), schema.tagvWidth());
      pairs[i] = pair;
    }
    Arrays.sort(pairs, Arrays::compareUnsigned);
    checkWidth("metrics", metric, schema.metricWidth());
    byte[] tsuid =
        Arrays.copyOf(metric, schema.metricWidth() + pairs.length * schema.tagPairWidth());
    for (int i = 0; i < pairs.length; i++) {
      System.arraycopy(
          pairs[i],
          0,
          tsuid,
          schema.metricWidth() + i * schema.tagPairWidth(),
          schema.tagPairWidth());
    }
    return tsuid;
  }

  /**
   * The key of a series' row.
   *
   * @param baseTime in seconds; its low 32 bits are stored
   */
  public byte[] rowKey(byte[] tsuid, long baseTime) {
    int salt = schema.saltWidth();
    int metric = schema.metricWidth();
    byte[] row = new byte[salt + tsuid.length + Schema.BASE_TIME_WIDTH];
    System.arraycopy(tsuid, 0, row, salt, metric);
    setBaseTime(row, baseTime);
    System.arraycopy(tsuid, metric, row, schema.tagsOffset(), tsuid.length - metric);
    putSalt(row, tsuid);
    return row;
  }

  /**
   * The keys that a series' row may have for an hour if the number of salt buckets was changed: one
   * for each salt, ascending.
   *
   * @param baseTime as for {@link #rowKey}
   */
  public List<byte[]> rowKeys(byte[] tsuid, long baseTime) {
    byte[] own = rowKey(tsuid, baseTime);
    if (schema.saltWidth() == 0) {
      return List.of(own);
    }
    List<byte[]> rows = new ArrayList<>(schema.distinctSalts());
    for (int bucket = 0; bucket < schema.distinctSalts(); bucket++) {
      byte[] row = own.clone();
      System.arraycopy(salt(bucket), 0, row, 0, schema.saltWidth());
      rows.add(row);
    }
    return rows;
  }

  /** Changes a row key to that of another hour of the same series; the salt stays. */
  public void setBaseTime(byte[] row, long baseTime) {
    BigEndian.putInt(row, schema.baseTimeOffset(), (int) baseTime);
  }

  /** The row's base time in seconds, 0 to 2^32 - 1. */
  public long baseTime(byte[] row) {
    return BigEndian.intAt(row, schema.baseTimeOffset()) & 0xFFFF_FFFFL;
  }

  /** The TSUID of the row's series. */
  public byte[] tsuid(byte[] row) {
    byte[] tsuid = new byte[row.length - schema.saltWidth() - Schema.BASE_TIME_WIDTH];
    System.arraycopy(row, schema.saltWidth(), tsuid, 0, schema.metricWidth());
    System.arraycopy(
        row, schema.tagsOffset(), tsuid, schema.metricWidth(), tsuid.length - schema.metricWidth());
    return tsuid;
  }

  /** The metric's UID. */
  public byte[] metricOfTsuid(byte[] tsuid) {
    return Arrays.copyOf(tsuid, schema.metricWidth());
  }

  /** The tags of the series, in the order of the key. */
  public List<TagPair> tagsOfTsuid(byte[] tsuid) {
    List<TagPair> tags = new ArrayList<>();
    int pair = schema.metricWidth();
    for (; pair + schema.tagPairWidth() <= tsuid.length; pair += schema.tagPairWidth()) {
      int value = pair + schema.tagkWidth();
      tags.add(
          new TagPair(
              Arrays.copyOfRange(tsuid, pair, value),
              Arrays.copyOfRange(tsuid, value, value + schema.tagvWidth())));
    }
    return tags;
  }

  /** The UID of the value that the series has for a tag; null if it doesn't have the tag. */
  public byte @Nullable [] tagvOfTsuid(byte[] tsuid, byte[] tagk) {
    int pair = schema.metricWidth();
    for (; pair + schema.tagPairWidth() <= tsuid.length; pair += schema.tagPairWidth()) {
      int value = pair + schema.tagkWidth();
      if (Arrays.equals(tsuid, pair, value, tagk, 0, tagk.length)) {
        return Arrays.copyOfRange(tsuid, value, value + schema.tagvWidth());
      }
    }
    return null;
  }

  /**
   * Whether bytes can be the key of a series' row: long enough for a metric, a base time and at
   * least one tag, with whole tags to its end.
   */
  public boolean isSeriesRow(byte[] row) {
    int tags = row.length - schema.tagsOffset();
    return tags > 0 && tags % schema.tagPairWidth() == 0;
  }

  /** Whether bytes can be a TSUID: a metric and at least one whole tag. */
  public boolean isTsuid(byte[] tsuid) {
    int tags = tsuid.length - schema.metricWidth();
    return tags > 0 && tags % schema.tagPairWidth() == 0;
  }

  /** Whether a row key has this metric. */
  public boolean isOfMetric(byte[] row, byte[] metric) {
    int from = schema.saltWidth();
    return Arrays.equals(row, from, schema.baseTimeOffset(), metric, 0, metric.length);
  }

  /** Whether bytes are the key of a row of global annotations: no metric, no tags. */
  public boolean isGlobalRow(byte[] row) {
    return row.length == schema.tagsOffset() && isZero(row, schema.baseTimeOffset());
  }

  /** The salt of bucket {@code bucket}: its low bytes, big-endian. */
  public byte[] salt(int bucket) {
    return schema.saltWidth() == 0 ? new byte[0] : BigEndian.low(bucket, schema.saltWidth());
  }

  /** The bucket of a series: a hash of its TSUID, so that all of its rows are in one bucket. */
  int bucket(byte[] tsuid) {
    return Math.abs(Arrays.hashCode(tsuid) % schema.saltBuckets());
  }

  /**
   * Whether a row has the salt that it is written with.
   *
   * @param tsuid of its series
   */
  public boolean isInOwnBucket(byte[] row, byte[] tsuid) {
    int width = schema.saltWidth();
    return width == 0
        || isZero(tsuid, schema.metricWidth())
        || Arrays.equals(salt(bucket(tsuid)), 0, width, row, 0, width);
  }

  private void putSalt(byte[] row, byte[] tsuid) {
    if (schema.saltWidth() == 0 || isZero(tsuid, schema.metricWidth())) {
      return; // rows without a metric hold global annotations, which are never salted
    }
    byte[] salt = salt(bucket(tsuid));
    System.arraycopy(salt, 0, row, 0, salt.length);
  }

  private static boolean isZero(byte[] bytes, int length) {
    for (int i = 0; i < length; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return true;
  }

  private static void checkWidth(String kind, byte[] uid, int width) {
    if (uid.length != width) {
      throw new IllegalArgumentException(
          "Wrong id.length = "
              + uid.length
              + " which is != "
              + width
              + " required for '"
              + kind
              + "'");
    }
  }
}
