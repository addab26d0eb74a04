package org.hourstone.api.otlp;

import com.fasterxml.jackson.databind.JsonNode;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.internal.Json;

/** Errors as OTLP's exporters read them: each is a {@code google.rpc.Status}. */
public final class OtlpErrors {
  static final String METRICS = "/v1/metrics";

  private OtlpErrors() {}

  /** Whether a path is one of OTLP's. */
  public static boolean has(String path) {
    return path.equals(METRICS);
  }

  /** The code of {@code google.rpc.Status} for a status of HTTP. */
  static int code(int status) {
    return switch (status) {
      case ApiException.BAD_REQUEST, ApiException.UNSUPPORTED_TYPE -> 3;
      case ApiException.UNAUTHORIZED -> 16;
      case ApiException.FORBIDDEN -> 7;
      case ApiException.NOT_FOUND -> 5;
      case 405 -> 12;
      case 408 -> 4;
      case ApiException.TOO_LARGE, 429 -> 8;
      case ApiException.INTERNAL_ERROR -> 13;
      case ApiException.UNAVAILABLE -> 14;
      default -> 2;
    };
  }

  /**
   * A response as it is sent.
   *
   * @param contentType of the request, whose encoding the response has; else it is JSON
   */
  public static ApiResponse sent(String contentType, ApiResponse response) {
    boolean isError = response.status() >= ApiException.BAD_REQUEST && response.isComplete();
    if (!isError || !response.contentType().startsWith(Encoding.JSON.type())) {
      return response;
    }
    JsonNode error = Json.read(response.body()).path("error");
    if (!error.isObject()) {
      return response;
    }
    String details = error.path("details").asText();
    String message = error.path("message").asText() + (details.isEmpty() ? "" : ": " + details);
    Encoding encoding = Encoding.known(contentType).orElse(Encoding.JSON);
    ApiResponse sent =
        encoding
            .response(response.status(), encoding.failure(code(response.status()), message))
            .counted();
    response.headers().forEach(sent::withHeader);
    return sent;
  }
}
