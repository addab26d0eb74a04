package org.hourstone.kv;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A handle on a store of cells, see the {@linkplain org.hourstone.kv package page} for the model,
 * the failures and who owns arrays. Thread-safe; every call returns when its effect is visible to
 * calls that start later. An operation on a family that does not exist is REJECTED.
 *
 * <p>An interrupted call restores the thread's interrupt flag and throws {@link StoreException}:
 * UNKNOWN for a write, NOT_APPLIED for a read.
 */
public interface KeyValueStore extends KeyValueReader, AutoCloseable {
  /** Facts about this store; constant for its life. */
  Set<Trait> traits();

  /**
   * An optional operation.
   *
   * @return the extension, or empty if this store has none such
   */
  <T> Optional<T> extension(Class<T> type);

  /** The families that exist, ordered. */
  List<Family> families();

  /**
   * Makes sure the families exist. Idempotent.
   *
   * @throws StoreException REJECTED if they don't and the mode is VERIFY, naming those missing
   */
  void ensure(Collection<FamilySpec> families, SchemaMode mode);

  /**
   * Applies changes to rows: each element atomically, the elements in no particular order.
   *
   * @param batch at most one element per row; may be empty
   * @throws BatchException telling of each element what became of it
   * @throws StoreException if all elements share one fate
   */
  void mutate(Family family, List<RowMutation> batch);

  /**
   * Adds to a counter: 8 bytes, signed, big-endian; absent counts as 0; wraps around. Not
   * idempotent.
   *
   * @return the new value
   * @throws StoreException REJECTED, the cell unchanged, if it is there but not 8 bytes
   */
  long increment(Family family, byte[] row, byte[] qualifier, long delta);

  /**
   * Sets or removes a cell if it is as expected. A {@code false} means "the cell is not as
   * expected", not "somebody else won": after an UNKNOWN, read back.
   *
   * @param expected the present value, not empty; null for absent
   * @param update the new value, not empty; null to remove the cell
   * @return whether the cell was as expected and now is {@code update}
   */
  boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update);

  /**
   * Atomically removes those of the observed cells that are still as observed (same value and write
   * time) and puts the replacement. A cell that changed since, or came since, stays, unless the
   * replacement has its qualifier; and even then if the replacement's write time is given and the
   * cell's is later. This is how rows are rewritten without losing a write.
   *
   * @param observed a row as read from this store, all of its cells or those to replace
   * @param replacement cells with qualifiers all different; may be empty
   */
  void replaceCells(Family family, Row observed, List<Cell> replacement);

  /** Hands buffered changes to the store proper. No promise about disks. */
  void flush();

  /** Closes the store, its cursors and its extensions. May be repeated; waits for running calls. */
  @Override
  void close();

  /** Sets one cell. */
  default void put(Family family, byte[] row, byte[] qualifier, byte[] value) {
    mutate(family, List.of(new RowMutation(row, new Change.Put(qualifier, value))));
  }

  /** Appends to one cell, see {@link Change.Append}. */
  default void append(Family family, byte[] row, byte[] qualifier, byte[] suffix) {
    mutate(family, List.of(new RowMutation(row, new Change.Append(qualifier, suffix))));
  }
}
