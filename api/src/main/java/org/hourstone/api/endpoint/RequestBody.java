package org.hourstone.api.endpoint;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.internal.Json;

/** The JSON of a request. */
public final class RequestBody {
  private RequestBody() {}

  /**
   * The object in a request's body.
   *
   * @param names of the members that it may have
   */
  public static BodyValue object(ApiCall call, BodyDialect dialect, Set<String> names) {
    return anyObject(call, dialect).object(names);
  }

  /** The object in a request's body, whose members have any names. */
  public static BodyValue anyObject(ApiCall call, BodyDialect dialect) {
    JsonNode json = parse(call.body(), dialect);
    if (!json.isObject()) {
      throw unparsable("not an object");
    }
    return BodyValue.of(json, "", "", dialect);
  }

  /** The elements of the array in a request's body. */
  public static List<BodyValue> array(ApiCall call, BodyDialect dialect) {
    JsonNode json = parse(call.body(), dialect);
    if (!json.isArray()) {
      throw unparsable("not an array");
    }
    return BodyValue.of(json, "", "", dialect).elements();
  }

  private static JsonNode parse(String body, BodyDialect dialect) {
    try (JsonParser json = dialect.parser(body)) {
      if (json.nextToken() == null) {
        throw unparsable("not JSON: nothing");
      }
      JsonNode value = Json.read(json);
      checkEnd(json, dialect);
      return value;
    } catch (JsonProcessingException e) {
      throw unparsable("not JSON: " + Json.complaint(e));
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }

  /**
   * @throws ApiException if anything follows the value of a body that has one
   */
  public static void checkEnd(JsonParser json, BodyDialect dialect) throws IOException {
    if (!dialect.readsOnlyFirstValue() && json.nextToken() != null) {
      throw unparsable("more than one JSON value", json);
    }
  }

  /** The refusal of a body that can't be read. */
  public static ApiException unparsable(String why) {
    return new ApiException(ApiException.BAD_REQUEST, "Unable to parse the given JSON", why);
  }

  /** The same, with the position of the parser's token. */
  public static ApiException unparsable(String why, JsonParser json) {
    return unparsable(why + position(json));
  }

  public static String position(JsonParser json) {
    JsonLocation at = json.currentTokenLocation();
    return " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
  }
}
