package org.hourstone.kv.rocksdb;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.function.Supplier;
import org.hourstone.kv.FlatKeys;
import org.hourstone.kv.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the first row behind a corrupt part of a table file that can be read. RocksDB does not tell
 * where a corrupt block ends, so keys are tried: larger and larger ones, which differ from the
 * first key in fewer and fewer leading bytes, until a row can be read; then the keys between the
 * last two are divided in half until they meet. If there are two corrupt blocks between these keys,
 * rows between the blocks may be skipped, too.
 */
final class ReadableRows {
  private static final int LEAST_LENGTH = 16;

  private final Supplier<CellIterator> iterators;
  private final byte @Nullable [] stop;

  /** The row that was found by the last call of {@link #isReadable}; null if there was none. */
  private byte @Nullable [] found;

  /**
   * @param iterators creates an iterator up to the end of the scan
   * @param stop the end of the scan, exclusive; null if there is none
   */
  ReadableRows(Supplier<CellIterator> iterators, byte @Nullable [] stop) {
    this.iterators = iterators;
    this.stop = stop;
  }

  /**
   * The first key from which on a row can be read.
   *
   * @param from a key from which on none can be read
   * @return null if there is no further row that can be read
   */
  byte @Nullable [] after(byte[] from) {
    byte[] first = Arrays.copyOf(from, Math.max(from.length, LEAST_LENGTH));
    byte[] unreadable = first;
    byte[] readable = null;
    for (int length = first.length; length > 0 && readable == null; length--) {
      byte[] key = afterPrefix(first, length);
      if (key == null) {
        break;
      }
      if (stop != null && Arrays.compareUnsigned(key, stop) >= 0) {
        return between(unreadable, stop);
      }
      if (isReadable(key)) {
        readable = key;
      } else {
        unreadable = key;
      }
    }
    return readable == null ? null : between(unreadable, readable);
  }

  /** The first row at or after the boundary between two keys; null if there is none. */
  private byte @Nullable [] between(byte[] unreadable, byte[] readable) {
    int length = Math.max(unreadable.length, readable.length) + 1;
    BigInteger low = number(unreadable, length);
    BigInteger high = number(readable, length);
    while (high.subtract(low).compareTo(BigInteger.ONE) > 0) {
      BigInteger middle = low.add(high).shiftRight(1);
      if (isReadable(key(middle, length))) {
        high = middle;
      } else {
        low = middle;
      }
    }
    byte[] key = key(high, length);
    return isReadable(key) && (stop == null || Arrays.compareUnsigned(key, stop) < 0)
        ? found
        : null;
  }

  /**
   * Whether the first row from a key on can be read; none is readable, too. Each key needs a new
   * iterator: one that has failed seems to be at its end if it is moved to the same block.
   */
  private boolean isReadable(byte[] key) {
    found = null;
    try (CellIterator cells = iterators.get()) {
      cells.seek(FlatKeys.bound(key));
      if (cells.onRow()) {
        byte[] row = cells.row();
        cells.skipCells();
        found = row;
      }
      return true;
    } catch (StoreException e) {
      if (RocksDbErrors.isUnreadable(e)) {
        return false;
      }
      throw e;
    }
  }

  private static BigInteger number(byte[] key, int length) {
    return new BigInteger(1, Arrays.copyOf(key, length));
  }

  private static byte[] key(BigInteger number, int length) {
    byte[] bytes = number.toByteArray();
    byte[] key = new byte[length];
    int taken = Math.min(length, bytes.length);
    System.arraycopy(bytes, bytes.length - taken, key, length - taken, taken);
    return key;
  }

  /** The smallest key greater than all keys with this prefix; null if there is none. */
  private static byte @Nullable [] afterPrefix(byte[] key, int length) {
    int last = length - 1;
    while (last >= 0 && key[last] == (byte) 0xFF) {
      last--;
    }
    if (last < 0) {
      return null;
    }
    byte[] after = Arrays.copyOf(key, last + 1);
    after[last]++;
    return after;
  }
}
