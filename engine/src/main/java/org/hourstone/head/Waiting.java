package org.hourstone.head;

import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;

/**
 * Those who wait until the points of a row, or other cells of it, are written. Each is notified
 * once, whatever is thrown and however often. For one thread.
 */
public interface Waiting {
  /** How many there are. */
  int size();

  /** The first that is not notified yet. */
  int begin();

  /** The end of those that are notified next: of all, unless {@link #endAt} has said otherwise. */
  int end();

  /** Has only those before this one notified next. */
  void endAt(int limit);

  /** How many are notified next. */
  default int pending() {
    return end() - begin();
  }

  /** Whether all were notified. */
  default boolean isOver() {
    return begin() == size();
  }

  /** Whether a caller waits for one of them. */
  boolean anyAwaited();

  /**
   * Whether those that are notified next are content with one attempt once the store has failed all
   * attempts of another batch, until it accepts one.
   */
  boolean allGiveUpSoon();

  /** The store has accepted the points of those that are notified next. */
  void stored();

  /** It has not, or that is unknown. */
  void failed(RuntimeException reason);

  /** An attempt to write the row failed. */
  void unapplied(Outcome outcome);

  /**
   * The last attempt has failed; an earlier one may have been applied.
   *
   * @return why it is not stored
   */
  StoreException failure(Outcome last, StoreException reason);
}
