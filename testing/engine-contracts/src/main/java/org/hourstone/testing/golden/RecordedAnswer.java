package org.hourstone.testing.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;

/**
 * Compares an answer with the recorded one: the status, and the body as JSON values, so that the
 * order of fields and the form of numbers don't matter.
 *
 * <p>Two things are not compared: the run's clock, and the text of an error that begins with the
 * name of a class; see {@link QuotedClasses}.
 */
final class RecordedAnswer {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> CLOCKS =
      Set.of("created", "lastReceived", "timestamp", "startTime", "endTime");

  private RecordedAnswer() {}

  /** The request that was answered; a body that is an object was sent as its JSON. */
  static ApiCall call(JsonNode recorded) {
    JsonNode body = recorded.path("body");
    return ApiCall.of(
        recorded.required("method").asText(),
        recorded.required("path").asText(),
        body.isContainerNode() ? body.toString() : body.asText(""));
  }

  static void compare(String what, JsonNode recorded, ApiResponse answer) {
    String body = recorded.path("response").asText();
    assertThat(answer.status())
        .describedAs("%s: status, where the bodies are %s and %s", what, body, answer.body())
        .isEqualTo(recorded.required("status").asInt());
    JsonNode expected = parse(body);
    JsonNode actual = parse(answer.body());
    if (QuotedClasses.firstIn(expected.path("error").asText()) == 0) { // of a renaming
      ((ObjectNode) expected).remove("error");
      ((ObjectNode) actual).remove("error");
    }
    for (String field : List.of("message", "details")) {
      if (QuotedClasses.firstIn(expected.path("error").path(field).asText()) == 0) {
        ((ObjectNode) expected.get("error")).remove(field);
        ((ObjectNode) actual.path("error")).remove(field);
      }
    }
    assertThat(actual).describedAs("%s: body", what).isEqualTo(expected);
  }

  static JsonNode parse(String body) {
    try {
      return masked(body.isEmpty() ? JSON.missingNode() : JSON.readTree(body));
    } catch (JsonProcessingException e) {
      throw new AssertionError("an answer that is not JSON: " + body, e);
    }
  }

  private static JsonNode masked(JsonNode json) {
    if (json instanceof ArrayNode array) {
      array.forEach(RecordedAnswer::masked);
    } else if (json instanceof ObjectNode object) {
      for (String field : CLOCKS) {
        JsonNode time = object.path(field);
        if (RunClock.isSeconds(time.asLong()) || RunClock.isMillis(time.asLong())) {
          object.put(field, "now");
        }
      }
      object.forEach(RecordedAnswer::masked);
    }
    return json;
  }
}
