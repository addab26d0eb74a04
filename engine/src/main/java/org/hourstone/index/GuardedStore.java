package org.hourstone.index;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.jspecify.annotations.Nullable;

/**
 * A store that reports rows to the index before and after they are put. It wraps the store of the
 * whole engine, and is not a part of the point writer, so that no tool can bypass the entries.
 */
final class GuardedStore extends ForwardingStore {
  private static final byte[] NO_ROW = {};
  private final Set<Family> guarded;
  private final SeriesEntries entries;
  private final IndexAge age;

  /**
   * @param guarded the families with row keys like those of points
   */
  GuardedStore(KeyValueStore store, Set<Family> guarded, SeriesEntries entries, IndexAge age) {
    super(store);
    this.guarded = guarded;
    this.entries = entries;
    this.age = age;
  }

  @Override
  public void mutate(Family family, List<RowMutation> batch) {
    age.beforeNames(family, batch);
    if (!guarded.contains(family)) {
      super.mutate(family, batch);
      return;
    }
    entries.putting(
        batch,
        () -> {
          delegate().mutate(family, batch);
          return true;
        });
    if (batch.stream().anyMatch(SeriesEntries::puts)) {
      entries.afterPuts();
    }
  }

  @Override
  public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    long value = putting(family, row, () -> delegate().increment(family, row, qualifier, delta));
    afterPut(family, true);
    return value;
  }

  @Override
  public boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    if (update != null) {
      age.beforeNames(family, List.of(new RowMutation(row, new Change.Put(qualifier, update))));
    }
    boolean set =
        putting(
            family,
            update == null ? NO_ROW : row,
            () -> delegate().compareAndSet(family, row, qualifier, expected, update));
    afterPut(family, set && update != null);
    return set;
  }

  @Override
  public List<Boolean> createCells(
      Family family, List<byte[]> rows, byte[] qualifier, List<byte[]> values) {
    List<RowMutation> puts = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      puts.add(new RowMutation(rows.get(i), new Change.Put(qualifier, values.get(i))));
    }
    age.beforeNames(family, puts);
    Supplier<List<Boolean>> call = () -> delegate().createCells(family, rows, qualifier, values);
    List<Boolean> created = guarded.contains(family) ? entries.putting(puts, call) : call.get();
    afterPut(family, created.contains(true));
    return created;
  }

  @Override
  public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    boolean replaced =
        putting(
            family,
            replacement.isEmpty() ? NO_ROW : observed.key(),
            () -> delegate().replaceCells(family, observed, replacement));
    afterPut(family, replaced && !replacement.isEmpty());
    return replaced;
  }

  /** Puts a cell of a row; of none if the row's key is empty. */
  private <T> T putting(Family family, byte[] row, Supplier<T> call) {
    return guarded.contains(family) && row.length > 0
        ? entries.puttingRows(List.of(row), call)
        : call.get();
  }

  private void afterPut(Family family, boolean done) {
    if (done && guarded.contains(family)) {
      entries.afterPuts();
    }
  }
}
