package org.hourstone.head;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.hourstone.codec.Schema;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The open rows that readers see, of all series, in the order of their keys. A row is hidden only
 * after the data table has it, or no one will ever have it. Thread-safe.
 */
final class VisibleRows {
  /** Groups by what the keys of their rows have in common: salt, metric and base time. */
  private final NavigableMap<byte[], RowGroup> groups;

  private final int common;

  VisibleRows(Schema schema) {
    this.common = schema.tagsOffset();
    this.groups =
        new ConcurrentSkipListMap<>(
            (one, other) ->
                Arrays.compareUnsigned(
                    one,
                    0,
                    Math.min(one.length, common),
                    other,
                    0,
                    Math.min(other.length, common)));
  }

  int size() {
    return groups.values().stream().mapToInt(RowGroup::size).sum();
  }

  /** All of them now, by their keys. */
  Collection<OpenRow> all() {
    return rows(Scan.all(), Long.MAX_VALUE);
  }

  /** The open row with this key, if there is one with points. */
  @Nullable OpenRow row(byte[] key) {
    RowGroup group = groups.get(key);
    OpenRow row = group == null ? null : group.find(key);
    return row == null || !row.isReadable() ? null : row;
  }

  /** The first open rows of a scan, ascending: at most this number. */
  List<OpenRow> rows(Scan scan, long most) {
    byte[] stop = scan.stop();
    NavigableMap<byte[], RowGroup> range =
        stop == null
            ? groups.tailMap(scan.start(), true)
            : groups.subMap(scan.start(), true, stop, true);
    List<OpenRow> found = new ArrayList<>();
    int passed = 0;
    for (RowGroup group : range.values()) {
      OpenRow[] rows = group.sorted();
      for (int i = from(rows, scan.start()); i < rows.length && found.size() < most; i++) {
        OpenRow row = rows[i];
        if (stop != null && Arrays.compareUnsigned(row.key(), stop) >= 0) {
          return found;
        }
        // One that is closed by now is in the data table, which is read after this.
        if (row.isReadable() && scan.filter().matches(row.key())) {
          found.add(row);
        }
        if (++passed % Scan.ROWS_PER_CHECK == 0) {
          scan.check().run();
        }
      }
      if (found.size() >= most) {
        break;
      }
    }
    return found;
  }

  /** The index of the first row that is not before a key. */
  private static int from(OpenRow[] rows, byte[] start) {
    int low = 0;
    int high = rows.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(rows[middle].key(), start) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Shows a row to readers. May be repeated after an error. */
  void show(OpenRow row) {
    while (true) {
      RowGroup group = groups.get(row.key());
      if (group == null) {
        group = groups.computeIfAbsent(Arrays.copyOf(row.key(), common), key -> new RowGroup());
      }
      if (group.put(row)) {
        return;
      }
      groups.remove(row.key(), group);
    }
  }

  void hide(OpenRow row) {
    RowGroup group = groups.get(row.key());
    if (group != null && group.remove(row)) {
      groups.remove(row.key(), group);
    }
  }
}
