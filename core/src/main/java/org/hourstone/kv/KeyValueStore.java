package org.hourstone.kv;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * A handle on a store of cells. The {@linkplain org.hourstone.kv package page} describes the data
 * model, failures and the ownership of arrays. Thread-safe. When a call returns, its effect is
 * visible to calls that start later. An operation on a family that does not exist is REJECTED, even
 * if there is nothing to do. Arguments beyond {@link Limits} throw {@link
 * IllegalArgumentException}.
 *
 * <p>Deletions are ordered: a write that starts after a deletion of the cell has returned is
 * visible, whichever client of this interface made the deletion. There is one exception: a store
 * may be unable to make a write visible if its given time is before that of the deletion (HBase).
 * Such a write is never lost silently: the mutation with a {@link Change.PutIfNewer} is REJECTED; a
 * cell of a replacement is dated right after the deletion, or REJECTED if another cell of the row
 * is dated in between.
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
   * @return the extension, or empty if this store does not support it
   */
  <T> Optional<T> extension(Class<T> type);

  /** The families that exist, ordered. */
  List<Family> families();

  /**
   * Verifies that the families exist, or creates them. Idempotent. Names are case-sensitive, and
   * two different families never share rows; a name a store can't represent is REJECTED.
   *
   * @throws StoreException REJECTED if the mode is VERIFY and families are missing, naming them
   */
  void ensure(Collection<FamilySpec> families, SchemaMode mode);

  /**
   * Applies changes to rows: each element atomically, the elements in no particular order.
   *
   * @param batch at most one element per row; may be empty
   * @throws BatchException with the outcome of each element
   * @throws StoreException if all elements have the same outcome
   */
  void mutate(Family family, List<RowMutation> batch);

  /**
   * Adds to a counter: 8 bytes, signed, big-endian; absent counts as 0; wraps around. Not
   * idempotent.
   *
   * @return the new value
   * @throws StoreException REJECTED, the cell unchanged, if it is present but not 8 bytes long
   */
  long increment(Family family, byte[] row, byte[] qualifier, long delta);

  /**
   * Sets or removes a cell if its value is the expected one. {@code false} means that the value
   * differs; it does not mean that another writer won. After UNKNOWN, read the cell.
   *
   * @param expected the present value, not empty; null for absent
   * @param update the new value, not empty; null to remove the cell
   * @return whether the value was the expected one and now is {@code update}
   */
  boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update);

  /**
   * Sets a cell in each of several rows if it is absent there: as {@link #compareAndSet} for one
   * row after the other, which a store may do in fewer steps.
   *
   * @param rows all different
   * @param values the new value of each, not empty
   * @return for each row whether the cell was absent and now has the value
   * @throws StoreException NOT_APPLIED or REJECTED if nothing was set; UNKNOWN if some may be
   */
  default List<Boolean> createCells(
      Family family, List<byte[]> rows, byte[] qualifier, List<byte[]> values) {
    List<Boolean> created = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      try {
        created.add(compareAndSet(family, rows.get(i), qualifier, null, values.get(i)));
      } catch (StoreException e) {
        if (!created.contains(true)) {
          throw e;
        }
        throw new StoreException(Outcome.UNKNOWN, String.valueOf(e.getMessage()), e);
      }
    }
    return created;
  }

  /**
   * Replaces cells of a row if none of them has changed: all of them or none. It can rewrite a row
   * without losing a write: read, plan, replace, and on {@code false} start again.
   *
   * <p>The replacement takes place, and the call returns true, if every observed cell is present
   * with the same value <em>and</em> the same write time, and no other present cell has the
   * qualifier of a replacement. Then all observed cells are removed and all replacement cells are
   * put, in one step: readers see the row before or after it. Cells that are neither observed nor
   * replaced are ignored and stay. For each qualifier:
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
   * <p>The replacement may be dated: a {@linkplain Cell#writeTime() write time} in the past is
   * kept, whatever the write times of the observed cells, unless an earlier deletion would hide the
   * cell. An empty observed row with an empty replacement is allowed and returns true. After
   * UNKNOWN, read the row: it is unchanged or completely replaced.
   *
   * @param observed all or some cells of a row, as read from this store
   * @param replacement cells with qualifiers all different; may be empty
   * @return whether the cells were replaced; if not, nothing was changed
   */
  boolean replaceCells(Family family, Row observed, List<Cell> replacement);

  /**
   * Closes the store, its cursors and its extensions. May be called again; waits for running calls.
   */
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
