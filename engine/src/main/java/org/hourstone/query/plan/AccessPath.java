package org.hourstone.query.plan;

import java.util.Arrays;
import java.util.List;
import org.hourstone.index.SeriesSet;
import org.jspecify.annotations.Nullable;

/** The series whose rows are read, as far as they are known before reading. */
public sealed interface AccessPath {
  /** Why the series are read this way. */
  String why();

  /** Approximately how much memory it takes, in bytes. */
  default long heldBytes() {
    return 0;
  }

  /**
   * Series that are found by scanning.
   *
   * @param why the reason
   * @param series those that are selected, if they are known
   */
  record Scanned(String why, @Nullable SeriesSet series) implements AccessPath {
    Scanned(String why) {
      this(why, null);
    }
  }

  /**
   * Exactly these series, whose rows are read one by one.
   *
   * @param tsuids ascending
   * @param everyBucket whether their rows may be in other salt buckets than their own
   * @param why the reason, including where the series were found
   */
  record Picked(List<byte[]> tsuids, boolean everyBucket, String why) implements AccessPath {
    private static final int BYTES_EACH = 64;

    /** Whether the rows of another's series are among those of these. */
    boolean contains(Picked other) {
      return everyBucket == other.everyBucket && containsAll(tsuids, other.tsuids);
    }

    @Override
    public long heldBytes() {
      return (long) BYTES_EACH * tsuids.size();
    }
  }

  /** Whether an ascending list has all of another one. */
  static boolean containsAll(List<byte[]> all, List<byte[]> some) {
    if (some.size() > all.size()) {
      return false;
    }
    int i = 0;
    for (byte[] each : some) {
      while (i < all.size() && Arrays.compareUnsigned(all.get(i), each) < 0) {
        i++;
      }
      if (i == all.size() || !Arrays.equals(all.get(i), each)) {
        return false;
      }
    }
    return true;
  }
}
