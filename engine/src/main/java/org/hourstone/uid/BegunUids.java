package org.hourstone.uid;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Numbers that this process has begun to assign to a name, when the store failed: the next attempt
 * goes on with the same one, so that an outage uses up at most one number of a name. Names are
 * known by a hash only, since they may be long, and the oldest ones are forgotten if there are
 * many: then a number is lost. Thread-safe.
 */
final class BegunUids {
  private static final int MOST = 10_000;

  /**
   * A number that may have a name in the reverse map.
   *
   * @param isAssigned whether it is known to have had it, so that the name may have been published,
   *     used and deleted since: if the number does not have it any more, it must not get it again
   */
  record Begun(byte[] number, boolean isAssigned) {}

  private record Key(UidKind kind, int hash) {
    static Key of(UidKind kind, byte[] name) {
      return new Key(kind, Arrays.hashCode(name));
    }
  }

  /** Guarded by this. */
  private final Map<Key, Begun> begun =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Begun> eldest) {
          return size() > MOST;
        }
      };

  synchronized void keep(UidKind kind, byte[] name, Begun unfinished) {
    begun.put(Key.of(kind, name), unfinished);
  }

  /** What was begun for a name, once; null if nothing was. It may have been for another name. */
  synchronized @Nullable Begun take(UidKind kind, byte[] name) {
    return begun.remove(Key.of(kind, name));
  }

  synchronized boolean has(UidKind kind, byte[] name) {
    return begun.containsKey(Key.of(kind, name));
  }
}
