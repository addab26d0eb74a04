package org.hourstone.write;

import java.util.Arrays;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;

/**
 * Keeps points that are deleted from coming back. Who rewrites a row puts what was read before; if
 * points were deleted in between they would be put again. So rows are rewritten, and points
 * deleted, by one thread at a time, and once points are deleted at all who rewrites looks again
 * whether the row still is as it was read. This holds among the threads of one process.
 * Thread-safe.
 */
public final class RowGuard {
  /** A power of two. */
  private static final int STRIPES = 64;

  private final Lock[] locks =
      Stream.generate(ReentrantLock::new).limit(STRIPES).toArray(Lock[]::new);
  private volatile boolean deletes;

  /** Does something to a row while no other thread rewrites it. */
  public <T> T alone(byte[] row, Supplier<T> rewriting) {
    Lock lock = locks[Arrays.hashCode(row) & (STRIPES - 1)];
    lock.lock();
    try {
      return rewriting.get();
    } finally {
      lock.unlock();
    }
  }

  /** From now on points may be deleted; to be called before the first row is read for that. */
  public void beginDeleting() {
    deletes = true;
  }

  /** Whether something may have been deleted from a row since it was read. */
  boolean mayHaveLost(KeyValueReader store, Family family, Row asRead) {
    return deletes && !isAs(asRead, store.get(family, asRead.key(), Columns.all()));
  }

  /** Whether a row has the cells of another one, of the same age. */
  static boolean isAs(Row one, Row other) {
    boolean same = one.size() == other.size();
    for (int i = 0; same && i < one.size(); i++) {
      same =
          one.writeTime(i) == other.writeTime(i)
              && Arrays.equals(one.qualifier(i), other.qualifier(i))
              && Arrays.equals(one.value(i), other.value(i));
    }
    return same;
  }
}
