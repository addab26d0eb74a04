package org.hourstone.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hourstone.internal.Json;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of {@code /api/put} and the like: a point, or an array of points. As lenient as
 * OpenTSDB: unknown fields are ignored, numbers may be in quotes, text may be without quotes, and
 * any text after the body's value is ignored. If the body can't be read, nothing is written.
 */
final class PutBody {
  private final JsonParser json;
  private final Set<String> fields;

  private PutBody(JsonParser json, Set<String> fields) {
    this.json = json;
    this.fields = fields;
  }

  /**
   * The points of a body, null for each {@code null} among them.
   *
   * @param fields names of further fields to keep, in addition to those of every point
   * @throws ApiException if it is invalid, with the reason and the place
   */
  static List<@Nullable PutPoint> read(String body, Set<String> fields) {
    String start = body.stripLeading();
    if (start.isEmpty()) {
      throw new ApiException(ApiException.BAD_REQUEST, "Missing request content");
    }
    if (start.charAt(0) != '{' && start.charAt(0) != '[') {
      throw new ApiException(
          ApiException.BAD_REQUEST, "The JSON must start as an object or an array");
    }
    try (JsonParser json = Json.parser(body)) {
      List<@Nullable PutPoint> points = new PutBody(json, fields).points();
      if (points.isEmpty()) {
        throw new ApiException(ApiException.BAD_REQUEST, "No datapoints found in content");
      }
      return points;
    } catch (JsonProcessingException e) {
      throw RequestBody.unparsable(Json.complaint(e));
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }

  /** Whether a body that begins with a text may be valid. */
  static boolean isBeginning(String text, Set<String> fields) {
    try (JsonParser json = Json.parser(text)) {
      new PutBody(json, fields).points();
      return true;
    } catch (JsonEOFException e) {
      return true;
    } catch (IOException | ApiException e) {
      return false; // it is not JSON, or not that of points
    }
  }

  private List<@Nullable PutPoint> points() throws IOException {
    List<@Nullable PutPoint> points = new ArrayList<>();
    if (json.nextToken() == JsonToken.START_OBJECT) {
      points.add(point());
      return points;
    }
    while (json.nextToken() != JsonToken.END_ARRAY) {
      points.add(json.currentToken() == JsonToken.VALUE_NULL ? null : point());
    }
    return points;
  }

  private PutPoint point() throws IOException {
    require(JsonToken.START_OBJECT, "a data point");
    String metric = null;
    long timestamp = 0;
    String value = null;
    Map<String, @Nullable String> tags = null;
    Map<String, JsonNode> others = fields.isEmpty() ? Map.of() : new HashMap<>();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String field = json.currentName();
      json.nextToken();
      switch (field) {
        case "metric" -> metric = text("metric");
        case "timestamp" -> timestamp = timestamp();
        case "value" -> value = text("value");
        case "tags" -> tags = tags();
        default -> {
          if (fields.contains(field)) {
            others.put(field, Json.read(json));
          } else {
            json.skipChildren();
          }
        }
      }
    }
    return new PutPoint(metric, timestamp, value, tags, others);
  }

  /** A HashMap, because its order is the order in which new names get their UIDs. */
  private @Nullable Map<String, @Nullable String> tags() throws IOException {
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return null;
    }
    require(JsonToken.START_OBJECT, "tags");
    Map<String, @Nullable String> tags = new HashMap<>();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String tagk = json.currentName();
      json.nextToken();
      tags.put(tagk, text("a tag value"));
    }
    return tags;
  }

  private @Nullable String text(String what) throws IOException {
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return null;
    }
    if (!json.currentToken().isScalarValue()) {
      throw misplaced(what);
    }
    return json.getText();
  }

  private long timestamp() throws IOException {
    return switch (json.currentToken()) {
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> json.getLongValue();
      case VALUE_NULL -> 0;
      case VALUE_STRING -> quotedTimestamp(json.getText().strip());
      default -> throw misplaced("timestamp");
    };
  }

  private long quotedTimestamp(String text) {
    try {
      return text.isEmpty() ? 0 : Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw RequestBody.unparsable("timestamp \"" + text + "\" is not a number", json);
    }
  }

  private void require(JsonToken token, String what) {
    if (json.currentToken() != token) {
      throw misplaced(what);
    }
  }

  private ApiException misplaced(String what) {
    return RequestBody.unparsable(what + " can't be " + json.currentToken(), json);
  }
}
