package org.hourstone.index;

import java.util.Arrays;
import java.util.Set;
import org.hourstone.kv.Bytes;

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

  /** Removes some series; takes as long as adding all others again. */
  void removeAll(Set<Bytes> tsuids) {
    for (int i = 0; i < STRIPES; i++) {
      synchronized (lock(i)) {
        PackedKeys now = stripes[i];
        if (tsuids.stream().anyMatch(each -> now.contains(each.array(), 0, each.array().length))) {
          stripes[i] = without(now, tsuids);
        }
      }
    }
  }

  private static PackedKeys without(PackedKeys all, Set<Bytes> some) {
    PackedKeys rest = new PackedKeys();
    int start = 0;
    for (int i = 0; i < all.size(); i++) {
      int end = all.ends()[i];
      if (!some.contains(new Bytes(Arrays.copyOfRange(all.bytes(), start, end)))) {
        rest.add(all.bytes(), start, end);
      }
      start = end;
    }
    return rest;
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
