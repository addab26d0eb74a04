package org.hourstone.tool;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hourstone.codec.Schema;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.uid.UidKind;

/**
 * Which UIDs stand in the keys of rows of data. A metric is looked for where its rows would be; for
 * tags all rows are read.
 */
final class UidUse {
  private final KeyValueReader store;
  private final List<Family> data;
  private final Schema schema;
  private final ReadCount count;

  /**
   * @param data the families of points, rollups included
   */
  UidUse(KeyValueReader store, List<Family> data, Schema schema, ReadCount count) {
    this.store = store;
    this.data = data;
    this.schema = schema;
    this.count = count;
  }

  /** Those of the UIDs that are used. */
  Map<UidKind, Set<Bytes>> among(Map<UidKind, Set<Bytes>> uids) {
    Map<UidKind, Set<Bytes>> used = new EnumMap<>(UidKind.class);
    for (UidKind kind : UidKind.values()) {
      used.put(kind, new HashSet<>());
    }
    for (Bytes metric : uids.getOrDefault(UidKind.METRIC, Set.of())) {
      if (hasRows(metric.array())) {
        add(used, UidKind.METRIC, metric);
      }
    }
    Set<Bytes> tagks = uids.getOrDefault(UidKind.TAGK, Set.of());
    Set<Bytes> tagvs = uids.getOrDefault(UidKind.TAGV, Set.of());
    if (!tagks.isEmpty() || !tagvs.isEmpty()) {
      for (Family family : data) {
        addTags(family, tagks, tagvs, used);
      }
    }
    return used;
  }

  private boolean hasRows(byte[] metric) {
    for (Family family : data) {
      for (int salt = 0; salt < schema.distinctSalts(); salt++) {
        byte[] prefix = new byte[schema.baseTimeOffset()];
        for (int i = 0; i < schema.saltWidth() && i < Integer.BYTES; i++) {
          prefix[schema.saltWidth() - 1 - i] = (byte) (salt >>> (8 * i));
        }
        System.arraycopy(metric, 0, prefix, schema.saltWidth(), metric.length);
        try (RowCursor rows = store.scan(family, Scan.prefix(prefix).limit(1))) {
          if (rows.next() != null) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private void addTags(
      Family family, Set<Bytes> tagks, Set<Bytes> tagvs, Map<UidKind, Set<Bytes>> used) {
    try (RowCursor rows = store.scan(family, Scan.all())) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        count.row();
        byte[] key = row.key();
        int pair = schema.tagsOffset();
        for (; pair + schema.tagPairWidth() <= key.length; pair += schema.tagPairWidth()) {
          int value = pair + schema.tagkWidth();
          Bytes tagk = new Bytes(Arrays.copyOfRange(key, pair, value));
          Bytes tagv = new Bytes(Arrays.copyOfRange(key, value, value + schema.tagvWidth()));
          if (tagks.contains(tagk)) {
            add(used, UidKind.TAGK, tagk);
          }
          if (tagvs.contains(tagv)) {
            add(used, UidKind.TAGV, tagv);
          }
        }
      }
    }
  }

  private static void add(Map<UidKind, Set<Bytes>> used, UidKind kind, Bytes uid) {
    used.computeIfAbsent(kind, k -> new HashSet<>()).add(uid);
  }
}
