package org.hourstone.server;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hourstone.DaemonSettings;
import org.hourstone.TsdbOptions;
import org.hourstone.api.ApiAnswer;
import org.jspecify.annotations.Nullable;

/**
 * The web sites whose pages may use the API from a browser, identified by the {@code Origin} that
 * the browser sends. If no origins are configured, only OPTIONS is refused, and browsers don't give
 * responses to pages of other sites. If the browser identifies a request as coming from such a
 * page, the request may only read.
 *
 * @param origins in lower case; {@code *} for any
 * @param requestHeaders the headers that pages may send
 */
record Cors(Set<String> origins, String requestHeaders) {
  private static final String SITE = "sec-fetch-site";
  private static final String CROSS_SITE = "cross-site";
  private static final String METHODS = "GET, POST, PUT, DELETE";
  private static final int OK = 200;
  private static final int METHOD_NOT_ALLOWED = 405;

  /**
   * @throws IllegalArgumentException if the setting is contradictory
   */
  static Cors of(TsdbOptions options) {
    Set<String> origins =
        Stream.of(options.get(DaemonSettings.CORS_DOMAINS).split(","))
            .map(origin -> origin.strip().toLowerCase(Locale.ROOT))
            .filter(origin -> !origin.isEmpty())
            .collect(Collectors.toUnmodifiableSet());
    if (origins.contains("*") && origins.size() > 1) {
      throw new IllegalArgumentException(
          DaemonSettings.CORS_DOMAINS.key() + ": * allows all, so no others may be listed");
    }
    return new Cors(origins, options.get(DaemonSettings.CORS_HEADERS));
  }

  /** The response to a request that is not handled further; null if the request is handled. */
  @Nullable ApiAnswer answer(HttpRequest request) {
    boolean preflight = request.method().equals(HttpMethod.OPTIONS);
    String origin = origin(request);
    if (origins.isEmpty() || origin.isEmpty()) {
      return preflight
          ? ApiAnswer.error(
              METHOD_NOT_ALLOWED,
              "Method not allowed",
              "The HTTP method [OPTIONS] is not permitted")
          : null;
    }
    if (!allows(origin)) {
      return ApiAnswer.error( // the status is OpenTSDB's
          OK, "CORS domain not allowed", "The domain [" + origin + "] is not permitted access");
    }
    return preflight ? new ApiAnswer(OK, "") : null;
  }

  /**
   * Whether a request comes from a page of a site that is not allowed. Browsers send some requests,
   * such as for images and forms, without a preflight request, and requests for images without an
   * origin.
   */
  boolean isForeign(HttpRequest request) {
    return CROSS_SITE.equals(request.headers().get(SITE)) && !allows(origin(request));
  }

  private static String origin(HttpRequest request) {
    return request.headers().get(HttpHeaderNames.ORIGIN, "");
  }

  private boolean allows(String origin) {
    return origins.contains("*") || origins.contains(origin.toLowerCase(Locale.ROOT));
  }

  /** Adds the headers by which the browser knows which pages may read the response. */
  void addTo(HttpHeaders response, HttpRequest request) {
    if (!origins.contains("*")) { // a script, such as JSONP, is loaded without a preflight request
      response.set("cross-origin-resource-policy", "same-origin");
    }
    if (origins.isEmpty()) {
      return;
    }
    response.add(HttpHeaderNames.VARY, HttpHeaderNames.ORIGIN);
    String origin = origin(request);
    if (!origin.isEmpty() && allows(origin)) {
      response
          .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, origin)
          .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_METHODS, METHODS)
          .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_HEADERS, requestHeaders);
    }
  }
}
