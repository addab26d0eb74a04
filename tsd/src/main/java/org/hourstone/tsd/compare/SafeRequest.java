package org.hourstone.tsd.compare;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A request that only reads. No other is ever sent, whatever a file says: one of the servers may be
 * in production.
 *
 * @param method GET or POST
 * @param target path and query string, with all characters that a URI can't have encoded
 * @param body empty for none
 */
record SafeRequest(String method, String target, String body) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Of parameters. Servers such as OpenTSDB also take the second. */
  static final Pattern SEPARATOR = Pattern.compile("[&;]");

  private static final Pattern RESOLVE = Pattern.compile("(^|[&;])resolve(=|[&;]|$)");

  private static final Set<String> CHANGES = Set.of("delete", "method_override");

  private static final String LAST = "/api/query/last";

  private static final Set<String> PATHS =
      Set.of(
          "/api/aggregators",
          "/api/query",
          "/api/query/exp",
          "/api/query/gexp",
          LAST,
          "/api/search/lookup",
          "/api/suggest");

  /** A GET request. */
  static SafeRequest get(String target, RequestTimes times) {
    return of("GET", target, "", times);
  }

  /** A POST request to {@code /api/query}. */
  static SafeRequest query(JsonNode body, RequestTimes times) {
    return of("POST", "/api/query", body.toString(), times);
  }

  /**
   * A request, its relative times replaced.
   *
   * @param target a path with a query string, or a URL
   * @throws UnusableRequestException if it is not a known request that only reads
   */
  static SafeRequest of(String method, String target, String body, RequestTimes times) {
    if (!(method.equals("GET") || method.equals("POST"))) {
      throw new UnusableRequestException("method " + method + " is not GET or POST");
    }
    String local = target.replaceFirst("^https?://[^/]*", "");
    String path = path(local);
    if (!PATHS.contains(path)) {
      throw new UnusableRequestException("not a request for data");
    }
    String text = body.strip();
    if (text.isEmpty() && method.equals("POST")) {
      throw new UnusableRequestException("the body of a POST is not there");
    }
    boolean hasRange = path.equals("/api/query") || path.equals("/api/query/gexp");
    String query = local.contains("?") ? local.substring(local.indexOf('?') + 1) : "";
    refuseChanges(query);
    if (hasRange && text.isEmpty()) {
      query = times.fixIn(query);
    } else if (path.equals(LAST) && text.isEmpty() && !RESOLVE.matcher(query).find()) {
      query += "&resolve=true"; // else the answer has only UIDs, which each server has of its own
    }
    return new SafeRequest(
        method,
        encode(beforeQuery(local) + (query.isEmpty() ? "" : "?" + query)),
        text.isEmpty() ? "" : body(path, text, times));
  }

  /** Without the version of the API. */
  private static String path(String target) {
    return beforeQuery(target).replaceFirst("^/api/v\\d+/", "/api/");
  }

  private static String beforeQuery(String target) {
    return target.contains("?") ? target.substring(0, target.indexOf('?')) : target;
  }

  private static void refuseChanges(String query) {
    for (String pair : SEPARATOR.split(query)) {
      // Not by a regular expression, whose dot leaves out letters that may end a line.
      String name = pair.contains("=") ? pair.substring(0, pair.indexOf('=')) : pair;
      // An encoded name could be one of these, and no client encodes the others.
      if (CHANGES.contains(name.toLowerCase(Locale.ROOT)) || name.contains("%")) {
        throw new UnusableRequestException("parameter " + name + ": it may not only read");
      }
    }
  }

  private static String body(String path, String text, RequestTimes times) {
    JsonNode body;
    try {
      body = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new UnusableRequestException("the body is not JSON");
    }
    if (!(body instanceof ObjectNode object)) {
      throw new UnusableRequestException("the body is not an object");
    }
    refuseDelete(object);
    if (object.get("time") instanceof ObjectNode time) {
      times.fixIn(time);
    } else if (object.has("start")) {
      times.fixIn(object);
    }
    if (path.equals(LAST) && !object.has("resolveNames")) {
      object.put("resolveNames", true);
    }
    return object.toString();
  }

  /**
   * Only {@code false} is certain to be false for each server, which may read texts and numbers,
   * too.
   *
   * @throws UnusableRequestException if a body may say that points are to be deleted
   */
  static void refuseDelete(JsonNode body) {
    JsonNode delete = body.path("delete");
    boolean isOff = delete.isBoolean() && !delete.booleanValue();
    if (!isOff && !delete.isMissingNode() && !delete.isNull()) {
      throw new UnusableRequestException("delete: it may not only read");
    }
  }

  private static String encode(String target) {
    StringBuilder encoded = new StringBuilder();
    for (byte each : target.getBytes(StandardCharsets.UTF_8)) {
      boolean isKept = each > ' ' && each < 127 && "\"<>[\\]^`{|}".indexOf(each) < 0;
      encoded.append(isKept ? (char) each + "" : "%%%02X".formatted(each & 0xff));
    }
    return encoded.toString().replaceAll("%(?![0-9A-Fa-f]{2})", "%25");
  }

  /** The path without the version of the API. */
  String path() {
    return path(target);
  }

  /** As a line of a file of requests. */
  @Override
  public String toString() {
    return method + " " + target + (body.isEmpty() ? "" : " " + body);
  }
}
