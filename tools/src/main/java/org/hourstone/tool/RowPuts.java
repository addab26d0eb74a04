package org.hourstone.tool;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowMutation;

/**
 * Puts rows in batches of bounded size. The part of a row that doesn't fit in a batch is put into
 * the next one; such a row is not written atomically. For one thread.
 */
final class RowPuts {
  /** A batch may exceed this by one cell. */
  static final int BATCH_BYTES = 1 << 20;

  /** Approximate size of a cell in addition to its qualifier and value. */
  static final int CELL_OVERHEAD = 64;

  private final KeyValueStore store;
  private final Family family;
  private final List<RowMutation> batch = new ArrayList<>();
  private long bytes;

  RowPuts(KeyValueStore store, Family family) {
    this.store = store;
    this.family = family;
  }

  /** Must be called once for each row. */
  void add(byte[] row, List<Change> puts) {
    List<Change> fitting = new ArrayList<>();
    for (Change change : puts) {
      Change.PutIfNewer put = (Change.PutIfNewer) change;
      fitting.add(put);
      bytes += CELL_OVERHEAD + row.length + put.qualifier().length + put.value().length;
      if (bytes >= BATCH_BYTES) {
        batch.add(new RowMutation(row, fitting));
        flush();
        fitting = new ArrayList<>();
      }
    }
    if (!fitting.isEmpty()) {
      batch.add(new RowMutation(row, fitting));
    }
  }

  void flush() {
    if (!batch.isEmpty()) {
      store.mutate(family, List.copyOf(batch));
      batch.clear();
    }
    bytes = 0;
  }
}
