package org.hourstone.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.async.ByteArrayFeeder;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.hourstone.error.RequestException;
import org.jspecify.annotations.Nullable;

/**
 * JSON in the form in which OpenTSDB stores and returns it: UTF-8, no blanks, fields in the order
 * they were put. Thread-safe.
 */
public final class Json {
  /**
   * The location in the parser's message, which states at length that it does not show the text.
   */
  private static final Pattern PLACE = Pattern.compile("\\[Source: [^;\\]]*; ([^\\]]*)\\]");

  private static final ObjectMapper MAPPER = JsonMapper.builder(withoutNames().build()).build();

  private static final ObjectMapper RECORDS =
      JsonMapper.builder(withoutNames().build())
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private static final JsonFactory LENIENT =
      withoutNames().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();

  /** Keeps the digits of numbers, which may be times. */
  private static final ObjectMapper REQUESTS =
      JsonMapper.builder(LENIENT)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private Json() {}

  /**
   * Does not keep the names of members: clients choose them, and the last twelve thousand, each of
   * up to 50,000 characters, would be kept for as long as the process runs.
   */
  private static JsonFactoryBuilder withoutNames() {
    return new JsonFactoryBuilder().disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES);
  }

  /** An object to put fields into. */
  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /** An array to add values to. */
  public static ArrayNode array() {
    return MAPPER.createArrayNode();
  }

  /** Reads a text token by token; NaN and Infinity are accepted as numbers. */
  public static JsonParser parser(String text) {
    try {
      return LENIENT.createParser(text);
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }

  /**
   * As {@link #parser(String)}, for the first bytes of an array, which have a text in UTF-8:
   * reading others throws a {@link java.nio.charset.CharacterCodingException}.
   */
  public static JsonParser parser(byte[] text, int length) {
    try {
      return LENIENT.createParser(
          new InputStreamReader(
              new ByteArrayInputStream(text, 0, length), StandardCharsets.UTF_8.newDecoder()));
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }

  /**
   * The value that begins at the parser's current token; its last token becomes the current one.
   */
  public static JsonNode read(JsonParser json) throws IOException {
    try {
      return REQUESTS.readTree(json);
    } catch (NumberFormatException e) { // such as 1e-9999999999
      throw new JsonParseException(json, "a number out of range", e);
    }
  }

  /**
   * Whether a text is the beginning of a JSON text that goes on.
   *
   * @param utf8 the text
   */
  public static boolean isBeginning(byte[] utf8) {
    try (JsonParser json = LENIENT.createNonBlockingByteArrayParser()) {
      ((ByteArrayFeeder) json.getNonBlockingInputFeeder()).feedInput(utf8, 0, utf8.length);
      JsonToken token = json.nextToken();
      while (token != JsonToken.NOT_AVAILABLE) {
        token = json.nextToken();
      }
      return true;
    } catch (StreamConstraintsException e) {
      return true; // a name that is too long, for example
    } catch (IOException e) {
      return false;
    }
  }

  /** Writes a text token by token; open objects and arrays are not closed. */
  public static JsonGenerator generator(Writer to) {
    try {
      return LENIENT
          .createGenerator(to)
          .disable(JsonGenerator.Feature.AUTO_CLOSE_JSON_CONTENT)
          .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
  }

  /**
   * @throws RequestException if the text is not JSON; the message has the error and its position
   */
  public static JsonNode read(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw notJson(e);
    }
  }

  /**
   * A record, from an object with a field for each of its components; null for {@code null}.
   *
   * @throws RequestException if the text is not JSON, or a field is missing, null or of another
   *     type; the message has the error and its position
   */
  public static <T extends Record> @Nullable T read(String text, Class<T> kind) {
    try {
      return RECORDS.readValue(text, kind);
    } catch (JsonMappingException e) {
      throw new RequestException("not the expected JSON: " + complaint(e), e);
    } catch (JsonProcessingException e) {
      throw notJson(e);
    }
  }

  /**
   * As {@link #read(String)}, for a text that contains only one value.
   *
   * @throws RequestException if the text is not JSON, or has anything after the value
   */
  public static JsonNode readWhole(String text) {
    try (JsonParser parser = MAPPER.createParser(text)) {
      JsonNode value = MAPPER.readTree(parser);
      if (value == null) {
        throw new RequestException("not JSON: nothing");
      }
      if (parser.nextToken() != null) {
        throw new RequestException("more than one JSON value");
      }
      return value;
    } catch (JsonProcessingException e) {
      throw notJson(e);
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }

  /**
   * The JSON of a setting.
   *
   * @param setting the JSON itself, or the path of a JSON file that ends in {@code .json}
   * @throws IllegalArgumentException if it is not JSON or the file can't be read
   */
  public static JsonNode readTextOrFile(String setting) {
    String path = setting.strip();
    try {
      return path.endsWith(".json") ? read(Files.readAllBytes(Path.of(path))) : read(setting);
    } catch (IOException e) {
      throw new IllegalArgumentException("can't read " + path + ": " + e, e);
    } catch (RequestException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /**
   * @throws RequestException if the bytes are not JSON; the message has the error and its position
   */
  public static JsonNode read(byte[] utf8) {
    try {
      return MAPPER.readTree(utf8);
    } catch (JsonProcessingException e) {
      throw notJson(e);
    } catch (IOException e) {
      throw new RequestException("not JSON: " + e.getMessage(), e);
    }
  }

  /** An object of texts, in the order of the map. */
  public static ObjectNode object(Map<String, String> texts) {
    ObjectNode object = object();
    texts.forEach(object::put);
    return object;
  }

  /**
   * The JSON of a text, a number, a boolean, an enum constant, null or a map; a map has the order
   * of a HashMap, as OpenTSDB writes it.
   */
  public static JsonNode value(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<Object, Object> hashed = new HashMap<>();
      map.forEach(hashed::put); // one by one, since the order depends on how the map grew
      return MAPPER.valueToTree(hashed);
    }
    return MAPPER.valueToTree(value);
  }

  /** JSON's null. */
  public static JsonNode nothing() {
    return MAPPER.nullNode();
  }

  /** A field's text; empty if it is absent or null. */
  public static String string(JsonNode object, String field) {
    JsonNode value = object.path(field);
    if (value.isContainerNode()) {
      throw new RequestException("'" + field + "' is not a text");
    }
    return value.isMissingNode() || value.isNull() ? "" : value.asText();
  }

  /** A field's whole number, which may be quoted; 0 if it is absent or null. */
  public static long integer(JsonNode object, String field) {
    JsonNode value = object.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return 0;
    }
    if (value.isNumber()) {
      return value.asLong();
    }
    try {
      return Long.parseLong(value.asText().strip());
    } catch (NumberFormatException e) {
      throw new RequestException("'" + field + "' is not a whole number", e);
    }
  }

  /** A field's number, which may be quoted, such as NaN; NaN if it is absent or null. */
  public static double decimal(JsonNode object, String field) {
    JsonNode value = object.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return Double.NaN;
    }
    if (value.isNumber()) {
      return value.asDouble();
    }
    try {
      return Double.parseDouble(value.asText());
    } catch (NumberFormatException e) {
      throw new RequestException("'" + field + "' is not a number", e);
    }
  }

  /** A field's object of texts, in its order; null if it is absent or null. */
  public static @Nullable Map<String, String> strings(JsonNode object, String field) {
    JsonNode value = object.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    if (!value.isObject()) {
      throw new RequestException("'" + field + "' is not an object");
    }
    Map<String, String> texts = new LinkedHashMap<>();
    value.properties().forEach(entry -> texts.put(entry.getKey(), string(value, entry.getKey())));
    return texts;
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

  private static RequestException notJson(JsonProcessingException e) {
    return new RequestException("not JSON: " + complaint(e), e);
  }

  /** The error in a text, and its position. */
  public static String complaint(JsonProcessingException e) {
    String where =
        e.getLocation() == null
            ? ""
            : " (line "
                + e.getLocation().getLineNr()
                + ", column "
                + e.getLocation().getColumnNr()
                + ")";
    return PLACE.matcher(e.getOriginalMessage()).replaceAll("$1") + where;
  }
}
