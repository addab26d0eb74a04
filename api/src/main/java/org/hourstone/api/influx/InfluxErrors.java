package org.hourstone.api.influx;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import java.util.stream.Collectors;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.internal.Json;
import org.hourstone.write.SingleLine;

/** Responses as InfluxDB's clients read them: errors in its form, and the headers it sends. */
public final class InfluxErrors {
  static final String WRITE = "/write";
  static final String WRITE_V2 = "/api/v2/write";
  private static final Set<String> PATHS = Set.of(WRITE, WRITE_V2, "/query", "/ping", "/health");

  /** That of the API: clients compare it with that in which something came. */
  private static final String VERSION = "1.8.0";

  private static final String JSON = "application/json";

  private InfluxErrors() {}

  /** Whether a path is one of InfluxDB's. */
  public static boolean has(String path) {
    return PATHS.contains(path);
  }

  /** The body of an error: an object with {@code error}, and in version 2 another one. */
  static ObjectNode body(String path, int status, String text) {
    return path.equals(WRITE_V2)
        ? Json.object().put("code", code(status)).put("message", text)
        : Json.object().put("error", text);
  }

  private static String code(int status) {
    return switch (status) {
      case ApiException.UNAUTHORIZED -> "unauthorized";
      case ApiException.FORBIDDEN -> "forbidden";
      case ApiException.NOT_FOUND -> "not found";
      case 405 -> "method not allowed";
      case ApiException.TOO_LARGE -> "request too large";
      case 429 -> "too many requests";
      case ApiException.UNAVAILABLE -> "unavailable";
      default -> status < ApiException.INTERNAL_ERROR ? "invalid" : "internal error";
    };
  }

  /**
   * A response as it is sent.
   *
   * @param path one of InfluxDB's
   */
  public static ApiResponse sent(String path, ApiResponse response) {
    ApiResponse sent =
        response
            .withHeader("X-Influxdb-Version", VERSION)
            .withHeader("X-Influxdb-Build", "hourstone");
    boolean isError = response.status() >= ApiException.BAD_REQUEST && response.isComplete();
    if (!isError || response.body().isEmpty() || !response.contentType().startsWith(JSON)) {
      return sent;
    }
    JsonNode body = Json.read(response.body());
    JsonNode own = body.path("error");
    String text = own.isTextual() ? own.asText() : body.path("message").asText();
    if (own.isObject()) {
      String details = own.path("details").asText();
      text = own.path("message").asText() + (details.isEmpty() ? "" : ": " + details);
      sent = sent.withText(Json.text(body(path, response.status(), text)));
    }
    return sent.withHeader("X-Influxdb-Error", ascii(SingleLine.of(text)));
  }

  private static String ascii(String text) {
    return text.chars()
        .mapToObj(c -> c < ' ' || c > '~' ? "?" : Character.toString(c))
        .collect(Collectors.joining());
  }
}
