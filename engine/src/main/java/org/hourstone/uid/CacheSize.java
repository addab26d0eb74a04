package org.hourstone.uid;

import org.hourstone.internal.HeapRoom;

/**
 * The maximum size of a cache of names.
 *
 * @param maximum entries, or bytes
 * @param inBytes the unit: bytes, or else entries
 */
record CacheSize(long maximum, boolean inBytes) {
  /**
   * The name-to-UID caches of all kinds together use this fraction of the heap; so do the
   * UID-to-name caches.
   */
  private static final int PART_OF_HEAP = 16;

  /** Memory of an entry in addition to the characters of its name. */
  private static final int ENTRY_BYTES = 200;

  /** Of a name with more characters each further part of this length counts as another entry. */
  private static final int LONG_NAME = 1024;

  /**
   * @param entries the maximum number of entries; 0 for a share of the heap
   */
  static CacheSize of(UidKind kind, int entries) {
    return entries == 0
        ? new CacheSize(share(kind, HeapRoom.bytes() / PART_OF_HEAP), true)
        : new CacheSize(entries, false);
  }

  /** Usually there are few tag keys, and tag values are the most numerous. */
  private static long share(UidKind kind, long bytes) {
    return switch (kind) {
      case METRIC -> bytes / 8 * 3;
      case TAGK -> bytes / 8;
      case TAGV -> bytes / 2;
    };
  }

  int weight(int nameLength) {
    return inBytes ? ENTRY_BYTES + nameLength : 1 + nameLength / LONG_NAME;
  }
}
