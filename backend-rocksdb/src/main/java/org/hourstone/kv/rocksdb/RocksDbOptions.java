package org.hourstone.kv.rocksdb;

import java.util.Set;
import org.hourstone.kv.StoreUri;

/**
 * The options of a RocksDB store.
 *
 * @param memory bytes RocksDB may use for its caches and write buffers together, at least {@link
 *     #MIN_MEMORY}; a target that is exceeded only while flushing cannot keep up
 * @param sync whether a change is acknowledged only when it is on the disk, so that it survives the
 *     loss of power and not only the death of the process
 * @param readOnly whether the store is only read, as it is when it is opened; another process may
 *     have it open and write
 */
public record RocksDbOptions(long memory, boolean sync, boolean readOnly) {
  /** 256 MiB. */
  public static final long DEFAULT_MEMORY = 256L << 20;

  /** 8 MiB: less would be spent on empty write buffers. */
  public static final long MIN_MEMORY = 8L << 20;

  /**
   * @throws IllegalArgumentException if the memory is too little
   */
  public RocksDbOptions {
    if (memory < MIN_MEMORY) {
      throw new IllegalArgumentException(
          "memory of " + memory + " bytes for a RocksDB store: must be at least 8m");
    }
  }

  /** {@link #DEFAULT_MEMORY}, not synced. */
  public static RocksDbOptions defaults() {
    return new RocksDbOptions(DEFAULT_MEMORY, false, false);
  }

  public RocksDbOptions memory(long bytes) {
    return new RocksDbOptions(bytes, sync, readOnly);
  }

  public RocksDbOptions sync(boolean everyChange) {
    return new RocksDbOptions(memory, everyChange, readOnly);
  }

  public RocksDbOptions readOnly(boolean only) {
    return new RocksDbOptions(memory, sync, only);
  }

  /**
   * The options given as parameters of a store URI: {@code memory}, {@code sync}, {@code readonly}.
   */
  static RocksDbOptions of(StoreUri uri) {
    uri.allowOnly(Set.of("memory", "sync", "readonly"));
    return new RocksDbOptions(
        uri.bytes("memory", DEFAULT_MEMORY), uri.flag("sync", false), uri.flag("readonly", false));
  }
}
