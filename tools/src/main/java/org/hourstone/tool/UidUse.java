package org.hourstone.tool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.table.TableListener;
import org.hourstone.table.TableRange;
import org.hourstone.table.TableRanges;
import org.hourstone.table.TableRun;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;

/**
 * Finds UIDs in the row keys of data. For a metric, only the range of its rows is read; for tags,
 * all rows are read, by one thread per processor.
 */
final class UidUse {
  private final KeyValueReader store;
  private final List<Family> data;
  private final Schema schema;
  private final TableListener listener;
  private final Map<Family, List<byte[]>> salts = new HashMap<>();

  /**
   * @param data the families of points, including those of rollups
   */
  UidUse(KeyValueReader store, List<Family> data, Schema schema, TableListener listener) {
    this.store = store;
    this.data = data;
    this.schema = schema;
    this.listener = listener;
  }

  /**
   * The UIDs that are in use.
   *
   * @param metrics the approximate highest UID of a metric
   */
  Map<UidKind, Set<Bytes>> among(Map<UidKind, Set<Bytes>> uids, long metrics) {
    Map<UidKind, Set<Bytes>> used = new EnumMap<>(UidKind.class);
    for (UidKind kind : UidKind.values()) {
      used.put(kind, ConcurrentHashMap.newKeySet());
    }
    for (Bytes metric : uids.getOrDefault(UidKind.METRIC, Set.of())) {
      if (hasRows(metric.array())) {
        add(used, UidKind.METRIC, metric);
      }
    }
    Set<Bytes> tagks = uids.getOrDefault(UidKind.TAGK, Set.of());
    Set<Bytes> tagvs = uids.getOrDefault(UidKind.TAGV, Set.of());
    if (!tagks.isEmpty() || !tagvs.isEmpty()) {
      List<Scan> scans = TableRanges.ofRows(new RowKey(schema), metrics, TableRun.RANGES);
      List<TableRange> ranges =
          data.stream().flatMap(family -> TableRange.of(family, scans).stream()).toList();
      new TableRun(store, ranges, Runtime.getRuntime().availableProcessors(), listener)
          .readAll(row -> addTags(row.key(), tagks, tagvs, used));
    }
    return used;
  }

  private boolean hasRows(byte[] metric) {
    for (Family family : data) {
      for (byte[] salt : salts.computeIfAbsent(family, this::salts)) {
        byte[] prefix = Arrays.copyOf(salt, schema.baseTimeOffset());
        System.arraycopy(metric, 0, prefix, salt.length, metric.length);
        if (first(family, Scan.prefix(prefix)) != null) {
          return true;
        }
      }
    }
    return false;
  }

  /** The salts of existing rows, which may differ from the settings. */
  private List<byte[]> salts(Family family) {
    if (schema.saltWidth() == 0) {
      return List.of(new byte[0]);
    }
    List<byte[]> found = new ArrayList<>();
    byte[] start = new byte[0];
    while (start != null) {
      Row row = first(family, Scan.range(start, null));
      if (row == null) {
        break;
      }
      byte[] salt = Arrays.copyOf(row.key(), schema.saltWidth());
      found.add(salt);
      start = Scan.prefix(salt).stop();
    }
    return found;
  }

  private @Nullable Row first(Family family, Scan scan) {
    try (RowCursor rows = store.scan(family, scan.limit(1).rowsPerFetch(1))) {
      return rows.next();
    }
  }

  private void addTags(
      byte[] key, Set<Bytes> tagks, Set<Bytes> tagvs, Map<UidKind, Set<Bytes>> used) {
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

  private static void add(Map<UidKind, Set<Bytes>> used, UidKind kind, Bytes uid) {
    used.getOrDefault(kind, Set.of()).add(uid);
  }
}
