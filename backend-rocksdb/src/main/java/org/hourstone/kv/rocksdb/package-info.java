/**
 * A {@link org.hourstone.kv.KeyValueStore} on an embedded RocksDB, one directory per store, one
 * process at a time. How cells are stored in RocksDB is described in {@code FlatKeys} and {@code
 * StampedValue}, why in {@code docs/adr/0003-rocksdb-mapping.md}, and how to run it in {@code
 * docs/rocksdb.md}.
 */
@NullMarked
package org.hourstone.kv.rocksdb;

import org.jspecify.annotations.NullMarked;
