package org.hourstone.uid;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Assigns UIDs so that no name ever gets two and no UID two names, whatever processes do so at once
 * and wherever one of them dies. The order of the three steps is what guarantees it:
 *
 * <ol>
 *   <li>take a number nobody had: atomic increment of the kind's counter;
 *   <li>claim it: UID to name, expecting absent;
 *   <li>publish it: name to UID, expecting absent. Whoever is first wins; a loser's number stays
 *       unused.
 * </ol>
 *
 * <p>A crash between steps leaves a number unused, never a name without its reverse. After a
 * compare-and-set of unknown outcome the cell is read back and the number in hand is kept; only an
 * increment of unknown outcome is followed by another number.
 */
final class UidAllocator {
  /** Row of the counters, in the family of the forward map. */
  static final byte[] COUNTER_ROW = {0};

  /** How often a call is made that the store keeps failing to apply. */
  private static final int STORE_ATTEMPTS = 8;

  /** How many numbers are tried that turn out to be taken, as after restoring an old counter. */
  private static final int NUMBER_ATTEMPTS = 100;

  private final KeyValueStore store;
  private final Family forward;
  private final Family reverse;
  private final Backoff backoff;

  UidAllocator(KeyValueStore store, Family forward, Family reverse, Backoff backoff) {
    this.store = store;
    this.forward = forward;
    this.reverse = reverse;
    this.backoff = backoff;
  }

  /**
   * Assigns a UID to a name that had none when looked up.
   *
   * @param width bytes of the UID
   * @param moveCounter whether the counter moves even if no number is left
   * @return the name's UID, which may be another process's choice
   */
  byte[] allocate(UidKind kind, String name, int width, boolean moveCounter) {
    byte[] nameBytes = name.getBytes(StandardCharsets.ISO_8859_1);
    byte[] qualifier = kind.qualifierBytes();
    for (int attempt = 0; attempt < NUMBER_ATTEMPTS; attempt++) {
      byte[] uid = nextUid(kind, width, moveCounter);
      byte[] holder = setIfAbsent(reverse, uid, qualifier, nameBytes);
      if (Arrays.equals(holder, nameBytes)) {
        return setIfAbsent(forward, nameBytes, qualifier, uid);
      }
    }
    throw new UidAssignmentException(
        "no UID for "
            + kind.qualifier()
            + " '"
            + name
            + "': the "
            + NUMBER_ATTEMPTS
            + " numbers after the counter are all taken; the counter is behind");
  }

  private byte[] nextUid(UidKind kind, int width, boolean moveCounter) {
    long max = width == Long.BYTES ? Long.MAX_VALUE : (1L << (8 * width)) - 1;
    byte[] qualifier = kind.qualifierBytes();
    if (!moveCounter && counter(kind) >= max) {
      throw exhausted(kind, width);
    }
    long id = increment(qualifier);
    if (id <= 0) {
      throw new UidAssignmentException(
          "the counter of " + kind.qualifier() + " is not positive: " + id);
    }
    if (id > max) {
      throw exhausted(kind, width);
    }
    byte[] wide = ByteBuffer.allocate(Long.BYTES).putLong(id).array();
    return Arrays.copyOfRange(wide, Long.BYTES - width, Long.BYTES);
  }

  /** The highest number handed out so far. */
  long counter(UidKind kind) {
    byte[] counter = read(forward, COUNTER_ROW, kind.qualifierBytes());
    if (counter == null) {
      return 0;
    }
    if (counter.length != Long.BYTES) {
      throw new UidAssignmentException(
          "the counter of " + kind.qualifier() + " has " + counter.length + " bytes instead of 8");
    }
    return ByteBuffer.wrap(counter).getLong();
  }

  private long increment(byte[] qualifier) {
    for (int failures = 0; ; ) {
      try {
        return store.increment(forward, COUNTER_ROW, qualifier, 1);
      } catch (StoreException e) {
        // Unknown: the number is lost if it was counted. That is a gap, which is harmless.
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

  private byte @Nullable [] read(Family family, byte[] row, byte[] qualifier) {
    for (int failures = 0; ; ) {
      try {
        return store.get(family, row, Columns.exactly(qualifier)).find(qualifier);
      } catch (StoreException e) {
        giveUpOrPause(e, ++failures);
      }
    }
  }

  private void giveUpOrPause(StoreException e, int failures) {
    if (e.outcome() == Outcome.REJECTED
        || failures >= STORE_ATTEMPTS
        || Thread.currentThread().isInterrupted()) {
      throw e;
    }
    backoff.pause(failures);
  }

  private static UidAssignmentException exhausted(UidKind kind, int width) {
    return new UidAssignmentException(
        "All Unique IDs for " + kind.qualifier() + " on " + width + " bytes are already assigned!");
  }
}
