package org.hourstone.meta;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;
import org.jspecify.annotations.Nullable;

/** The code that both kinds of metadata share. */
final class MetaJson {
  /** The maximum size of the metadata of a name or a series. */
  static final int MOST_BYTES = 64 << 10;

  private MetaJson() {}

  static @Nullable Map<String, String> unmodifiable(@Nullable Map<String, String> custom) {
    return custom == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(custom));
  }

  /**
   * Reads a cell's value.
   *
   * @throws CorruptDataException if it is malformed
   */
  static <T> T read(byte[] value, String what, Function<JsonNode, T> read) {
    try {
      JsonNode json = Json.read(value);
      if (!json.isObject()) {
        throw new CorruptDataException(what + " that is not a JSON object");
      }
      return read.apply(json);
    } catch (RequestException e) {
      throw new CorruptDataException(what + " that can't be read: " + e.getMessage(), e);
    }
  }

  /** The earlier of two times; 0 means not set. */
  static long older(long one, long other) {
    return one == 0 || (other != 0 && other < one) ? other : one;
  }
}
