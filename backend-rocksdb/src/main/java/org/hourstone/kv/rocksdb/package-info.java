/**
 * A {@link org.hourstone.kv.KeyValueStore} on an embedded RocksDB, one directory per store, one
 * process at a time. How cells lie in RocksDB is told by {@code FlatKeys} and {@code StampedValue};
 * why, by {@code docs/adr/0003-rocksdb-mapping.md}; how to run it, by {@code docs/rocksdb.md}.
 */
@NullMarked
package org.hourstone.kv.rocksdb;

import org.jspecify.annotations.NullMarked;
