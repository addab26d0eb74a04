package org.hourstone.kv;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A handle on a store of cells, see the {@linkplain org.hourstone.kv package page} for the model,
 * the failures and who owns arrays. Thread-safe; every call returns when its effect is visible to
 * calls that start later. An operation on a family that does not exist is REJECTED, also when there
 * is nothing to do. Arguments beyond {@link Limits} are {@link IllegalArgumentException}.
 *
 * <p>Deletions are ordered: what is written to a cell after its deletion has returned is visible,
 * whoever made the deletion through this interface. Only where a write has a time of the past,
 * before that of the deletion, a store may be unable to make it visible (HBase). It is never hidden
 * then: a {@link Change.PutIfNewer} is REJECTED; a cell of a replacement is dated right after the
 * deletion, or REJECTED if another cell of the row is dated in between.
 *
 * <p>A call may react to an interrupt; if it does, it restores the thread's interrupt flag and
 * throws {@link StoreException}: UNKNOWN for a write, NOT_APPLIED for a read.
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
   * Makes sure the families exist. Idempotent. Names are case-sensitive, and two different families
   * never share rows; a name a store can't represent is REJECTED.
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
   * Replaces cells of a row if none of them has changed: all of it or nothing. This is how rows are
   * rewritten without losing a write: read, plan, replace, and on {@code false} start again.
   *
   * <p>It happens, and returns true, if every observed cell is present with the same value
   * <em>and</em> the same write time, and no other present cell has the qualifier of a replacement.
   * Then all observed cells are removed and all of the replacement is put, in one step: readers see
   * the row as it was or as it is now. Cells that are neither observed nor replaced don't matter
   * and stay. For each qualifier:
   *
   * <pre>
   * observed?  present now                   in the replacement?  condition  afterwards
   * yes        as observed                   no                   holds      removed
   * yes        as observed                   yes                  holds      the replacement
   * yes        other value or write time     either               fails      unchanged
   * yes        absent                        either               fails      unchanged
   * no         present                       yes                  fails      unchanged
   * no         absent                        yes                  holds      the replacement
   * no         either                        no                   holds      unchanged
   * </pre>
   *
   * <p>The replacement may be dated: a {@linkplain Cell#writeTime() write time} in the past is kept
   * whatever the observed cells were dated, unless an earlier deletion would hide the cell. An
   * empty row observed and an empty replacement are legal, and true. After UNKNOWN, read the row:
   * it is as before or as afterwards.
   *
   * @param observed a row as read from this store, all of its cells or some
   * @param replacement cells with qualifiers all different; may be empty
   * @return whether it was replaced; if not, nothing was changed
   */
  boolean replaceCells(Family family, Row observed, List<Cell> replacement);

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
