/**
 * A {@link org.hourstone.kv.KeyValueStore} in an embedded RocksDB database, with one directory per
 * store, for one process at a time. {@code FlatKeys} and {@code StampedValue} define how cells are
 * stored in RocksDB, {@code docs/adr/0003-rocksdb-mapping.md} has the reasons, and {@code
 * docs/rocksdb.md} describes its operation.
 */
@NullMarked
package org.hourstone.kv.rocksdb;

import org.jspecify.annotations.NullMarked;
