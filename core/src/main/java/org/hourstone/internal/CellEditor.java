package org.hourstone.internal;

import java.util.Arrays;
import java.util.List;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Changes single cells beside others who write. Calls that the store failed to apply are made
 * again; where the outcome is not known the cell is read back. Thread-safe.
 */
public final class CellEditor {
  /** How often a call is made that the store keeps failing to apply. */
  private static final int ATTEMPTS = 8;

  private final KeyValueStore store;
  private final Backoff backoff;

  public CellEditor(KeyValueStore store, Backoff backoff) {
    this.store = store;
    this.backoff = backoff;
  }

  public byte @Nullable [] read(Family family, byte[] row, byte[] qualifier) {
    for (int failures = 0; ; ) {
      try {
        return store.get(family, row, Columns.exactly(qualifier)).find(qualifier);
      } catch (StoreException e) {
        giveUpOrPause(e, ++failures);
      }
    }
  }

  /** Adds one to a counter; of an unknown outcome it is done again, so that a number is lost. */
  public long increment(Family family, byte[] row, byte[] qualifier) {
    for (int failures = 0; ; ) {
      try {
        return store.increment(family, row, qualifier, 1);
      } catch (StoreException e) {
        giveUpOrPause(e, ++failures);
      }
    }
  }

  /**
   * Sets an absent cell; returns what it holds then, which is another's value if that was first.
   */
  public byte[] setIfAbsent(Family family, byte[] row, byte[] qualifier, byte[] value) {
    for (int failures = 0; ; ) {
      StoreException failure = null;
      try {
        if (store.compareAndSet(family, row, qualifier, null, value)) {
          return value;
        }
      } catch (StoreException e) {
        failure = unlessRejected(e);
      }
      // Not "we lost": a store that lost our first answer says false of our own value.
      byte[] present = read(family, row, qualifier);
      if (present != null) {
        return present;
      }
      giveUpOrPause(
          failure != null
              ? failure
              : new StoreException(Outcome.NOT_APPLIED, "cell vanished while it was assigned"),
          ++failures);
    }
  }

  /**
   * Sets or removes a cell if it is as it was seen. What it returns true of can be read: where a
   * deletion of the same millisecond hides the cell it is set again.
   *
   * @param seen null for absent
   * @param update null to remove it
   * @return whether it is {@code update} now
   * @throws StoreException if the store keeps failing, or a deletion that is dated later than now
   *     hides what is set
   */
  public boolean change(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] seen,
      byte @Nullable [] update) {
    if (seen != null && seen.length == 0) {
      // Compare-and-set knows no empty values; nobody but a damaged writer leaves one.
      mutate(
          family,
          row,
          update == null ? new Change.Delete(qualifier) : new Change.Put(qualifier, update));
      return true;
    }
    for (int failures = 0; ; ) {
      StoreException failure = null;
      try {
        if (store.compareAndSet(family, row, qualifier, seen, update)) {
          return true;
        }
      } catch (StoreException e) {
        failure = unlessRejected(e);
      }
      byte[] present = read(family, row, qualifier);
      if (Arrays.equals(present, update)) {
        return true;
      }
      if (failure == null || !Arrays.equals(present, seen)) {
        return false;
      }
      giveUpOrPause(failure, ++failures);
    }
  }

  public void delete(Family family, byte[] row, byte[] qualifier) {
    mutate(family, row, new Change.Delete(qualifier));
  }

  private void mutate(Family family, byte[] row, Change change) {
    for (int failures = 0; ; ) {
      try {
        store.mutate(family, List.of(new RowMutation(row, change)));
        return;
      } catch (StoreException e) {
        giveUpOrPause(e, ++failures);
      }
    }
  }

  private static StoreException unlessRejected(StoreException e) {
    if (e.outcome() == Outcome.REJECTED) {
      throw e;
    }
    return e;
  }

  private void giveUpOrPause(StoreException e, int failures) {
    if (e.outcome() == Outcome.REJECTED
        || failures >= ATTEMPTS
        || Thread.currentThread().isInterrupted()) {
      throw e;
    }
    backoff.pause(failures);
  }
}
