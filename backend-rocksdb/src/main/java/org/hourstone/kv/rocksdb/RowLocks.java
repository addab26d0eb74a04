package org.hourstone.kv.rocksdb;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.hourstone.kv.RowMutation;

/**
 * Striped locks on rows. Every writer holds the lock of a row from before it gets a write time
 * until its write is visible. Readers need no locks, since RocksDB shows them whole batches.
 * Therefore:
 *
 * <ul>
 *   <li><strong>Read-modify-writes are atomic</strong>: no write falls between the read and the
 *       write.
 *   <li><strong>Writes of a row become visible in the order of their write times.</strong> A reader
 *       that sees a time sees all earlier writes of the row. If a row is rewritten with the newest
 *       time that was read, it takes precedence only over cells that were read.
 *   <li><strong>No deadlock</strong>: the stripes of a batch are locked in ascending order, and a
 *       single stripe is locked only while no other is held.
 * </ul>
 */
final class RowLocks {
  private static final int STRIPES = 4096;

  private final Lock[] stripes = new Lock[STRIPES];

  RowLocks() {
    Arrays.setAll(stripes, i -> new ReentrantLock());
  }

  /** Locks the rows of a batch. */
  Held hold(List<RowMutation> batch) {
    long[] held = new long[STRIPES / Long.SIZE];
    for (RowMutation mutation : batch) {
      int stripe = stripe(mutation.row());
      held[stripe / Long.SIZE] |= 1L << stripe;
    }
    return new Held(held);
  }

  /** The lock of one row, not locked yet. */
  Lock of(byte[] row) {
    return stripes[stripe(row)];
  }

  private static int stripe(byte[] row) {
    int hash = Arrays.hashCode(row);
    return (hash ^ (hash >>> 16)) & (STRIPES - 1);
  }

  /** Locked stripes, from creation to release. */
  final class Held {
    private final long[] held;

    private Held(long[] held) {
      this.held = held;
      for (int word = 0; word < held.length; word++) {
        for (long bits = held[word]; bits != 0; bits &= bits - 1) {
          stripes[stripe(word, bits)].lock();
        }
      }
    }

    void release() {
      for (int word = 0; word < held.length; word++) {
        for (long bits = held[word]; bits != 0; bits &= bits - 1) {
          stripes[stripe(word, bits)].unlock();
        }
      }
    }

    private static int stripe(int word, long bits) {
      return word * Long.SIZE + Long.numberOfTrailingZeros(bits);
    }
  }
}
