package org.hourstone.tool;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.Lists;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.codec.RowKey;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.tool.CopyOptions.Policy;
import org.hourstone.uid.SeriesNames;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;

/**
 * Copies the cells on which rows of series depend: names in both directions, and the metadata of
 * names and series. These cells are in the target before any row that needs them is put there.
 * Caches up to {@link #REMEMBERED} copied entries; others are copied again, which changes nothing.
 * Thread-safe.
 */
final class CopiedNames {
  /** Each takes about 200 bytes. */
  private static final int REMEMBERED = 500_000;

  private static final int BATCH = 1000;

  private final CopyTables tables;
  private final KeyValueReader from;
  private final RowKey keys;
  private final RowCopy copy;
  private final OneAtATime<CopyListener> listener;
  private final Cache<Bytes, Boolean> seenSeries = cache();
  private final Map<UidKind, Cache<Bytes, Boolean>> seenUids = new EnumMap<>(UidKind.class);

  CopiedNames(CopyTables tables, RowCopy copy, OneAtATime<CopyListener> listener) {
    this.tables = tables;
    this.from = tables.from();
    this.keys = tables.keys();
    this.copy = copy;
    this.listener = listener;
    for (UidKind kind : UidKind.values()) {
      seenUids.put(kind, cache());
    }
  }

  private static Cache<Bytes, Boolean> cache() {
    return CacheBuilder.newBuilder().maximumSize(REMEMBERED).build();
  }

  /**
   * Copies the cells on which rows depend. Synchronized, since a row must not be put while another
   * thread is still copying its names.
   *
   * @param rows rows of series, and other rows, which depend on nothing
   * @return the counts of copied cells
   */
  synchronized Map<Family, CopyCounts> copyFor(List<Row> rows, Policy policy) {
    Map<Family, CopyCounts> copied = new TreeMap<>();
    Map<Bytes, byte[]> tsuids = new LinkedHashMap<>();
    for (Row row : rows) {
      if (keys.isSeriesRow(row.key())) {
        Bytes tsuid = new Bytes(keys.tsuid(row.key()));
        if (seenSeries.getIfPresent(tsuid) == null) {
          tsuids.put(tsuid, tsuid.array());
        }
      }
    }
    if (tsuids.isEmpty()) {
      return copied;
    }
    for (UidKind kind : UidKind.values()) {
      copyNames(kind, newUids(kind, tsuids.values()), policy, copied);
    }
    List<byte[]> rowsOfSeries = List.copyOf(tsuids.values());
    CopyFamily series = tables.series();
    copy(series, from.get(series.from(), rowsOfSeries, Columns.all()), policy, copied);
    tsuids.keySet().forEach(tsuid -> seenSeries.put(tsuid, true));
    return copied;
  }

  private List<byte[]> newUids(UidKind kind, Iterable<byte[]> tsuids) {
    Map<Bytes, byte[]> found = new LinkedHashMap<>();
    for (byte[] tsuid : tsuids) {
      SeriesNames.forEachUid(
          keys,
          tsuid,
          (of, uid) -> {
            if (of == kind && seen(kind).getIfPresent(new Bytes(uid)) == null) {
              found.put(new Bytes(uid), uid);
            }
          });
    }
    return List.copyOf(found.values());
  }

  /**
   * Copies names. Entries from UIDs to names come first, since a name must not lead to a UID
   * without a name.
   */
  private void copyNames(
      UidKind kind, List<byte[]> wanted, Policy policy, Map<Family, CopyCounts> copied) {
    if (wanted.isEmpty()) {
      return;
    }
    CopyFamily names = tables.names();
    CopyFamily uids = tables.ids();
    byte[] qualifier = UidLayout.qualifier(kind);
    List<Row> named =
        from.get(names.from(), wanted, Columns.exactly(qualifier, kind.metaQualifier()));
    copy(names, named, policy, copied);
    Map<Bytes, byte[]> uidOfName = new LinkedHashMap<>();
    for (Row row : named) {
      byte[] name = row.find(qualifier);
      if (name == null || !UidLayout.isName(name)) {
        String uid = kind.qualifier() + " " + new Bytes(row.key());
        listener.call(to -> to.note(uid + " has no name in the source"));
      } else {
        uidOfName.put(new Bytes(name), row.key());
      }
    }
    if (!uidOfName.isEmpty()) {
      List<byte[]> rows = uidOfName.keySet().stream().map(Bytes::array).toList();
      List<Row> found = new ArrayList<>();
      for (Row row : from.get(uids.from(), rows, Columns.exactly(qualifier))) {
        if (Arrays.equals(row.find(qualifier), uidOfName.get(new Bytes(row.key())))) {
          found.add(row); // otherwise the name leads to a UID that may not be copied
        }
      }
      copy(uids, found, policy, copied);
    }
    wanted.forEach(uid -> seen(kind).put(new Bytes(uid), true));
  }

  private void copy(
      CopyFamily family, List<Row> rows, Policy policy, Map<Family, CopyCounts> copied) {
    List<Row> present = rows.stream().filter(row -> !row.isEmpty()).toList();
    for (List<Row> batch : Lists.partition(present, BATCH)) {
      CopyCounts counts = copy.copy(family, batch, RowCopy.NOT_SEEN_EMPTY, policy);
      copied.merge(family.from(), counts, CopyCounts::plus);
    }
  }

  private Cache<Bytes, Boolean> seen(UidKind kind) {
    @Nullable Cache<Bytes, Boolean> seen = seenUids.get(kind);
    if (seen == null) {
      throw new AssertionError(kind);
    }
    return seen;
  }
}
