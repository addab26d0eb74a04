package org.hourstone.testing.beside;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URLEncoder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hourstone.testing.golden.RequestPort;

/**
 * A request that both sides get.
 *
 * @param kind what is drawn, as the report calls it
 * @param method of HTTP; {@link #TELNET} if the body is lines of telnet
 * @param path without query string; empty for telnet
 * @param parameters of the query string, in order, not encoded; a value may be null
 * @param before has each side make a state again that the request of the other may have changed
 * @param gone a path that has nothing after the request, by a GET; null if nothing is deleted
 */
record Request(
    String kind,
    String method,
    String path,
    List<Parameter> parameters,
    String body,
    Optional<Request> before,
    Optional<Request> gone) {
  static final String TELNET = "telnet";

  /** The end of the kind of a request that was spoilt. */
  static final String MALFORMED = "-malformed";

  /**
   * @param value empty if there is only a name
   */
  record Parameter(String name, Optional<String> value) {
    String encoded() {
      return name + value.map(text -> "=" + URLEncoder.encode(text, UTF_8)).orElse("");
    }
  }

  static Parameter parameter(String name, Object value) {
    return new Parameter(name, Optional.of(value.toString()));
  }

  static Parameter flag(String name) {
    return new Parameter(name, Optional.empty());
  }

  static Request get(String kind, String path, Parameter... parameters) {
    return get(kind, path, List.of(parameters));
  }

  static Request get(String kind, String path, List<Parameter> parameters) {
    return of(kind, "GET", path, parameters, "");
  }

  static Request of(
      String kind, String method, String path, List<Parameter> parameters, String body) {
    return new Request(
        kind, method, path, List.copyOf(parameters), body, Optional.empty(), Optional.empty());
  }

  Request after(Request preparation) {
    return new Request(kind, method, path, parameters, body, Optional.of(preparation), gone);
  }

  Request removing(Request found) {
    return new Request(kind, method, path, parameters, body, before, Optional.of(found));
  }

  String uri() {
    return parameters.isEmpty()
        ? path
        : path + "?" + parameters.stream().map(Parameter::encoded).collect(Collectors.joining("&"));
  }

  /** Whether a query of a body has both TSUIDs and filters. */
  boolean filtersTsuids() {
    try {
      for (JsonNode query : new ObjectMapper().readTree(body).path("queries")) {
        if (query.has("tsuids") && (query.has("tags") || query.has("filters"))) {
          return true;
        }
      }
      return false;
    } catch (JsonProcessingException e) {
      return false;
    }
  }

  /** What is requested. */
  String text() {
    return parameters + body;
  }

  boolean isOfHistograms() {
    return text().matches("(?s).*(percentiles|show-histogram-buckets|showHistogramBuckets).*");
  }

  /** The path without a version of the API. */
  String endpoint() {
    return path.replaceFirst("^/api/v1/", "/api/");
  }

  /** Whether it was spoilt after it was drawn. */
  boolean isMalformed() {
    return kind.endsWith(MALFORMED);
  }

  RequestPort.Response answer(RequestPort side) {
    return method.equals(TELNET)
        ? new RequestPort.Response(200, "", side.telnet(body))
        : side.http(method, uri(), Map.of(), body);
  }

  @Override
  public String toString() {
    return kind + ": " + method + " " + uri() + (body.isEmpty() ? "" : " " + body);
  }
}
