package org.hourstone.query.run;

import java.util.List;
import org.hourstone.codec.RowKey;
import org.hourstone.kv.Bytes;
import org.hourstone.query.Query;
import org.hourstone.series.Aggregator;
import org.jspecify.annotations.Nullable;

/**
 * Assigns series to groups: series with equal values of the tags grouped by, in the order of these;
 * with aggregator none, each series is a group of its own.
 */
final class Grouping {
  private final RowKey keys;
  private final List<byte[]> groupBy;
  private final boolean each;

  /**
   * @param groupBy the UIDs of the tags to group by, ascending
   */
  Grouping(RowKey keys, Query query, List<byte[]> groupBy) {
    this.keys = keys;
    this.groupBy = groupBy;
    this.each = query.aggregator() == Aggregator.NONE;
  }

  /**
   * The key by which groups are distinguished and sorted; null if the series belongs to no group,
   * because it lacks a tag.
   *
   * @param order the key by which series are sorted
   */
  @Nullable Bytes key(byte[] order, byte[] tsuid) {
    if (each) {
      return new Bytes(order);
    }
    byte[] key = new byte[groupBy.size() * keys.schema().tagvWidth()];
    int at = 0;
    for (byte[] tagk : groupBy) {
      byte[] tagv = keys.tagvOfTsuid(tsuid, tagk);
      if (tagv == null) {
        return null;
      }
      System.arraycopy(tagv, 0, key, at, tagv.length);
      at += tagv.length;
    }
    return new Bytes(key);
  }
}
