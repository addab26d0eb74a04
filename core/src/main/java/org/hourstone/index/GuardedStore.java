package org.hourstone.index;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hourstone.kv.AsyncWrites;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.Trait;
import org.jspecify.annotations.Nullable;

/**
 * A store that tells the index of rows before they are put. That it stands before the whole engine,
 * and not in the writer of points, is what keeps any tool from putting a row past the index.
 */
final class GuardedStore implements KeyValueStore {
  private final KeyValueStore store;
  private final Set<Family> guarded;
  private final SeriesIndex index;

  /**
   * @param guarded the families whose rows are keyed as those of points
   */
  GuardedStore(KeyValueStore store, Set<Family> guarded, SeriesIndex index) {
    this.store = store;
    this.guarded = guarded;
    this.index = index;
  }

  @Override
  public Set<Trait> traits() {
    return store.traits();
  }

  @Override
  public <T> Optional<T> extension(Class<T> type) {
    // It puts rows, too; nobody needs it enough to have it guarded.
    return type == AsyncWrites.class ? Optional.empty() : store.extension(type);
  }

  @Override
  public List<Family> families() {
    return store.families();
  }

  @Override
  public void ensure(Collection<FamilySpec> families, SchemaMode mode) {
    store.ensure(families, mode);
  }

  @Override
  public Row get(Family family, byte[] row, Columns columns) {
    return store.get(family, row, columns);
  }

  @Override
  public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    return store.get(family, rows, columns);
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    return store.scan(family, scan);
  }

  @Override
  public void mutate(Family family, List<RowMutation> batch) {
    if (guarded.contains(family)) {
      index.beforePuts(batch);
    }
    store.mutate(family, batch);
  }

  @Override
  public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    beforePut(family, row);
    return store.increment(family, row, qualifier, delta);
  }

  @Override
  public boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    if (update != null) {
      beforePut(family, row);
    }
    return store.compareAndSet(family, row, qualifier, expected, update);
  }

  @Override
  public void replaceCells(Family family, Row observed, List<Cell> replacement) {
    if (!replacement.isEmpty()) {
      beforePut(family, observed.key());
    }
    store.replaceCells(family, observed, replacement);
  }

  private void beforePut(Family family, byte[] row) {
    if (guarded.contains(family) && row.length > 0) {
      index.beforePuts(List.of(new RowMutation(row, new Change.Put(row, row))));
    }
  }

  @Override
  public void flush() {
    store.flush();
  }

  @Override
  public void close() {
    store.close();
  }
}
