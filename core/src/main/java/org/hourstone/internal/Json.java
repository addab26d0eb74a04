package org.hourstone.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * JSON in the form OpenTSDB stores and answers it: UTF-8, no blanks, fields in the order they were
 * put. Thread-safe.
 */
public final class Json {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  /** An object to put fields into. */
  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /**
   * @throws IllegalArgumentException if the text is not JSON, saying what and where
   */
  public static JsonNode read(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw notJson(e);
    }
  }

  /**
   * @throws IllegalArgumentException if the bytes are not JSON, saying what and where
   */
  public static JsonNode read(byte[] utf8) {
    try {
      return MAPPER.readTree(utf8);
    } catch (JsonProcessingException e) {
      throw notJson(e);
    } catch (IOException e) {
      throw new IllegalArgumentException("not JSON: " + e.getMessage(), e);
    }
  }

  /** The text of a value. */
  public static String text(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("can't be written as JSON: " + value, e);
    }
  }

  /** The text of a value in UTF-8. */
  public static byte[] bytes(Object value) {
    return text(value).getBytes(StandardCharsets.UTF_8);
  }

  private static IllegalArgumentException notJson(JsonProcessingException e) {
    String where =
        e.getLocation() == null
            ? ""
            : " (line "
                + e.getLocation().getLineNr()
                + ", column "
                + e.getLocation().getColumnNr()
                + ")";
    return new IllegalArgumentException("not JSON: " + e.getOriginalMessage() + where, e);
  }
}
