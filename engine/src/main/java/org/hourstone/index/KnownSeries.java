package org.hourstone.index;

import java.util.Arrays;

/**
 * Series whose entries are known to be in the table, so that they need not be read again. Cleared
 * when it gets too large. Thread-safe.
 */
final class KnownSeries {
  private static final int STRIPES = 16;

  private final Object[] locks = locks();
  private final PackedKeys[] stripes = new PackedKeys[STRIPES];
  private final long mostBytesOfStripe;

  KnownSeries(long mostBytes) {
    this.mostBytesOfStripe = mostBytes / STRIPES;
    clear();
  }

  boolean contains(byte[] tsuid) {
    int stripe = stripe(tsuid);
    synchronized (lock(stripe)) {
      return stripes[stripe].contains(tsuid, 0, tsuid.length);
    }
  }

  void add(byte[] tsuid) {
    int stripe = stripe(tsuid);
    synchronized (lock(stripe)) {
      if (stripes[stripe].memory() > mostBytesOfStripe) {
        stripes[stripe] = new PackedKeys();
      }
      stripes[stripe].add(tsuid, 0, tsuid.length);
    }
  }

  void clear() {
    for (int i = 0; i < STRIPES; i++) {
      synchronized (lock(i)) {
        stripes[i] = new PackedKeys();
      }
    }
  }

  private static int stripe(byte[] tsuid) {
    int hash = Arrays.hashCode(tsuid);
    return (hash ^ (hash >>> 8)) & (STRIPES - 1);
  }

  private Object lock(int stripe) {
    return locks[stripe];
  }

  private static Object[] locks() {
    Object[] locks = new Object[STRIPES];
    for (int i = 0; i < STRIPES; i++) {
      locks[i] = new Object();
    }
    return locks;
  }
}
