package org.hourstone.head;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hourstone.kv.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The rows that readers don't see yet, for whose points others wait. They are announced before they
 * are shown. If that fails, it is tried again once a second, with as many rows as one batch may
 * open: each attempt may take long, and the thread that makes it writes points. A row that can't be
 * shown is seen once it is written, which announces it, too. For the thread of the shard.
 */
final class UnseenRows {
  private static final long PAUSE_MILLIS = 1_000;

  private final HeadParts head;
  private final Map<Bytes, OpenRow> rows = new LinkedHashMap<>();

  /** When the last attempt failed; null if it has not. */
  private @Nullable Long failedAt;

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

  /** Shows them all to readers, unless an attempt has failed just before. */
  void show() {
    if (rows.isEmpty() || isPausing()) {
      return;
    }
    try {
      while (!rows.isEmpty()) {
        showSome();
      }
      failedAt = null;
    } catch (RuntimeException e) {
      failedAt = head.clock().millis();
    }
  }

  /** A clock that was put back does not make it longer. */
  private boolean isPausing() {
    Long since = failedAt;
    if (since == null) {
      return false;
    }
    long pause = head.clock().millis() - since;
    return pause >= 0 && pause < PAUSE_MILLIS;
  }

  private void showSome() {
    List<OpenRow> some = new ArrayList<>();
    List<byte[]> keys = new ArrayList<>();
    for (OpenRow row : rows.values()) {
      if (some.size() == head.options().sealing().batchPoints()) {
        break;
      }
      some.add(row);
      keys.add(row.key());
    }
    head.announcements().showing(keys, () -> show(some));
    head.announcements().after();
  }

  private void show(List<OpenRow> some) {
    Iterator<OpenRow> hidden = rows.values().iterator();
    for (OpenRow row : some) {
      head.rows().show(row);
      hidden.next();
      hidden.remove();
    }
  }
}
