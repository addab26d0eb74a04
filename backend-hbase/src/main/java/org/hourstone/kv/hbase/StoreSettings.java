package org.hourstone.kv.hbase;

import org.apache.hadoop.hbase.client.Durability;
import org.hourstone.kv.StoreUri;

/**
 * A store's settings for the use of its connection.
 *
 * @param prefix the prefix of all table names
 * @param durability the failures that an acknowledged change survives
 * @param writeBuffer the maximum number of bytes in flight to the servers
 * @param tables how tables are created
 */
record StoreSettings(String prefix, Durability durability, long writeBuffer, TableOptions tables) {
  static final String PREFIX = "prefix";
  static final String SYNC = "sync";
  static final String WRITE_BUFFER = "write.buffer";

  private static final long DEFAULT_WRITE_BUFFER = 64L << 20;
  private static final long LEAST_WRITE_BUFFER = 1 << 20;

  static StoreSettings of(StoreUri uri) {
    String prefix = uri.parameter(PREFIX);
    long writeBuffer = uri.bytes(WRITE_BUFFER, DEFAULT_WRITE_BUFFER);
    if (writeBuffer < LEAST_WRITE_BUFFER) {
      throw new IllegalArgumentException(
          "store parameter " + WRITE_BUFFER + ": must be at least 1m");
    }
    return new StoreSettings(
        prefix == null ? "" : prefix,
        uri.flag(SYNC, false) ? Durability.FSYNC_WAL : Durability.USE_DEFAULT,
        writeBuffer,
        TableOptions.of(uri));
  }
}
