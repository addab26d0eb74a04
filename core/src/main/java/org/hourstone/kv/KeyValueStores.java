package org.hourstone.kv;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Opens stores by URI, with the providers on the class path.
 *
 * <p>Providers are looked up on every call, first with this class's loader and then with the
 * thread's context loader: a static list would not have those of modules that a container loads
 * later.
 */
public final class KeyValueStores {
  /** The artifacts of this project, so that the message can name the missing one. */
  private static final Map<String, String> ARTIFACTS =
      new TreeMap<>(
          Map.of(
              "memory", "hourstone-backend-memory",
              "rocksdb", "hourstone-backend-rocksdb",
              "hbase", "hourstone-backend-hbase"));

  private KeyValueStores() {}

  /** As {@link #open(String, StoreOptions)} with default options. */
  public static KeyValueStore open(String uri) {
    return open(uri, StoreOptions.defaults());
  }

  /**
   * Opens the store a URI names, such as {@code memory:name}, {@code rocksdb:/path?sync=true} or
   * {@code hbase://zk1,zk2:2181/hbase}.
   *
   * @throws IllegalArgumentException if the URI is malformed, has an unknown parameter, or a scheme
   *     without a provider; the message lists the known ones
   * @throws StoreException if the store cannot be opened
   */
  public static KeyValueStore open(String uri, StoreOptions options) {
    StoreUri parsed = StoreUri.parse(uri);
    Map<String, KeyValueStoreProvider> providers = providers();
    KeyValueStoreProvider provider = providers.get(parsed.scheme());
    if (provider == null) {
      throw new IllegalArgumentException(unknownScheme(uri, parsed.scheme(), providers));
    }
    return provider.open(parsed, options);
  }

  private static String unknownScheme(
      String uri, String scheme, Map<String, KeyValueStoreProvider> providers) {
    String artifact = ARTIFACTS.get(scheme);
    return "no store for scheme '"
        + scheme
        + "' of '"
        + uri
        + "'; found: "
        + (providers.isEmpty() ? "none" : String.join(", ", providers.keySet()))
        + (artifact == null ? "" : "; add the artifact org.hourstone:" + artifact);
  }

  private static Map<String, KeyValueStoreProvider> providers() {
    Map<String, KeyValueStoreProvider> found = new TreeMap<>();
    addProviders(found, KeyValueStores.class.getClassLoader());
    addProviders(found, Thread.currentThread().getContextClassLoader());
    return new LinkedHashMap<>(found);
  }

  private static void addProviders(
      Map<String, KeyValueStoreProvider> found, @Nullable ClassLoader loader) {
    for (KeyValueStoreProvider provider : ServiceLoader.load(KeyValueStoreProvider.class, loader)) {
      for (String scheme : provider.schemes()) {
        KeyValueStoreProvider other = found.putIfAbsent(scheme, provider);
        if (other != null && other.getClass() != provider.getClass()) {
          throw new IllegalStateException(
              "two providers for scheme '"
                  + scheme
                  + "': "
                  + other.getClass().getName()
                  + " and "
                  + provider.getClass().getName());
        }
      }
    }
  }
}
