package org.hourstone.kv;

import java.util.Set;

/**
 * The entry point of a backend. Registered in {@code
 * META-INF/services/org.hourstone.kv.KeyValueStoreProvider}, it is found by {@link
 * KeyValueStores#open}. Implementations are stateless and have a public no-argument constructor.
 */
public interface KeyValueStoreProvider {
  /** The URI schemes of this provider, such as {@code rocksdb}; no two providers share one. */
  Set<String> schemes();

  /**
   * Opens a store.
   *
   * @throws IllegalArgumentException if the location or a parameter is wrong, or a parameter is
   *     unknown
   * @throws StoreException if the store cannot be opened, with the reason in one line
   */
  KeyValueStore open(StoreUri uri, StoreOptions options);
}
