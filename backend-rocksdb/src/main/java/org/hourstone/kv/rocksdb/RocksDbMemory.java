package org.hourstone.kv.rocksdb;

/** Extension: the memory that RocksDB reports to use, outside of the Java heap. */
public interface RocksDbMemory {
  /** The figures as of now. */
  Usage usage();

  /**
   * In bytes.
   *
   * @param limit the bound the store was opened with, see {@link RocksDbOptions#memory}
   * @param cache all that counts against the bound: cached blocks, indexes, filters, and the write
   *     buffers too
   * @param pinned the part of {@code cache} that is in use and can't be evicted
   * @param writeBuffers changes not yet written to table files; contained in {@code cache}
   * @param tableReaders what open table files hold besides the cache
   */
  record Usage(long limit, long cache, long pinned, long writeBuffers, long tableReaders) {}
}
