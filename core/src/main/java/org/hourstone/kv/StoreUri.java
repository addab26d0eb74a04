package org.hourstone.kv;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Names a store: {@code scheme:location?key=value&key=value}. Not {@link java.net.URI}, which
 * refuses {@code memory:} and host lists such as {@code hbase://zk1,zk2:2181/hbase}.
 *
 * <p>The location is used verbatim, without decoding, so that paths need no escapes; parameter
 * values are URL-decoded.
 *
 * @param scheme lower-case letters, digits, {@code +}, {@code -}, {@code .}; starts with a letter
 * @param location the text between the colon and the question mark; may be empty
 * @param parameters in the order given
 */
public record StoreUri(String scheme, String location, Map<String, String> parameters) {
  public StoreUri {
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
  }

  /**
   * @throws IllegalArgumentException if {@code text} is invalid, with the reason
   */
  public static StoreUri parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 1 || !text.substring(0, colon).matches("[A-Za-z][A-Za-z0-9+.-]*")) {
      throw new IllegalArgumentException(
          "bad store URI '" + text + "': must be scheme:location, such as rocksdb:./data");
    }
    int question = text.indexOf('?', colon);
    String location = text.substring(colon + 1, question < 0 ? text.length() : question);
    Map<String, String> parameters =
        question < 0 ? Map.of() : parameters(text, text.substring(question + 1));
    return new StoreUri(text.substring(0, colon).toLowerCase(Locale.ROOT), location, parameters);
  }

  private static Map<String, String> parameters(String text, String query) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String part : query.split("&", -1)) {
      int equals = part.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException(
            "bad store URI '" + text + "': parameter '" + part + "' is not key=value");
      }
      String key = part.substring(0, equals);
      String value = URLDecoder.decode(part.substring(equals + 1), StandardCharsets.UTF_8);
      if (parameters.put(key, value) != null) {
        throw new IllegalArgumentException(
            "bad store URI '" + text + "': parameter '" + key + "' is given twice");
      }
    }
    return parameters;
  }

  /** The parameter's value, or null if it is not given. */
  public @Nullable String parameter(String key) {
    return parameters.get(key);
  }

  /**
   * The parameter's value as a boolean: true or false.
   *
   * @throws IllegalArgumentException if it is neither
   */
  public boolean flag(String key, boolean byDefault) {
    String value = parameters.get(key);
    if (value == null) {
      return byDefault;
    }
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException(
              "store parameter " + key + "=" + value + ": must be true or false");
    };
  }

  /**
   * The parameter's value as a size in bytes: digits, optionally followed by k, m or g (powers of
   * 1024).
   *
   * @throws IllegalArgumentException if it is not
   */
  public long bytes(String key, long byDefault) {
    String value = parameters.get(key);
    if (value == null) {
      return byDefault;
    }
    int shift =
        switch (value.isEmpty() ? ' ' : Character.toLowerCase(value.charAt(value.length() - 1))) {
          case 'k' -> 10;
          case 'm' -> 20;
          case 'g' -> 30;
          default -> 0;
        };
    String digits = shift == 0 ? value : value.substring(0, value.length() - 1);
    if (!digits.matches("[0-9]{1,9}")) {
      throw new IllegalArgumentException(
          "store parameter " + key + "=" + value + ": must be a size such as 512m");
    }
    return Long.parseLong(digits) << shift;
  }

  /**
   * Refuses parameters that the store does not have: a misspelt one must not be ignored.
   *
   * @throws IllegalArgumentException naming the unknown parameter and those that exist
   */
  public void allowOnly(Set<String> known) {
    for (String key : parameters.keySet()) {
      if (!known.contains(key)) {
        throw new IllegalArgumentException(
            "unknown parameter '"
                + key
                + "' for a "
                + scheme
                + " store; known: "
                + (known.isEmpty() ? "none" : String.join(", ", new TreeSet<>(known))));
      }
    }
  }

  /** {@code scheme:location}, without the parameters. */
  @Override
  public String toString() {
    return scheme + ":" + location;
  }
}
