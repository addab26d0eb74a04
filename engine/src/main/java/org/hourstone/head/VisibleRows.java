package org.hourstone.head;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The open rows that readers see, of all series, in the order of their keys. A row is hidden only
 * after the data table has it, or no one will ever have it. Thread-safe.
 */
final class VisibleRows {
  private final NavigableMap<byte[], OpenRow> rows =
      new ConcurrentSkipListMap<>(Arrays::compareUnsigned);

  int size() {
    return rows.size();
  }

  /** All of them now. */
  Collection<OpenRow> all() {
    return List.copyOf(rows.values());
  }

  /** The open row with this key, if there is one with points. */
  @Nullable OpenRow row(byte[] key) {
    OpenRow row = rows.get(key);
    return row == null || !row.isReadable() ? null : row;
  }

  /** The first open rows of a scan, ascending: at most this number. */
  List<OpenRow> rows(Scan scan, long most) {
    byte[] stop = scan.stop();
    NavigableMap<byte[], OpenRow> range =
        stop == null
            ? rows.tailMap(scan.start(), true)
            : rows.subMap(scan.start(), true, stop, false);
    List<OpenRow> found = new ArrayList<>();
    int passed = 0;
    for (OpenRow row : range.values()) {
      if (found.size() >= most) {
        break;
      }
      if (scan.filter().matches(row.key())) {
        found.add(row);
      }
      if (++passed % Scan.ROWS_PER_CHECK == 0) {
        scan.check().run();
      }
    }
    return found;
  }

  /** Shows a row to readers. May be repeated after an error. */
  @SuppressWarnings("ReferenceEquality")
  void show(OpenRow row) {
    OpenRow before = rows.put(row.key(), row);
    if (before != null && before != row && before.isReadable()) {
      throw new IllegalStateException("a row is open twice");
    }
  }

  void hide(OpenRow row) {
    rows.remove(row.key(), row);
  }
}
