package org.hourstone.uid;

import org.hourstone.internal.Backoff;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/** Single cells of the UID table, with calls repeated that the store failed to apply. */
final class UidCells {
  /** How often a call is made that the store keeps failing to apply. */
  private static final int ATTEMPTS = 8;

  private final KeyValueStore store;
  private final Backoff backoff;

  UidCells(KeyValueStore store, Backoff backoff) {
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

  /** Adds one to a counter; of an unknown outcome it is done again, so that a number is lost. */
  long increment(Family family, byte[] row, byte[] qualifier) {
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
  byte[] setIfAbsent(Family family, byte[] row, byte[] qualifier, byte[] value) {
    for (int failures = 0; ; ) {
      StoreException failure = null;
      try {
        if (store.compareAndSet(family, row, qualifier, null, value)) {
          return value;
        }
      } catch (StoreException e) {
        if (e.outcome() == Outcome.REJECTED) {
          throw e;
        }
        failure = e;
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

  private void giveUpOrPause(StoreException e, int failures) {
    if (e.outcome() == Outcome.REJECTED
        || failures >= ATTEMPTS
        || Thread.currentThread().isInterrupted()) {
      throw e;
    }
    backoff.pause(failures);
  }
}
