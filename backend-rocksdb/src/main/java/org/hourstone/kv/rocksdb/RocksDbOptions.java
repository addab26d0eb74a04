package org.hourstone.kv.rocksdb;

import java.util.Objects;
import java.util.Set;
import org.hourstone.kv.StoreUri;

/**
 * The options of a RocksDB store.
 *
 * @param memory the number of bytes RocksDB may use for its caches and write buffers together, at
 *     least {@link #MIN_MEMORY}; a target that is exceeded only while flushes cannot keep up
 * @param sync whether a change is acknowledged only when it is on disk, so that it survives a loss
 *     of power and not only a crash of the process
 * @param readOnly whether the store is only read, in its state when it is opened; another process
 *     may have it open and write
 * @param coded whether the cells of newly created families are stored coded, if there is a codec
 *     for them; an existing family does not change
 * @param recover whether a store whose write-ahead logs are not complete is opened with the changes
 *     before the first one that is missing; the rest is moved away. Not allowed if it is only read
 * @param partial whether a store with missing or corrupt table files is opened all the same, and
 *     only reads that need them fail. Only allowed if it is only read
 */
public record RocksDbOptions(
    long memory, boolean sync, boolean readOnly, boolean coded, boolean recover, boolean partial) {
  /** 256 MiB. */
  public static final long DEFAULT_MEMORY = 256L << 20;

  /** 8 MiB: a smaller amount would be used up by empty write buffers. */
  public static final long MIN_MEMORY = 8L << 20;

  /**
   * @throws IllegalArgumentException if the memory is less than {@link #MIN_MEMORY}, or the store
   *     would be both recovered and only read, or read in part and written
   */
  public RocksDbOptions {
    if (memory < MIN_MEMORY) {
      throw new IllegalArgumentException(
          "memory of " + memory + " bytes for a RocksDB store: must be at least 8m");
    }
    if (recover && readOnly) {
      throw new IllegalArgumentException(
          "recover=prefix changes the store, so it can't be combined with readonly");
    }
    if (partial && !readOnly) {
      throw new IllegalArgumentException("only a store that is only read can be read in part");
    }
  }

  /** {@link #DEFAULT_MEMORY}, not synced, coded. */
  public static RocksDbOptions defaults() {
    return new RocksDbOptions(DEFAULT_MEMORY, false, false, true, false, false);
  }

  public RocksDbOptions memory(long bytes) {
    return new RocksDbOptions(bytes, sync, readOnly, coded, recover, partial);
  }

  public RocksDbOptions sync(boolean everyChange) {
    return new RocksDbOptions(memory, everyChange, readOnly, coded, recover, partial);
  }

  public RocksDbOptions readOnly(boolean only) {
    return new RocksDbOptions(memory, sync, only, coded, recover, partial && only);
  }

  public RocksDbOptions coded(boolean newFamilies) {
    return new RocksDbOptions(memory, sync, readOnly, newFamilies, recover, partial);
  }

  public RocksDbOptions recover(boolean prefix) {
    return new RocksDbOptions(memory, sync, readOnly, coded, prefix, partial);
  }

  /**
   * The options given as parameters of a store URI: {@code memory}, {@code sync}, {@code readonly},
   * {@code coded}, {@code recover}.
   */
  static RocksDbOptions of(StoreUri uri) {
    uri.allowOnly(Set.of("memory", "sync", "readonly", "coded", "recover"));
    String recover = uri.parameter("recover");
    if (recover != null && !recover.equals("prefix")) {
      throw new IllegalArgumentException("store parameter recover=" + recover + ": must be prefix");
    }
    String readOnly = Objects.requireNonNullElse(uri.parameter("readonly"), "false");
    if (!Set.of("true", "false", "partial").contains(readOnly)) {
      throw new IllegalArgumentException(
          "store parameter readonly=" + readOnly + ": must be true, false or partial");
    }
    return new RocksDbOptions(
        uri.bytes("memory", DEFAULT_MEMORY),
        uri.flag("sync", false),
        !readOnly.equals("false"),
        uri.flag("coded", true),
        recover != null,
        readOnly.equals("partial"));
  }
}
