package org.hourstone.api.request;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hourstone.error.RequestException;

/**
 * One request of the HTTP API.
 *
 * @param method such as POST; that of {@code method_override}, if given
 * @param path such as {@code /api/put}, without a version and without the query string
 * @param parameters of the query string, decoded, in their order
 * @param body as text; empty for none
 * @param contentType of the body, as HTTP's header says it; empty if that is not given
 * @param client is notified when the client has disconnected
 * @param roles of the client
 */
public record ApiCall(
    String method,
    String path,
    Map<String, List<String>> parameters,
    String body,
    String contentType,
    Disconnection client,
    Set<Role> roles) {
  private static final String VERSIONED = "/api/v1/";

  /** As {@link #of(String, String, String, Disconnection)}, for a client that never disconnects. */
  public static ApiCall of(String method, String uri, String body) {
    return of(method, uri, body, new Disconnection());
  }

  /** As {@link #of(String, String, String, Disconnection, Set)}, for a client with all roles. */
  public static ApiCall of(String method, String uri, String body, Disconnection client) {
    return of(method, uri, body, client, Role.all());
  }

  /**
   * Parses a request.
   *
   * @param uri path and query string, such as {@code /api/put?details}
   * @throws RequestException if the query string is badly encoded
   */
  public static ApiCall of(
      String method, String uri, String body, Disconnection client, Set<Role> roles) {
    int question = uri.indexOf('?');
    String path = question < 0 ? uri : uri.substring(0, question);
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    if (question >= 0) {
      for (String part : uri.substring(question + 1).split("[&;]")) {
        if (!part.isEmpty()) {
          int equals = part.indexOf('=');
          String name = decoded(equals < 0 ? part : part.substring(0, equals));
          String value = equals < 0 ? "" : decoded(name, part.substring(equals + 1));
          parameters.computeIfAbsent(name, n -> new ArrayList<>(1)).add(value);
        }
      }
    }
    List<String> override = parameters.getOrDefault("method_override", List.of());
    return new ApiCall(
        method.equals("GET") && !override.isEmpty()
            ? override.get(0).toUpperCase(Locale.ROOT)
            : method,
        withoutVersion(path),
        parameters,
        body,
        "",
        client,
        roles);
  }

  /**
   * Whether all of the query string could be decoded.
   *
   * @param uri the call's
   */
  public boolean isText(String uri) {
    boolean mayBeReplaced =
        parameters.keySet().stream().anyMatch(ApiCall::isReplaced)
            || parameters.values().stream().flatMap(List::stream).anyMatch(ApiCall::isReplaced);
    return !mayBeReplaced || uri.toUpperCase(Locale.ROOT).contains("%EF%BF%BD");
  }

  private static boolean isReplaced(String text) {
    return text.indexOf('\uFFFD') >= 0;
  }

  /** A path as if it had no version. */
  public static String withoutVersion(String path) {
    return path.startsWith(VERSIONED) ? "/api/" + path.substring(VERSIONED.length()) : path;
  }

  /** The same with a body. */
  public ApiCall withBody(String text) {
    return new ApiCall(method, path, parameters, text, contentType, client, roles);
  }

  /** The same with another path. */
  public ApiCall withPath(String other) {
    return new ApiCall(method, other, parameters, body, contentType, client, roles);
  }

  /** The same with a type of its body. */
  public ApiCall withContentType(String type) {
    return new ApiCall(method, path, parameters, body, type, client, roles);
  }

  /** The same with other parameters. */
  public ApiCall withParameters(Map<String, List<String>> others) {
    return new ApiCall(method, path, others, body, contentType, client, roles);
  }

  /** Whether a parameter is present, with any value. */
  public boolean has(String parameter) {
    return parameters.containsKey(parameter);
  }

  /** The last value given for a parameter. */
  public Optional<String> parameter(String name) {
    List<String> values = parameters.getOrDefault(name, List.of());
    return values.isEmpty() ? Optional.empty() : Optional.of(values.get(values.size() - 1));
  }

  /**
   * A required parameter.
   *
   * @throws ApiException 400 if it is not, or empty
   */
  public String required(String name) {
    return parameter(name)
        .filter(value -> !value.isEmpty())
        .orElseThrow(
            () ->
                new ApiException(
                    ApiException.BAD_REQUEST, "Missing parameter <code>" + name + "</code>"));
  }

  /** The value of a parameter; that of a password is not in a message, which may be logged. */
  private static String decoded(String name, String text) {
    try {
      return decoded(text);
    } catch (RequestException e) {
      throw name.equals("p") ? new RequestException("badly encoded: the value of p") : e;
    }
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new RequestException("badly encoded: " + text, e);
    }
  }
}
