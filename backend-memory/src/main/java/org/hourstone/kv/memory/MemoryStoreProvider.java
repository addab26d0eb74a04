package org.hourstone.kv.memory;

import java.util.Set;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStoreProvider;
import org.hourstone.kv.StoreOptions;
import org.hourstone.kv.StoreUri;
import org.hourstone.kv.memory.MemoryStore.Promises;
import org.jspecify.annotations.Nullable;

/**
 * Opens {@code memory:name}, with data shared under that name within the JVM, and {@code memory:},
 * with data of its own. The parameter {@code like=hbase} selects {@link
 * MemoryStore.Promises#LIKE_HBASE}.
 */
public final class MemoryStoreProvider implements KeyValueStoreProvider {
  private static final String LIKE = "like";

  /** For {@link java.util.ServiceLoader}. */
  public MemoryStoreProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("memory");
  }

  @Override
  public KeyValueStore open(StoreUri uri, StoreOptions options) {
    uri.allowOnly(Set.of(LIKE));
    String name = uri.location();
    Promises promises = promises(uri.parameter(LIKE));
    return name.isEmpty()
        ? MemoryStore.open(options, promises)
        : MemoryStore.openShared(name, options, promises);
  }

  private static Promises promises(@Nullable String like) {
    if (like == null) {
      return Promises.FULL;
    }
    if (like.equals("hbase")) {
      return Promises.LIKE_HBASE;
    }
    throw new IllegalArgumentException("store parameter like=" + like + ": must be hbase");
  }
}
