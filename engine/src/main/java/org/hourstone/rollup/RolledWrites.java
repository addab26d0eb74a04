package org.hourstone.rollup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowMutation;

/**
 * Collects the changes of rows of rolled-up values, and writes those of one row together. For one
 * thread at a time.
 */
final class RolledWrites {
  /** Approximately 150 bytes each. */
  private static final int MOST_CHANGES = 100_000;

  private static final int ROWS_PER_BATCH = 500;

  private static final Comparator<Change> BY_QUALIFIER =
      (one, other) -> Arrays.compareUnsigned(one.qualifier(), other.qualifier());

  private final KeyValueStore store;
  private final IntervalCells cells;
  private final Map<Family, Map<Bytes, List<Change>>> collected = new LinkedHashMap<>();
  private int changes;
  private long rows;

  RolledWrites(KeyValueStore store, IntervalCells cells) {
    this.store = store;
    this.cells = cells;
  }

  /** How often a row was changed. */
  long rows() {
    return rows;
  }

  /**
   * Writes values of a row, now or later.
   *
   * @param puts all values of some intervals
   * @param intervals tests the index of an interval
   * @param replaces whether values of these intervals may exist already
   */
  void write(
      Family family, byte[] row, List<Change> puts, IntPredicate intervals, boolean replaces) {
    List<Change> more =
        replaces ? cells.replacing(store.get(family, row, Columns.all()), intervals, puts) : puts;
    if (more.isEmpty()) {
      return;
    }
    rows++;
    collected
        .computeIfAbsent(family, k -> new LinkedHashMap<>())
        .computeIfAbsent(new Bytes(row), k -> new ArrayList<>())
        .addAll(more);
    changes += more.size();
    if (changes >= MOST_CHANGES) {
      flush();
    }
  }

  /** Writes what is not written yet. */
  void flush() {
    collected.forEach(this::flush);
    changes = 0;
  }

  private void flush(Family family, Map<Bytes, List<Change>> byRow) {
    List<RowMutation> batch = new ArrayList<>();
    byRow.forEach(
        (row, ofRow) -> {
          ofRow.sort(BY_QUALIFIER); // stores write cells in their order with less effort
          batch.add(new RowMutation(row.array(), ofRow));
          if (batch.size() == ROWS_PER_BATCH) {
            store.mutate(family, List.copyOf(batch));
            batch.clear();
          }
        });
    if (!batch.isEmpty()) {
      store.mutate(family, batch);
    }
    byRow.clear();
  }
}
