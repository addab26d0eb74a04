package org.hourstone.testkit.store;

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

/**
 * Hands every call to another store; for wrappers that change some of them. Extensions are handed
 * on too: a wrapper that must not be gone round overrides {@link #extension}. The default methods
 * {@code put} and {@code append} come by {@link #mutate}.
 */
public abstract class ForwardingStore implements KeyValueStore {
  private final KeyValueStore delegate;

  /**
   * @param delegate closed with this store
   */
  protected ForwardingStore(KeyValueStore delegate) {
    this.delegate = delegate;
  }

  /** The store behind this one. */
  protected final KeyValueStore delegate() {
    return delegate;
  }

  @Override
  public Set<Trait> traits() {
    return delegate.traits();
  }

  @Override
  public <T> Optional<T> extension(Class<T> type) {
    return delegate.extension(type);
  }

  @Override
  public List<Family> families() {
    return delegate.families();
  }

  @Override
  public void ensure(Collection<FamilySpec> families, SchemaMode mode) {
    delegate.ensure(families, mode);
  }

  @Override
  public Row get(Family family, byte[] row, Columns columns) {
    return delegate.get(family, row, columns);
  }

  @Override
  public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    return delegate.get(family, rows, columns);
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    return delegate.scan(family, scan);
  }

  @Override
  public void mutate(Family family, List<RowMutation> batch) {
    delegate.mutate(family, batch);
  }

  @Override
  public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    return delegate.increment(family, row, qualifier, delta);
  }

  @Override
  public boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    return delegate.compareAndSet(family, row, qualifier, expected, update);
  }

  @Override
  public void replaceCells(Family family, Row observed, List<Cell> replacement) {
    delegate.replaceCells(family, observed, replacement);
  }

  @Override
  public void flush() {
    delegate.flush();
  }

  @Override
  public void close() {
    delegate.close();
  }
}
