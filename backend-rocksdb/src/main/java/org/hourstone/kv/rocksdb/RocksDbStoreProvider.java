package org.hourstone.kv.rocksdb;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Set;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStoreProvider;
import org.hourstone.kv.StoreOptions;
import org.hourstone.kv.StoreUri;

/**
 * Opens {@code rocksdb:DIRECTORY?memory=256m&sync=false}. The directory may be relative; the
 * default is {@code ./data}; {@code rocksdb:///var/lib/x} is the same as {@code
 * rocksdb:/var/lib/x}.
 */
public final class RocksDbStoreProvider implements KeyValueStoreProvider {
  private static final String DEFAULT_DIRECTORY = "./data";

  @Override
  public Set<String> schemes() {
    return Set.of("rocksdb");
  }

  @Override
  public KeyValueStore open(StoreUri uri, StoreOptions options) {
    return RocksDbStore.open(directory(uri), RocksDbOptions.of(uri), options);
  }

  static Path directory(StoreUri uri) {
    String location = uri.location().isEmpty() ? DEFAULT_DIRECTORY : uri.location();
    if (location.startsWith("//")) {
      location = location.substring(2);
      if (!location.startsWith("/")) {
        throw new IllegalArgumentException(
            "bad store URI '" + uri + "': a RocksDB store has no host; write rocksdb:/path");
      }
    }
    try {
      return Path.of(location);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("bad store URI '" + uri + "': " + e.getMessage(), e);
    }
  }
}
