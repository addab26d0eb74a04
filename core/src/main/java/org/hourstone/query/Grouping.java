package org.hourstone.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.TagPair;
import org.hourstone.kv.Bytes;
import org.jspecify.annotations.Nullable;

/** Which series become one: those with equal values of the tags grouped by, in order of these. */
final class Grouping {
  private Grouping() {}

  static Collection<List<FoundSeries>> of(
      List<FoundSeries> series, Query query, Plan plan, RowKey keys) {
    if (query.aggregator() == Aggregator.NONE) {
      return series.stream().map(List::of).toList();
    }
    TreeMap<Bytes, List<FoundSeries>> groups = new TreeMap<>();
    for (FoundSeries one : series) {
      byte[] key = key(one.tsuid(), plan.groupBy(), keys);
      if (key != null) {
        groups.computeIfAbsent(new Bytes(key), k -> new ArrayList<>()).add(one);
      }
    }
    return groups.values();
  }

  /** The values of the tags grouped by; null if the series lacks one of them. */
  private static byte @Nullable [] key(byte[] tsuid, List<byte[]> groupBy, RowKey keys) {
    byte[] key = new byte[groupBy.size() * keys.schema().tagvWidth()];
    int at = 0;
    for (byte[] tagk : groupBy) {
      byte[] tagv = value(tsuid, tagk, keys);
      if (tagv == null) {
        return null;
      }
      System.arraycopy(tagv, 0, key, at, tagv.length);
      at += tagv.length;
    }
    return key;
  }

  private static byte @Nullable [] value(byte[] tsuid, byte[] tagk, RowKey keys) {
    for (int i = 0; i < keys.tagCount(tsuid); i++) {
      TagPair tag = keys.tagOfTsuid(tsuid, i);
      if (Arrays.equals(tag.tagk(), tagk)) {
        return tag.tagv();
      }
    }
    return null;
  }
}
