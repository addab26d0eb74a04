package org.hourstone.kv.memory;

import java.util.Arrays;

/**
 * What was deleted of a row and when, kept by a store that is only as good as HBase: there a
 * deletion hides what is written to the deleted cell up to and including the deletion's
 * millisecond, even if it is written afterwards. Immutable.
 */
final class Deletions {
  private static final long NEVER = -1;

  static final Deletions NONE = new Deletions(NEVER, new byte[0][], new long[0]);

  private final long row;
  private final byte[][] qualifiers;
  private final long[] times;

  private Deletions(long row, byte[][] qualifiers, long[] times) {
    this.row = row;
    this.qualifiers = qualifiers;
    this.times = times;
  }

  /** Whether a write of that time to a cell that is absent stays hidden. */
  boolean hide(byte[] qualifier, long time) {
    int at = indexOf(qualifier);
    return time <= row || (at >= 0 && time <= times[at]);
  }

  /** These, and the whole row at some time. */
  Deletions withRow(long time) {
    return new Deletions(Math.max(row, time), qualifiers, times);
  }

  /** These, and one cell at some time. */
  Deletions with(byte[] qualifier, long time) {
    int at = indexOf(qualifier);
    if (at >= 0) {
      long[] later = times.clone();
      later[at] = Math.max(later[at], time);
      return new Deletions(row, qualifiers, later);
    }
    int insert = -at - 1;
    byte[][] moreQualifiers = Arrays.copyOf(qualifiers, qualifiers.length + 1);
    long[] moreTimes = Arrays.copyOf(times, times.length + 1);
    System.arraycopy(qualifiers, insert, moreQualifiers, insert + 1, qualifiers.length - insert);
    System.arraycopy(times, insert, moreTimes, insert + 1, times.length - insert);
    moreQualifiers[insert] = qualifier;
    moreTimes[insert] = time;
    return new Deletions(row, moreQualifiers, moreTimes);
  }

  private int indexOf(byte[] qualifier) {
    return Arrays.binarySearch(qualifiers, qualifier, Arrays::compareUnsigned);
  }
}
