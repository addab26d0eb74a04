package org.hourstone.kv.rocksdb;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.StampedLock;
import org.hourstone.kv.RowMutation;

/**
 * What keeps a blind write from falling between the read and the write of a read-modify-write, and
 * two of these apart: striped locks on the row.
 *
 * <ul>
 *   <li>Blind writes (puts, appends, deletions) take the <strong>shared</strong> side of the
 *       stripes of all their rows: they do not hinder each other, RocksDB orders them.
 *   <li>Read-modify-writes (increment, compare-and-set, replacing cells) take the
 *       <strong>exclusive</strong> side of the stripe of their row.
 *   <li>Readers take nothing: RocksDB shows them whole batches.
 * </ul>
 *
 * <p><strong>No deadlock</strong>: shared stripes are taken in ascending order, and who holds a
 * stripe exclusively holds no other and asks for none. The locks are not reentrant.
 */
final class RowLocks {
  private static final int STRIPES = 1024;

  private final StampedLock[] stripes = new StampedLock[STRIPES];

  RowLocks() {
    Arrays.setAll(stripes, i -> new StampedLock());
  }

  /** Takes the shared side for all rows of a batch. */
  Shared share(List<RowMutation> batch) {
    long[] taken = new long[STRIPES / Long.SIZE];
    for (RowMutation mutation : batch) {
      int stripe = stripe(mutation.row());
      taken[stripe / Long.SIZE] |= 1L << stripe;
    }
    return new Shared(taken);
  }

  /** Takes the shared side for all rows there are. */
  Shared shareAll() {
    long[] taken = new long[STRIPES / Long.SIZE];
    Arrays.fill(taken, -1);
    return new Shared(taken);
  }

  /** The exclusive side for one row, not yet taken. */
  Lock exclusive(byte[] row) {
    return stripes[stripe(row)].asWriteLock();
  }

  private static int stripe(byte[] row) {
    int hash = Arrays.hashCode(row);
    return (hash ^ (hash >>> 16)) & (STRIPES - 1);
  }

  /** Stripes held shared, from creation to release. */
  final class Shared {
    private final long[] taken;

    private Shared(long[] taken) {
      this.taken = taken;
      for (int word = 0; word < taken.length; word++) {
        for (long bits = taken[word]; bits != 0; bits &= bits - 1) {
          stripes[stripe(word, bits)].readLock();
        }
      }
    }

    void release() {
      for (int word = 0; word < taken.length; word++) {
        for (long bits = taken[word]; bits != 0; bits &= bits - 1) {
          stripes[stripe(word, bits)].tryUnlockRead();
        }
      }
    }

    private static int stripe(int word, long bits) {
      return word * Long.SIZE + Long.numberOfTrailingZeros(bits);
    }
  }
}
