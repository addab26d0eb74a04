package org.hourstone.internal;

import java.util.Arrays;
import java.util.function.Function;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Changes a cell by what it holds: reads, computes, and writes if nobody wrote in between; else
 * once more. What is computed must not depend on how often it is: after a write whose outcome is
 * unknown the cell may hold it already.
 */
public final class CellUpdate {
  private static final int ATTEMPTS = 16;

  private final KeyValueStore store;
  private final Family family;
  private final Backoff backoff;

  public CellUpdate(KeyValueStore store, Family family, Backoff backoff) {
    this.store = store;
    this.family = family;
    this.backoff = backoff;
  }

  /**
   * Changes a cell.
   *
   * @param change from what the cell holds, null for nothing, to what it is to hold, not empty
   * @return what the cell holds now
   * @throws StoreException if the store keeps failing, or others keep changing the cell
   */
  public byte[] apply(byte[] row, byte[] qualifier, Function<byte @Nullable [], byte[]> change) {
    StoreException failure = null;
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      try {
        byte[] present = store.get(family, row, Columns.exactly(qualifier)).find(qualifier);
        byte[] wanted = change.apply(present);
        if (Arrays.equals(present, wanted)
            || store.compareAndSet(family, row, qualifier, present, wanted)) {
          return wanted;
        }
      } catch (StoreException e) {
        if (e.outcome() == Outcome.REJECTED || Thread.currentThread().isInterrupted()) {
          throw e;
        }
        failure = e;
      }
      backoff.pause(attempt);
    }
    throw failure != null
        ? failure
        : new StoreException(
            Outcome.NOT_APPLIED, "a cell of " + family + " is being changed all the time");
  }
}
