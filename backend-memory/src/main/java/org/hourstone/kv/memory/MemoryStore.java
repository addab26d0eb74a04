package org.hourstone.kv.memory;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Checks;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreOptions;
import org.hourstone.kv.Trait;
import org.jspecify.annotations.Nullable;

/**
 * A store on the heap. Reads never wait, and scans see each row in its state when they reach it.
 *
 * <p>Stores opened by the same name within one JVM share their data, which lives until the last of
 * them is closed. Closing a store closes only its handle; the others stay open.
 */
public final class MemoryStore implements KeyValueStore {
  /** The guarantees of a memory store. */
  public enum Promises {
    /** {@link Trait#MONOTONIC_WRITE_TIMES}. */
    FULL,

    /**
     * No trait. Write times are like HBase's, for tests of code that must also work with HBase:
     * changes of a row within one millisecond get the same time, and so do all changes while the
     * clock does not advance.
     *
     * <p>Nothing else is like HBase. It is not {@link Trait#SHARED}, since no other process can
     * reach it, and an engine on a shared store writes and caches differently; nor {@link
     * Trait#MANAGED_TABLES}, since each test would then have to create tables first.
     */
    LIKE_HBASE
  }

  private final MemoryData data;
  private final InstantSource clock;

  /** Calls hold the read lock, so that closing waits for them. */
  private final ReentrantReadWriteLock gate = new ReentrantReadWriteLock();

  /** Guarded by {@link #gate}. */
  private boolean closed;

  private MemoryStore(MemoryData data, StoreOptions options) {
    this.data = data;
    this.clock = options.clock();
  }

  /** A new, unshared store with the system's clock. */
  public static MemoryStore open() {
    return open(StoreOptions.defaults(), Promises.FULL);
  }

  /** A new, unshared store. */
  public static MemoryStore open(StoreOptions options, Promises promises) {
    return new MemoryStore(MemoryData.unnamed(promises), options);
  }

  /**
   * A store that shares its data with all stores opened by the same name in this JVM.
   *
   * @param options the options of this handle only
   * @throws org.hourstone.kv.StoreException REJECTED if a store with that name is open with other
   *     promises
   */
  public static MemoryStore openShared(String name, StoreOptions options, Promises promises) {
    return new MemoryStore(MemoryData.named(name, promises), options);
  }

  @Override
  public Set<Trait> traits() {
    return data.promises() == Promises.FULL ? Set.of(Trait.MONOTONIC_WRITE_TIMES) : Set.of();
  }

  @Override
  public <T> Optional<T> extension(Class<T> type) {
    return Optional.empty();
  }

  @Override
  public List<Family> families() {
    return whileOpen(data::families);
  }

  @Override
  public void ensure(Collection<FamilySpec> families, SchemaMode mode) {
    runWhileOpen(() -> data.ensure(families, mode));
  }

  @Override
  public Row get(Family family, byte[] row, Columns columns) {
    Checks.row(row);
    return whileOpen(() -> data.family(family).get(row, columns));
  }

  @Override
  public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    Checks.rows(rows);
    return whileOpen(
        () -> {
          MemoryFamily in = data.family(family);
          List<Row> found = new ArrayList<>(rows.size());
          for (byte[] row : rows) {
            found.add(in.get(row, columns));
          }
          return found;
        });
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    return whileOpen(() -> new MemoryCursor(this, data.family(family), scan));
  }

  @Override
  public void mutate(Family family, List<RowMutation> batch) {
    Checks.batch(batch);
    runWhileOpen(
        () -> {
          MemoryFamily in = data.family(family);
          for (RowMutation mutation : batch) {
            in.mutate(mutation.row(), mutation.changes(), clock);
          }
        });
  }

  @Override
  public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    Checks.increment(row, qualifier);
    return whileOpen(() -> data.family(family).increment(row, qualifier, delta, clock));
  }

  @Override
  public boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    Checks.compareAndSet(row, qualifier, expected, update);
    return whileOpen(
        () -> data.family(family).compareAndSet(row, qualifier, expected, update, clock));
  }

  @Override
  public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    Checks.replaceCells(observed, replacement);
    return whileOpen(() -> data.family(family).replaceCells(observed, replacement, clock));
  }

  @Override
  public void close() {
    gate.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        data.release();
      }
    } finally {
      gate.writeLock().unlock();
    }
  }

  /** Makes a call that {@link #close} waits for. */
  <T extends @Nullable Object> T whileOpen(Supplier<T> call) {
    gate.readLock().lock();
    try {
      if (closed) {
        throw new IllegalStateException("the memory store is closed");
      }
      return call.get();
    } finally {
      gate.readLock().unlock();
    }
  }

  private void runWhileOpen(Runnable call) {
    whileOpen(
        () -> {
          call.run();
          return null;
        });
  }
}
