package org.hourstone.kv;

import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * The codecs on the class path. A store whose cells were coded finds the codec here, so that it can
 * be read by a program that does not {@linkplain KeyValueStore#ensure ensure} its families. Codecs
 * are looked up as {@link KeyValueStores providers of stores} are.
 */
public final class FamilyCodecs {
  private FamilyCodecs() {}

  /** The codec of this name; null if the class path does not have it. */
  public static @Nullable FamilyCodec find(String name) {
    FamilyCodec found = find(name, FamilyCodecs.class.getClassLoader());
    return found != null ? found : find(name, Thread.currentThread().getContextClassLoader());
  }

  private static @Nullable FamilyCodec find(String name, @Nullable ClassLoader loader) {
    for (FamilyCodec codec : ServiceLoader.load(FamilyCodec.class, loader)) {
      if (codec.name().equals(name)) {
        return codec;
      }
    }
    return null;
  }
}
