package org.hourstone.head;

import java.util.LinkedHashMap;
import java.util.Map;
import org.hourstone.kv.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The rows that readers don't see yet, for whose points others wait. They are announced before they
 * are shown. A row that can't be shown is seen later, or once it is written, which announces it,
 * too. For the thread of the shard.
 */
final class UnseenRows {
  private final HeadParts head;
  private final Map<Bytes, OpenRow> rows = new LinkedHashMap<>();

  UnseenRows(HeadParts head) {
    this.head = head;
  }

  void add(OpenRow row) {
    rows.put(new Bytes(row.key()), row);
  }

  @Nullable OpenRow row(byte[] key) {
    return rows.get(new Bytes(key));
  }

  void remove(OpenRow row) {
    rows.remove(new Bytes(row.key()), row);
  }

  /** Shows them all to readers. */
  void show() {
    if (rows.isEmpty()) {
      return;
    }
    try {
      head.announcements().before(rows.values().stream().map(OpenRow::key).toList());
    } catch (RuntimeException e) {
      return;
    }
    rows.values().forEach(head.rows()::show);
    rows.clear();
    head.announcements().after();
  }
}
