package org.hourstone.meta;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;
import org.jspecify.annotations.Nullable;

/** The JSON that both kinds of metadata share. */
final class MetaJson {
  private MetaJson() {}

  /** Puts the custom fields in the order OpenTSDB stores them in, which is that of a HashMap. */
  static void putCustom(ObjectNode json, @Nullable Map<String, String> custom) {
    if (custom == null) {
      json.putNull("custom");
      return;
    }
    Map<String, String> map = new HashMap<>();
    custom.forEach(map::put); // one by one: the order depends on how it grew
    json.set("custom", Json.object(map));
  }

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

  /** The given text, or the stored one if it is empty. */
  static String or(String said, String stored) {
    return said.isEmpty() ? stored : said;
  }

  /** The older of two times, of which 0 is not set. */
  static long older(long one, long other) {
    return one == 0 || (other != 0 && other < one) ? other : one;
  }
}
