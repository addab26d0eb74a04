package org.hourstone.uid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.time.Duration;
import java.time.InstantSource;
import org.hourstone.kv.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Names and UIDs of one kind that are known to be assigned to each other. Never holds an absence: a
 * name created by another process is found at once. Thread-safe.
 */
final class UidCache {
  private final Cache<String, byte[]> uids;
  private final Cache<Bytes, String> names;

  /**
   * @param forgetsAfter for how long something is held; zero for as long as there is room
   */
  UidCache(int size, Duration forgetsAfter, InstantSource clock) {
    this.uids = UidCache.<String, byte[]>builder(size, forgetsAfter, clock).build();
    this.names = UidCache.<Bytes, String>builder(size, forgetsAfter, clock).build();
  }

  private static <K, V> CacheBuilder<K, V> builder(
      int size, Duration forgetsAfter, InstantSource clock) {
    @SuppressWarnings("unchecked") // an empty builder is one of whatever types
    CacheBuilder<K, V> builder =
        (CacheBuilder<K, V>) (CacheBuilder<?, ?>) CacheBuilder.newBuilder();
    builder.maximumSize(size);
    return forgetsAfter.isZero()
        ? builder
        : builder.expireAfterWrite(forgetsAfter).ticker(nanosOf(clock));
  }

  private static Ticker nanosOf(InstantSource clock) {
    return new Ticker() {
      @Override
      public long read() {
        return clock.millis() * 1_000_000;
      }
    };
  }

  byte @Nullable [] uid(String name) {
    return uids.getIfPresent(name);
  }

  @Nullable String name(byte[] uid) {
    return names.getIfPresent(new Bytes(uid));
  }

  void put(String name, byte[] uid) {
    uids.put(name, uid);
    // As it is stored, which is not as it was asked for if letters were replaced.
    names.put(new Bytes(uid), new String(name.getBytes(ISO_8859_1), ISO_8859_1));
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
