package org.hourstone.server;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hourstone.DaemonSettings;
import org.hourstone.StrictSubject;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiResponse;
import org.jspecify.annotations.Nullable;

/**
 * The web sites whose pages may use the API from a browser, identified by the {@code Origin} that
 * the browser sends. If no origins are configured, only OPTIONS is refused, and browsers don't give
 * responses to pages of other sites. If the browser identifies a request as coming from such a
 * page, the request may only read.
 *
 * @param origins in lower case; {@code *} for any
 * @param requestHeaders the headers that pages may send
 * @param refusedStatus the status of the response to other sites
 */
record Cors(Set<String> origins, String requestHeaders, int refusedStatus) {
  private static final String SITE = "sec-fetch-site";
  private static final String CROSS_SITE = "cross-site";
  private static final String METHODS = "GET, POST, PUT, DELETE";
  private static final int OK = 200;
  private static final int FORBIDDEN = 403;
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
    return new Cors(
        origins,
        options.get(DaemonSettings.CORS_HEADERS),
        options.isStrict(StrictSubject.REQUESTS) ? OK : FORBIDDEN);
  }

  /** The response to a request that is not handled further; null if the request is handled. */
  @Nullable ApiResponse answer(HttpRequest request) {
    boolean preflight = request.method().equals(HttpMethod.OPTIONS);
    String origin = origin(request);
    if (origins.isEmpty() || origin.isEmpty() || isOwn(origin, request)) {
      return preflight
          ? ApiResponse.error(
              METHOD_NOT_ALLOWED,
              "Method not allowed",
              "The HTTP method [OPTIONS] is not permitted")
          : null;
    }
    if (!allows(origin)) {
      return ApiResponse.error(
          refusedStatus,
          "CORS domain not allowed",
          "The domain [" + origin + "] is not permitted access");
    }
    return preflight ? new ApiResponse(OK, "") : null;
  }

  /**
   * Whether a request comes from a page of a site that is not allowed. Browsers send some requests,
   * such as for images and forms, without a preflight request, and requests for images without an
   * origin.
   */
  boolean isForeign(HttpRequest request) {
    return CROSS_SITE.equals(request.headers().get(SITE)) && !allows(origin(request));
  }

  /**
   * Whether an origin is the server itself, under the name that the request has, so that the page
   * is the server's own. Browsers send the origin of such a page with methods other than GET and
   * HEAD. The scheme is ignored, because a proxy may have received the request with another one.
   */
  private static boolean isOwn(String origin, HttpRequest request) {
    int scheme = origin.indexOf("://");
    List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
    if (scheme < 0 || hosts.size() != 1) {
      return false;
    }
    String standardPort =
        switch (origin.substring(0, scheme).toLowerCase(Locale.ROOT)) {
          case "http" -> ":80";
          case "https" -> ":443";
          default -> ":";
        };
    return without(standardPort, origin.substring(scheme + 3))
        .equalsIgnoreCase(without(standardPort, hosts.get(0).strip()));
  }

  private static String without(String port, String authority) {
    return authority.endsWith(port)
        ? authority.substring(0, authority.length() - port.length())
        : authority;
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
