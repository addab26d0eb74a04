package org.hourstone.kv;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Forwards every call to another store; for wrappers that change some of them. Extensions are
 * forwarded, too; a wrapper that must not be bypassed has to override {@link #extension}. The
 * default methods {@code put} and {@code append} call {@link #mutate}, and {@code createCells}
 * calls {@link #compareAndSet}, so that a wrapper sees each change.
 */
public abstract class ForwardingStore implements KeyValueStore {
  private final KeyValueStore delegate;

  /**
   * @param delegate closed with this store
   */
  protected ForwardingStore(KeyValueStore delegate) {
    this.delegate = delegate;
  }

  /** The store at the end of a chain of such wrappers; the store itself if it is none. */
  public static KeyValueStore innermost(KeyValueStore store) {
    KeyValueStore inner = store;
    while (inner instanceof ForwardingStore wrapper) {
      inner = wrapper.delegate;
    }
    return inner;
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
  public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    return delegate.replaceCells(family, observed, replacement);
  }

  @Override
  public void close() {
    delegate.close();
  }
}
