package org.hourstone.tsd.compare;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.hourstone.write.SingleLine;
import org.jspecify.annotations.Nullable;

/**
 * What a server has answered.
 *
 * @param status 0 if it did not answer
 * @param json the body; null if it is not JSON
 * @param text what is shown of an error
 * @param nanos the time until the whole answer was there
 */
record Answer(int status, @Nullable JsonNode json, String text, long nanos) {
  private static final int MOST_SHOWN = 200;

  /** They say of the server, or of what is before it, that it can't answer now. */
  private static final Set<Integer> UNABLE = Set.of(408, 429, 502, 503, 504);

  /** Values keep all their digits; OpenTSDB writes NaN. */
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .build();

  static Answer of(int status, byte[] body, long nanos) {
    JsonNode json;
    try {
      json = JSON.readTree(body);
    } catch (JsonProcessingException e) {
      json = null;
    } catch (IOException e) {
      throw new AssertionError(e); // the body is in memory
    }
    String text = new String(body, 0, Math.min(body.length, MOST_SHOWN), StandardCharsets.UTF_8);
    return new Answer(status, json == null || json.isMissingNode() ? null : json, text, nanos);
  }

  /** No answer. */
  static Answer none(String reason, long nanos) {
    return new Answer(0, null, reason, nanos);
  }

  boolean isSuccess() {
    return status / 100 == 2;
  }

  /** Whether it says nothing about the request: the same request may be answered later. */
  boolean isNone() {
    return status == 0 || UNABLE.contains(status);
  }

  /** In a sentence, what is wrong. */
  String problem() {
    if (status == 0) {
      return text;
    }
    String message = json == null ? text : json.path("error").path("message").asText(text);
    return "status " + status + (message.isBlank() ? "" : ": " + SingleLine.of(message));
  }
}
