package org.hourstone.bench;

import java.io.IOException;

/** A kind of store that is measured, beside the library below it. */
interface Subject extends AutoCloseable {
  /**
   * One of rocksdb and hbase, which is started.
   *
   * @param uriParameters of RocksDB's URIs, such as {@code ?coded=false}; may be empty
   */
  static Subject of(String store, WorkDirectory work, String uriParameters) throws IOException {
    return switch (store) {
      case "rocksdb" -> () -> new RocksDbPlace(work.inner("store"), uriParameters);
      case "hbase" -> HBaseSubject.start();
      default -> throw new UsageException("store '" + store + "': must be rocksdb or hbase");
    };
  }

  /** A new one, empty. */
  Place place() throws IOException;

  /** CPU seconds of the store's own process; 0 if it is in ours. */
  default double serverCpu() {
    return 0;
  }

  @Override
  default void close() throws IOException {}
}
