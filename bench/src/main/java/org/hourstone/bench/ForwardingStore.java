package org.hourstone.bench;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hourstone.kv.Cell;
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

/** A store that hands every call on to another one. */
abstract class ForwardingStore implements KeyValueStore {
  private final KeyValueStore store;

  ForwardingStore(KeyValueStore store) {
    this.store = store;
  }

  @Override
  public Set<Trait> traits() {
    return store.traits();
  }

  @Override
  public <T> Optional<T> extension(Class<T> type) {
    return store.extension(type);
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
    store.mutate(family, batch);
  }

  @Override
  public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    return store.increment(family, row, qualifier, delta);
  }

  @Override
  public boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    return store.compareAndSet(family, row, qualifier, expected, update);
  }

  @Override
  public void replaceCells(Family family, Row observed, List<Cell> replacement) {
    store.replaceCells(family, observed, replacement);
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
