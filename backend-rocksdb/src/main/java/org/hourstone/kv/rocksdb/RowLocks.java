package org.hourstone.kv.rocksdb;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Predicate;
import org.hourstone.kv.RowMutation;

/**
 * Striped locks on rows, which keep a blind write from falling between the read and the write of a
 * read-modify-write, and two of these apart.
 *
 * <ul>
 *   <li>Blind writes (puts, appends, deletions) take the <strong>shared</strong> side of the
 *       stripes of all their rows: they do not hinder each other, RocksDB orders them.
 *   <li>Read-modify-writes (increment, compare-and-set, replacing cells, dated puts) take the
 *       <strong>exclusive</strong> side of the stripes of their rows.
 *   <li>Readers take nothing: RocksDB shows them whole batches.
 * </ul>
 *
 * <p><strong>No write in flight</strong>: every writer holds its stripes from before it takes its
 * write time until its write is visible. The owner of an exclusive side therefore reads everything
 * that was ever dated in its rows, and what is dated after its release is dated later.
 *
 * <p><strong>No deadlock</strong>: the stripes of a batch, shared and exclusive, are taken in one
 * ascending order; a single exclusive one is taken while no other is held. The locks are not
 * reentrant.
 */
final class RowLocks {
  private static final int STRIPES = 1024;

  private final StampedLock[] stripes = new StampedLock[STRIPES];

  RowLocks() {
    Arrays.setAll(stripes, i -> new StampedLock());
  }

  /** Takes a side for each row of a batch: the exclusive one where that is asked for. */
  Held hold(List<RowMutation> batch, Predicate<RowMutation> exclusively) {
    long[] shared = new long[STRIPES / Long.SIZE];
    long[] exclusive = new long[STRIPES / Long.SIZE];
    for (RowMutation mutation : batch) {
      int stripe = stripe(mutation.row());
      long[] side = exclusively.test(mutation) ? exclusive : shared;
      side[stripe / Long.SIZE] |= 1L << stripe;
    }
    return new Held(shared, exclusive);
  }

  /** The exclusive side for one row, not yet taken. */
  Lock exclusive(byte[] row) {
    return stripes[stripe(row)].asWriteLock();
  }

  private static int stripe(byte[] row) {
    int hash = Arrays.hashCode(row);
    return (hash ^ (hash >>> 16)) & (STRIPES - 1);
  }

  /** Stripes held, from creation to release. */
  final class Held {
    private final long[] shared;
    private final long[] exclusive;

    private Held(long[] shared, long[] exclusive) {
      this.shared = shared;
      this.exclusive = exclusive;
      for (int word = 0; word < shared.length; word++) {
        for (long bits = shared[word] | exclusive[word]; bits != 0; bits &= bits - 1) {
          StampedLock stripe = stripes[stripe(word, bits)];
          if (isLowestIn(exclusive[word], bits)) {
            stripe.writeLock();
          } else {
            stripe.readLock();
          }
        }
      }
    }

    void release() {
      for (int word = 0; word < shared.length; word++) {
        for (long bits = shared[word] | exclusive[word]; bits != 0; bits &= bits - 1) {
          StampedLock stripe = stripes[stripe(word, bits)];
          if (isLowestIn(exclusive[word], bits)) {
            stripe.tryUnlockWrite();
          } else {
            stripe.tryUnlockRead();
          }
        }
      }
    }

    private static boolean isLowestIn(long set, long bits) {
      return (set & Long.lowestOneBit(bits)) != 0;
    }

    private static int stripe(int word, long bits) {
      return word * Long.SIZE + Long.numberOfTrailingZeros(bits);
    }
  }
}
