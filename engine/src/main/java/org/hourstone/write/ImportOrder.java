package org.hourstone.write;

/**
 * Remembers the latest imported timestamp of each series, in bounded memory. A point after it can't
 * repeat an earlier one; any other has to be looked up. A hash table of primitives in which each
 * series has a few slots; if all are occupied, the series with the earliest timestamp is evicted. A
 * filter contains the series that may have been evicted: their points have to be looked up if they
 * are not after the latest timestamp of any evicted series.
 *
 * <p>Series are identified by 64 bits of their TSUIDs. If these collide, a point of one series is
 * looked up unnecessarily, or refused if order is required. Not thread-safe.
 */
final class ImportOrder {
  /** Returned by {@link #latest} for a series without points so far. */
  static final long NONE = Long.MIN_VALUE;

  /** How many places a series has. */
  private static final int PLACES = 16;

  private static final int FIRST_CAPACITY = 1024;
  private static final int ENTRY_BYTES = 2 * Long.BYTES;
  private static final int FILTER_SHARE = 8;
  private static final int FILTER_BITS = 3;

  private final int capacity;
  private long[] prints;
  private long[] latest;
  private long[] givenUp = {};
  private final int givenUpLength;
  private long latestGivenUp = NONE;

  /**
   * @param bytes about how much memory may be taken
   */
  ImportOrder(long bytes) {
    // A third of it is for the smaller table while it grows.
    this.capacity = powerOfTwo(Math.max(PLACES, bytes / ENTRY_BYTES * 2 / 3));
    this.givenUpLength = powerOfTwo(Math.max(1, bytes / FILTER_SHARE / Long.BYTES));
    this.prints = new long[Math.min(capacity, FIRST_CAPACITY)];
    this.latest = new long[prints.length];
  }

  private static int powerOfTwo(long most) {
    return (int) Long.highestOneBit(Math.min(most, 1 << 28));
  }

  /** The timestamp as far as to which points of the series may have been imported, or NONE. */
  long latest(Series series) {
    long print = print(series);
    int at = find(print);
    if (at >= 0) {
      return latest[at];
    }
    return isGivenUp(print) ? latestGivenUp : NONE;
  }

  /** Whether the latest timestamp of the series itself is known. */
  boolean knows(Series series) {
    return find(print(series)) >= 0;
  }

  /** Records an imported point, or that points up to a timestamp have to be looked up. */
  void advance(Series series, long millis) {
    long print = print(series);
    int at = find(print);
    if (at >= 0) {
      latest[at] = Math.max(latest[at], millis);
      return;
    }
    while (!put(print, millis) && prints.length < capacity) {
      grow();
    }
    if (find(print) < 0) {
      replaceEarliest(print, millis);
    }
  }

  /** Enters a series if one of its places is free. */
  private boolean put(long print, long millis) {
    for (int i = 0; i < PLACES; i++) {
      int at = place(print, i);
      if (prints[at] == 0) {
        prints[at] = print;
        latest[at] = millis;
        return true;
      }
    }
    return false;
  }

  private void replaceEarliest(long print, long millis) {
    int earliest = place(print, 0);
    for (int i = 1; i < PLACES; i++) {
      int at = place(print, i);
      earliest = latest[at] < latest[earliest] ? at : earliest;
    }
    giveUp(prints[earliest], latest[earliest]);
    prints[earliest] = print;
    latest[earliest] = millis;
  }

  private void grow() {
    long[] oldPrints = prints;
    long[] oldLatest = latest;
    do {
      prints = new long[prints.length * 2];
      latest = new long[prints.length];
    } while (!putAll(oldPrints, oldLatest));
  }

  /** Enters series; false if one has no place free, though there may be a larger table. */
  private boolean putAll(long[] somePrints, long[] someLatest) {
    for (int i = 0; i < somePrints.length; i++) {
      if (somePrints[i] != 0 && !put(somePrints[i], someLatest[i])) {
        if (prints.length < capacity) {
          return false;
        }
        giveUp(somePrints[i], someLatest[i]);
      }
    }
    return true;
  }

  private void giveUp(long print, long millis) {
    if (givenUp.length == 0) {
      givenUp = new long[givenUpLength];
    }
    for (int i = 0; i < FILTER_BITS; i++) {
      int bit = filterBit(print, i);
      givenUp[bit >>> 6] |= 1L << bit;
    }
    latestGivenUp = Math.max(latestGivenUp, millis);
  }

  private boolean isGivenUp(long print) {
    if (givenUp.length == 0) {
      return false;
    }
    for (int i = 0; i < FILTER_BITS; i++) {
      int bit = filterBit(print, i);
      if ((givenUp[bit >>> 6] & 1L << bit) == 0) {
        return false;
      }
    }
    return true;
  }

  private int filterBit(long print, int i) {
    return (int) (Long.rotateLeft(print, 21 * (i + 1)) & (givenUp.length * 64L - 1));
  }

  private int find(long print) {
    for (int i = 0; i < PLACES; i++) {
      int at = place(print, i);
      if (prints[at] == print) {
        return at;
      }
      if (prints[at] == 0) {
        return -1;
      }
    }
    return -1;
  }

  /** One of the slots of a series, which are far from each other. */
  private int place(long print, int i) {
    int step = (int) (print >>> Integer.SIZE) | 1;
    return ((int) print + i * step) & (prints.length - 1);
  }

  /** 64 well mixed bits of the TSUID, not 0. */
  private static long print(Series series) {
    long hash = 0;
    for (byte b : series.tsuid()) {
      hash = (hash ^ (b & 0xFF)) * 0x100000001B3L + 1;
    }
    hash = (hash ^ (hash >>> 32)) * 0x9E3779B97F4A7C15L;
    hash = (hash ^ (hash >>> 29)) * 0xBF58476D1CE4E5B9L;
    hash ^= hash >>> 32;
    return hash == 0 ? 1 : hash;
  }
}
