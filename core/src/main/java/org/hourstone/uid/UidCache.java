package org.hourstone.uid;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import org.hourstone.kv.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Names and UIDs of one kind that are known to be assigned to each other. Never holds an absence: a
 * name created by another process is found at once. Thread-safe.
 */
final class UidCache {
  private final Cache<String, byte[]> uids;
  private final Cache<Bytes, String> names;

  UidCache(int size) {
    this.uids = CacheBuilder.newBuilder().maximumSize(size).build();
    this.names = CacheBuilder.newBuilder().maximumSize(size).build();
  }

  byte @Nullable [] uid(String name) {
    return uids.getIfPresent(name);
  }

  @Nullable String name(byte[] uid) {
    return names.getIfPresent(new Bytes(uid));
  }

  void put(String name, byte[] uid) {
    uids.put(name, uid);
    names.put(new Bytes(uid), name);
  }

  void remove(String name, byte[] uid) {
    uids.invalidate(name);
    names.invalidate(new Bytes(uid));
  }

  void clear() {
    uids.invalidateAll();
    names.invalidateAll();
  }
}
