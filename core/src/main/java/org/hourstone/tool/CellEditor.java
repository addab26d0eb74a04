package org.hourstone.tool;

import java.util.Arrays;
import java.util.List;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Changes single cells that are as they were seen, beside others who write. Calls that the store
 * failed to apply are made again; where the outcome is not known the cell is read back.
 */
final class CellEditor {
  private static final int ATTEMPTS = 8;

  private final KeyValueStore store;
  private final Backoff backoff;

  CellEditor(KeyValueStore store, Backoff backoff) {
    this.store = store;
    this.backoff = backoff;
  }

  byte @Nullable [] read(Family family, byte[] row, byte[] qualifier) {
    for (int failures = 0; ; ) {
      try {
        return store.get(family, row, Columns.exactly(qualifier)).find(qualifier);
      } catch (StoreException e) {
        giveUpOrPause(e, ++failures);
      }
    }
  }

  /**
   * Sets or removes a cell if it is as it was seen.
   *
   * @param seen null for absent
   * @param update null to remove it
   * @return whether it is {@code update} now
   */
  boolean change(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] seen,
      byte @Nullable [] update) {
    if (seen != null && seen.length == 0) {
      // Compare-and-set knows no empty values; nobody but a damaged writer leaves one.
      delete(family, row, qualifier);
      return update == null || change(family, row, qualifier, null, update);
    }
    for (int failures = 0; ; ) {
      StoreException failure = null;
      try {
        if (store.compareAndSet(family, row, qualifier, seen, update)) {
          return true;
        }
      } catch (StoreException e) {
        if (e.outcome() == Outcome.REJECTED) {
          throw e;
        }
        failure = e;
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

  void delete(Family family, byte[] row, byte[] qualifier) {
    for (int failures = 0; ; ) {
      try {
        store.mutate(family, List.of(new RowMutation(row, new Change.Delete(qualifier))));
        return;
      } catch (StoreException e) {
        giveUpOrPause(e, ++failures);
      }
    }
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
