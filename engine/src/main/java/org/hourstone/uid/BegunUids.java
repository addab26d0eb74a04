package org.hourstone.uid;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Numbers that this process has begun to assign to a name, when the store failed: the next attempt
 * goes on with the same one, so that an outage uses up at most one number of a name. Names are
 * known by a hash only, since they may be long. There are at most {@link #MOST} of a kind: before
 * numbers are begun for other names there must be {@link #lacksRoom room}, which {@link
 * UidAllocator} makes. Concurrent attempts may find the same room, so there may be a few more; one
 * that is forgotten beyond twice as many, or since another name has its hash, costs a number, and
 * nothing else. Thread-safe.
 */
final class BegunUids {
  static final int MOST = 10_000;

  /**
   * A number that may have a name in the reverse map.
   *
   * @param isAssigned whether it is known to have had it, so that the name may have been published,
   *     used and deleted since: if the number does not have it any more, it must not get it again
   */
  record Begun(byte[] number, boolean isAssigned) {}

  /** By the hash of its name. */
  record Unfinished(int hash, Begun begun) {}

  /** By kind, and by the hashes of their names, in the order in which they were begun. */
  private final Map<UidKind, Map<Integer, Begun>> begun = new EnumMap<>(UidKind.class);

  BegunUids() {
    for (UidKind kind : UidKind.values()) {
      begun.put(
          kind,
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Integer, Begun> eldest) {
              return size() > 2 * MOST;
            }
          });
    }
  }

  private Map<Integer, Begun> of(UidKind kind) {
    return requireNonNull(begun.get(kind));
  }

  synchronized void keep(UidKind kind, byte[] name, Begun unfinished) {
    of(kind).put(Arrays.hashCode(name), unfinished);
  }

  /** Keeps the eldest one again, after those that were begun since. */
  synchronized void keep(UidKind kind, Unfinished eldest) {
    of(kind).putIfAbsent(eldest.hash(), eldest.begun());
  }

  /** What was begun for a name, once; null if nothing was. It may have been for another name. */
  synchronized @Nullable Begun take(UidKind kind, byte[] name) {
    return of(kind).remove(Arrays.hashCode(name));
  }

  /** What was begun before all others, once; null if there is nothing. */
  synchronized @Nullable Unfinished takeEldest(UidKind kind) {
    Iterator<Map.Entry<Integer, Begun>> first = of(kind).entrySet().iterator();
    if (!first.hasNext()) {
      return null;
    }
    Map.Entry<Integer, Begun> eldest = first.next();
    first.remove();
    return new Unfinished(eldest.getKey(), eldest.getValue());
  }

  synchronized boolean has(UidKind kind, byte[] name) {
    return of(kind).containsKey(Arrays.hashCode(name));
  }

  /** Whether the numbers of this count of further names are too many. */
  synchronized boolean lacksRoom(UidKind kind, int names) {
    return of(kind).size() + names > MOST;
  }
}
