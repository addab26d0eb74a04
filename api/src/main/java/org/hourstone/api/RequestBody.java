package org.hourstone.api;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;

/** The JSON of a request. */
final class RequestBody {
  private RequestBody() {}

  /** The object in a request's body. */
  static JsonNode object(ApiCall call) {
    JsonNode json = parse(call);
    if (!json.isObject()) {
      throw unparsable("not an object");
    }
    return json;
  }

  /** The array in a request's body. */
  static JsonNode array(ApiCall call) {
    JsonNode json = parse(call);
    if (!json.isArray()) {
      throw unparsable("not an array");
    }
    return json;
  }

  private static JsonNode parse(ApiCall call) {
    try {
      return Json.read(call.body());
    } catch (RequestException e) {
      throw unparsable(e.getMessage());
    }
  }

  /** The refusal of a body that can't be read. */
  static ApiException unparsable(String why) {
    return new ApiException(ApiException.BAD_REQUEST, "Unable to parse the given JSON", why);
  }

  /** The same, with the position of the parser's token. */
  static ApiException unparsable(String why, JsonParser json) {
    return unparsable(why + position(json));
  }

  static String position(JsonParser json) {
    JsonLocation at = json.currentTokenLocation();
    return " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
  }
}
