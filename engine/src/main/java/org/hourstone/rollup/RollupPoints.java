package org.hourstone.rollup;

import java.util.Arrays;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RowPoints;
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
    reserve(1);
    indexes[size] = index;
    flags[size] = (byte) valueFlags;
    raws[size] = raw;
    writeTimes[size] = writeTime;
    size++;
  }

  /** Adds values whose offsets are indexes as seconds, written some milliseconds before a time. */
  void addAll(RowPoints column, long[] ages, long newest) {
    reserve(column.size());
    for (int i = 0; i < column.size(); i++) {
      if (ages[i] > newest) {
        throw new IllegalArgumentException("a cell of an age of " + ages[i] + " ms");
      }
      add(column.offset(i) / 1000, column.flags(i), column.raw(i), newest - ages[i]);
    }
  }

  private void reserve(int more) {
    if (size + more > indexes.length) {
      int capacity = Math.max(size + more, size * 2);
      indexes = Arrays.copyOf(indexes, capacity);
      flags = Arrays.copyOf(flags, capacity);
      raws = Arrays.copyOf(raws, capacity);
      writeTimes = Arrays.copyOf(writeTimes, capacity);
    }
  }

  /**
   * Sorts the values by their intervals; those of one keep their order.
   *
   * @return whether each interval has but one
   */
  boolean sort() {
    if (isAscending()) {
      return true;
    }
    int[] oldIndexes = Arrays.copyOf(indexes, size);
    byte[] oldFlags = Arrays.copyOf(flags, size);
    long[] oldRaws = Arrays.copyOf(raws, size);
    long[] oldTimes = Arrays.copyOf(writeTimes, size);
    int to = 0;
    for (long key : order()) {
      int from = (int) key;
      indexes[to] = oldIndexes[from];
      flags[to] = oldFlags[from];
      raws[to] = oldRaws[from];
      writeTimes[to] = oldTimes[from];
      to++;
    }
    return isAscending();
  }

  /** Whether the intervals ascend, each with one value. */
  private boolean isAscending() {
    for (int i = 1; i < size; i++) {
      if (indexes[i - 1] >= indexes[i]) {
        return false;
      }
    }
    return true;
  }

  /** Exchanges all values for those of {@code other}. */
  private void exchange(RollupPoints other) {
    int ownSize = size;
    int[] ownIndexes = indexes;
    byte[] ownFlags = flags;
    long[] ownRaws = raws;
    long[] ownTimes = writeTimes;
    size = other.size;
    indexes = other.indexes;
    flags = other.flags;
    raws = other.raws;
    writeTimes = other.writeTimes;
    other.size = ownSize;
    other.indexes = ownIndexes;
    other.flags = ownFlags;
    other.raws = ownRaws;
    other.writeTimes = ownTimes;
  }

  /**
   * Sets the values to those of {@code other}, sorted, one for each interval; the other one has any
   * values afterwards. If the newest value is kept and write times are equal, the value read last
   * is used.
   *
   * @throws CorruptDataException if the policy is to fail and two values of one interval differ
   */
  void setResolved(RollupPoints other, DuplicatePolicy policy) {
    if (other.sort()) {
      exchange(other);
      return;
    }
    clear();
    for (int from = 0; from < other.size; from++) {
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

  /** Sorted: the interval of each value, and in the lower half its position. */
  private long[] order() {
    long[] keys = new long[size];
    for (int i = 0; i < size; i++) {
      keys[i] = (long) indexes[i] << Integer.SIZE | i;
    }
    Arrays.sort(keys);
    return keys;
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
