package org.hourstone.uid;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.Weigher;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongPredicate;
import org.hourstone.kv.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Names and UIDs of one kind that were read from the store. Thread-safe.
 *
 * <ul>
 *   <li>A name's UID is cached only from its forward entry: a reverse entry may belong to a UID
 *       that no name leads to, and points must not be written under such a UID.
 *   <li>Data that was read before a change of names, but would be cached after it, is dropped:
 *       {@link #putUid} and {@link #putName} compare the count of changes under the same lock under
 *       which {@link #forget} increments it.
 *   <li>The count is incremented after the entries are dropped: a caller that keeps what it has
 *       derived from names by the count would else keep what it derived from a dropped entry.
 *   <li>Absences are not cached: a name created by another process is found immediately.
 *   <li>No array is shared with a caller.
 * </ul>
 */
final class UidCache {
  /**
   * The time of a read of the store, recorded before the read.
   *
   * @param changes the number of changes of names so far
   * @param keptUntil the end of the time for which the data is current, in milliseconds since the
   *     epoch
   */
  record AsOf(long changes, long keptUntil) {}

  private record Kept<V>(V value, long until) {}

  private final AtomicLong changes;
  private final LongPredicate isCurrent;

  /** Held while an entry is put or forgotten. */
  private final Object lock = new Object();

  private final Cache<String, Kept<byte[]>> uids;

  private final Cache<Bytes, Kept<String>> names;

  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  /**
   * @param changes incremented with each change of names of any kind
   * @param isCurrent whether an entry may still be used, given the time until which it is kept
   */
  UidCache(CacheSize size, AtomicLong changes, LongPredicate isCurrent) {
    this.changes = changes;
    this.isCurrent = isCurrent;
    this.uids = cache(size, (name, uid) -> size.weight(name.length()));
    this.names = cache(size, (uid, name) -> size.weight(name.value().length()));
  }

  private static <K, V> Cache<K, V> cache(CacheSize size, Weigher<K, V> weigher) {
    return CacheBuilder.newBuilder().maximumWeight(size.maximum()).weigher(weigher).build();
  }

  /** The UID of a name; null if it is not known, or no longer current. */
  byte @Nullable [] uid(String name) {
    byte[] uid = counted(uids.getIfPresent(name));
    return uid == null ? null : uid.clone();
  }

  /** The UID that a name had when it was last read, current or not; null if it is not cached. */
  byte @Nullable [] lastUid(String name) {
    Kept<byte[]> kept = uids.getIfPresent(name);
    return kept == null ? null : kept.value().clone();
  }

  /** The name of a UID; null if it is not known, or no longer current. */
  @Nullable String name(byte[] uid) {
    return counted(names.getIfPresent(new Bytes(uid)));
  }

  private <V> @Nullable V counted(@Nullable Kept<V> kept) {
    V value = current(kept);
    (value == null ? misses : hits).increment();
    return value;
  }

  UidCacheUse use() {
    return new UidCacheUse(uids.size() + names.size(), hits.sum(), misses.sum());
  }

  private <V> @Nullable V current(@Nullable Kept<V> kept) {
    return kept != null && isCurrent.test(kept.until()) ? kept.value() : null;
  }

  /**
   * Caches a forward entry; also as the UID's name, unless a reverse entry with another name is
   * cached.
   */
  void putUid(String name, byte[] uid, AsOf asOf) {
    byte[] own = uid.clone();
    Bytes key = new Bytes(own);
    synchronized (lock) {
      if (changes.get() == asOf.changes()) {
        uids.put(name, new Kept<>(own, asOf.keptUntil()));
        if (current(names.getIfPresent(key)) == null) {
          names.put(key, new Kept<>(name, asOf.keptUntil()));
        }
      }
    }
  }

  /** Caches a reverse entry. */
  void putName(byte[] uid, String name, AsOf asOf) {
    synchronized (lock) {
      if (changes.get() == asOf.changes()) {
        names.put(new Bytes(uid.clone()), new Kept<>(name, asOf.keptUntil()));
      }
    }
  }

  /** Forgets a name that was found to have no UID. */
  void drop(String name) {
    uids.invalidate(name);
  }

  /** Drops a UID and the changed names after a change, and the results of reads in progress. */
  void forget(byte[] uid, String... changed) {
    synchronized (lock) {
      for (String name : changed) {
        uids.invalidate(name);
      }
      names.invalidate(new Bytes(uid));
      changes.incrementAndGet();
    }
  }

  /** Drops all entries, and the results of reads in progress. */
  void clear() {
    synchronized (lock) {
      uids.invalidateAll();
      names.invalidateAll();
      changes.incrementAndGet();
    }
  }
}
