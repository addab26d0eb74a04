package org.hourstone.kv.memory;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Row;
import org.jspecify.annotations.Nullable;

/**
 * The cells of one row. Immutable: a change creates a new row, which replaces the old one in one
 * step, so that a reader sees either a whole mutation or nothing of it.
 */
final class MemoryRow {
  /** The empty row that represents an absent row. */
  static final MemoryRow ABSENT = new MemoryRow(new byte[0][], new byte[0][], PackedTimes.NONE, -1);

  /** Strictly ascending as unsigned bytes. */
  private final byte[][] qualifiers;

  private final byte[][] values;
  private final PackedTimes times;

  /** The latest write time that a cell of this row ever had. */
  private final long latestTime;

  private MemoryRow(byte[][] qualifiers, byte[][] values, PackedTimes times, long latestTime) {
    this.qualifiers = qualifiers;
    this.values = values;
    this.times = times;
    this.latestTime = latestTime;
  }

  /** A row without cells that may have had some, none of them dated later than this. */
  static MemoryRow absentSince(long latestTime) {
    return new MemoryRow(ABSENT.qualifiers, ABSENT.values, PackedTimes.NONE, latestTime);
  }

  /**
   * The change of one cell.
   *
   * @param qualifier copied if it is retained
   * @param value the new value, retained without a copy; null if the cell is removed
   * @param time the write time of the value; unused for a removal
   */
  record Edit(byte[] qualifier, byte @Nullable [] value, long time) {}

  long latestTime() {
    return latestTime;
  }

  /** Whether the store may forget this row. */
  boolean isForgettable() {
    return qualifiers.length == 0;
  }

  byte @Nullable [] find(byte[] qualifier) {
    int at = indexOf(qualifier);
    return at < 0 ? null : values[at];
  }

  /** Whether a cell is present and dated later than a time. */
  boolean isLater(byte[] qualifier, long time) {
    int at = indexOf(qualifier);
    return at >= 0 && times.get(at) > time;
  }

  /** This row in the form for readers; the cells' arrays are shared. */
  Row read(byte[] key, Columns columns) {
    if (columns instanceof Columns.Range range) {
      return slice(
          key, insertion(range.start()), range.stop() == null ? size() : insertion(range.stop()));
    }
    if (columns instanceof Columns.Exact exact) {
      return pick(key, exact.qualifiers());
    }
    return slice(key, 0, size());
  }

  private Row slice(byte[] key, int from, int to) {
    if (from >= to) {
      return Row.empty(key);
    }
    return Row.of(
        key,
        Arrays.copyOfRange(qualifiers, from, to),
        Arrays.copyOfRange(values, from, to),
        times.copyOfRange(from, to));
  }

  /** The present cells with the given qualifiers. */
  Row pick(byte[] key, List<byte[]> wanted) {
    BitSet found = new BitSet(size());
    for (byte[] qualifier : wanted) {
      int at = indexOf(qualifier);
      if (at >= 0) {
        found.set(at);
      }
    }
    int[] picked = found.stream().toArray();
    byte[][] pickedQualifiers = new byte[picked.length][];
    byte[][] pickedValues = new byte[picked.length][];
    long[] pickedTimes = new long[picked.length];
    for (int i = 0; i < picked.length; i++) {
      pickedQualifiers[i] = qualifiers[picked[i]];
      pickedValues[i] = values[picked[i]];
      pickedTimes[i] = times.get(picked[i]);
    }
    return Row.of(key, pickedQualifiers, pickedValues, pickedTimes);
  }

  /** This row without its cells. */
  MemoryRow emptied() {
    return isForgettable() ? this : absentSince(latestTime);
  }

  /**
   * This row with cells changed.
   *
   * @param edits strictly ascending by unsigned qualifier
   */
  MemoryRow with(List<Edit> edits) {
    int most = size() + edits.size();
    byte[][] newQualifiers = new byte[most][];
    byte[][] newValues = new byte[most][];
    long[] newTimes = new long[most];
    long newLatest = latestTime;
    int from = 0;
    int count = 0;
    for (Edit edit : edits) {
      int at = indexOf(edit.qualifier());
      boolean present = at >= 0;
      int until = present ? at : -at - 1;
      System.arraycopy(qualifiers, from, newQualifiers, count, until - from);
      System.arraycopy(values, from, newValues, count, until - from);
      for (int i = from; i < until; i++) {
        newTimes[count + i - from] = times.get(i);
      }
      count += until - from;
      from = present ? until + 1 : until;
      byte[] value = edit.value();
      if (value != null) {
        newLatest = Math.max(newLatest, edit.time());
        newQualifiers[count] = present ? qualifiers[at] : edit.qualifier().clone();
        newValues[count] = value;
        newTimes[count] = edit.time();
        count++;
      }
    }
    System.arraycopy(qualifiers, from, newQualifiers, count, size() - from);
    System.arraycopy(values, from, newValues, count, size() - from);
    for (int i = from; i < size(); i++) {
      newTimes[count + i - from] = times.get(i);
    }
    count += size() - from;
    return new MemoryRow(
        count == most ? newQualifiers : Arrays.copyOf(newQualifiers, count),
        count == most ? newValues : Arrays.copyOf(newValues, count),
        PackedTimes.of(newTimes, count),
        newLatest);
  }

  private int size() {
    return qualifiers.length;
  }

  private int indexOf(byte[] qualifier) {
    return Arrays.binarySearch(qualifiers, qualifier, Arrays::compareUnsigned);
  }

  /** The index of the first cell with a qualifier that is not less. */
  private int insertion(byte[] qualifier) {
    int at = indexOf(qualifier);
    return at >= 0 ? at : -at - 1;
  }
}
