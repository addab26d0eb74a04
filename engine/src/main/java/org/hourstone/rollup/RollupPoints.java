package org.hourstone.rollup;

import java.util.Arrays;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.Value;

/**
 * The values of one aggregation in one row, in primitive columns; sorted by the index of their
 * interval, with at most one value per interval, once {@link RollupRowDecoder} is done. Reused from
 * row to row. Not thread-safe.
 */
public final class RollupPoints {
  private int size;
  private int[] indexes = new int[16];
  private byte[] flags = new byte[16];
  private long[] raws = new long[16];
  private long[] writeTimes = new long[16];

  public int size() {
    return size;
  }

  /**
   * The index of the interval in its row. The interval begins at the base time plus this index
   * times the interval's length.
   */
  public int index(int i) {
    return indexes[i];
  }

  public boolean isFloat(int i) {
    return Qualifier.isFloat(flags[i]);
  }

  /** The value as {@link Value} holds it: the integer, or the bits of the float or double. */
  public long raw(int i) {
    return raws[i];
  }

  public double toDouble(int i) {
    return Value.toDouble(flags[i], raws[i]);
  }

  /** Drops all values. */
  public void clear() {
    size = 0;
  }

  void add(int index, int valueFlags, long raw, long writeTime) {
    if (size == indexes.length) {
      indexes = Arrays.copyOf(indexes, size * 2);
      flags = Arrays.copyOf(flags, size * 2);
      raws = Arrays.copyOf(raws, size * 2);
      writeTimes = Arrays.copyOf(writeTimes, size * 2);
    }
    indexes[size] = index;
    flags[size] = (byte) valueFlags;
    raws[size] = raw;
    writeTimes[size] = writeTime;
    size++;
  }

  /**
   * Sets the values to those of {@code other}, sorted, one for each interval. If the newest value
   * is kept and write times are equal, the value read last is used.
   *
   * @throws CorruptDataException if the policy is to fail and two values of one interval differ
   */
  void setResolved(RollupPoints other, DuplicatePolicy policy) {
    clear();
    for (int from : other.order()) {
      if (size == 0 || indexes[size - 1] != other.indexes[from]) {
        addFrom(other, from);
      } else if (supersedes(other, from, policy)) {
        size--;
        addFrom(other, from);
      }
    }
  }

  private void addFrom(RollupPoints other, int i) {
    add(other.indexes[i], other.flags[i], other.raws[i], other.writeTimes[i]);
  }

  /** The positions of the values, stably sorted by their intervals. */
  private int[] order() {
    long[] keys = new long[size];
    for (int i = 0; i < size; i++) {
      keys[i] = (long) indexes[i] << Integer.SIZE | i;
    }
    Arrays.sort(keys);
    return Arrays.stream(keys).mapToInt(key -> (int) key).toArray();
  }

  /** Whether a value of another column replaces the last value here. */
  private boolean supersedes(RollupPoints other, int i, DuplicatePolicy policy) {
    int last = size - 1;
    return switch (policy) {
      case NEWEST_WINS -> other.writeTimes[i] >= writeTimes[last];
      case LARGEST_WINS -> other.toDouble(i) > toDouble(last);
      case SMALLEST_WINS -> other.toDouble(i) < toDouble(last);
      case FAIL -> {
        if (!Arrays.equals(other.bytes(i), bytes(last))) {
          throw new CorruptDataException(
              "Two values of the interval "
                  + indexes[last]
                  + " of a row: "
                  + Arrays.toString(bytes(last))
                  + " and "
                  + Arrays.toString(other.bytes(i))
                  + "; set tsd.storage.fix_duplicates=true to keep the newest");
        }
        yield false;
      }
    };
  }

  private byte[] bytes(int i) {
    return Value.encode(flags[i], raws[i]);
  }
}
