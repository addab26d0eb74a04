package org.hourstone.api.endpoint;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.hourstone.api.request.Refusals;
import org.hourstone.api.request.Role;
import org.hourstone.error.RequestException;

/**
 * Counts requests that are refused as a whole, each by the response that says so: all that change
 * something or may have been meant to, those whose sender may not make them, and queries. Other
 * reads that fail are not counted, unless a part of their response was sent. Thread-safe.
 */
public final class RefusedRequests {
  private static final Set<String> POINTS =
      Set.of(
          "/api/import/prometheus",
          "/api/put",
          "/api/rollup",
          "/api/histogram",
          "/api/write",
          "/api/v2/write",
          "/v1/metrics",
          "/write");

  /** Whose bodies are no text. */
  private static final String READ = "/api/read";

  private static final Set<String> QUERIES =
      Set.of(
          "/api/export",
          "/api/query",
          "/api/query/exp",
          "/api/query/gexp",
          "/api/query/last",
          READ,
          "/q");

  /** The characters of a query string that are read for a line in the log, which shows fewer. */
  private static final int MOST_PARAMETERS = 1_000;

  private static final Pattern OVERRIDE = Pattern.compile("[?&;](method_override=[^&;]{0,20})");

  private final Refusals refusals;
  private final ApiDialect dialect;

  public RefusedRequests(Refusals refusals, ApiDialect dialect) {
    this.refusals = refusals;
    this.dialect = dialect;
  }

  /**
   * Counts a request if the response refuses it and that was not counted yet.
   *
   * @param isKnown whether its endpoint exists
   */
  public void trace(ApiCall call, boolean isKnown, ApiResponse response) {
    ApiResponse.Refusal refusal = response.takeRefusal();
    if (refusal == null) {
      return;
    }
    String method = call.method();
    String path = path(call);
    String client = call.client().client();
    String what = method + " " + path;
    boolean asks = method.equals("GET") || method.equals("HEAD") || method.equals("OPTIONS");
    if (POINTS.contains(path) && !asks) {
      refusals.point(refusal.reason(), client, refusal.why(), () -> what, null);
    } else if (isForeign(response.status()) || changes(call, isKnown, asks)) {
      refusals.write(refusal.reason(), client, refusal.why(), () -> what, null);
    } else if (isKnown && QUERIES.contains(path)) {
      refusals.query(refusal.reason(), client, refusal.why(), () -> what + text(call));
    }
  }

  /**
   * Counts a query of whose response only a part could be sent.
   *
   * @param response to what has failed, which can't be sent any more
   */
  public void cutOff(ApiCall call, ApiResponse response) {
    ApiResponse.Refusal refusal = response.takeRefusal();
    if (refusal != null) {
      refusals.query(
          refusal.reason(),
          call.client().client(),
          "the response was cut off: " + refusal.why(),
          () -> call.method() + " " + path(call) + text(call));
    }
  }

  private String path(ApiCall call) {
    return dialect.paths().withoutSlash(call.path());
  }

  /** The query string, decoded, and the body. */
  private static String text(ApiCall call) {
    StringBuilder text = new StringBuilder();
    call.parameters()
        .forEach((name, values) -> values.forEach(v -> text.append(' ').append(name + "=" + v)));
    if (!call.body().isEmpty() && !call.path().equals(READ)) {
      text.append(' ').append(call.body());
    }
    return text.toString();
  }

  private static boolean changes(ApiCall call, boolean isKnown, boolean asks) {
    return isKnown
        ? !call.method().equals("OPTIONS") && Role.of(call) != Role.READ
        : !asks; // its path may have been misspelled
  }

  /** Whether the sender is refused; by OpenTSDB that may have a status of success. */
  private static boolean isForeign(int status) {
    return status == ApiException.UNAUTHORIZED
        || status == ApiException.FORBIDDEN
        || status < ApiException.BAD_REQUEST;
  }

  /**
   * A call that was not parsed, or can't be, as far as a line in the log shows it: with the first
   * parameters, if they can be read, and {@code method_override}. So it takes little memory, also
   * for a request that is refused for lack of it.
   */
  public static ApiCall call(String method, String uri, Disconnection client) {
    String begin = begin(uri);
    try {
      return ApiCall.of(method, begin, "", client);
    } catch (RequestException e) {
      return ApiCall.of(method, begin.substring(0, begin.indexOf('?')), "", client);
    }
  }

  private static String begin(String uri) {
    int question = uri.indexOf('?');
    int end = question + MOST_PARAMETERS;
    if (question < 0 || uri.length() <= end) {
      return uri;
    }
    int escape = uri.indexOf('%', end - 2); // must not be divided
    String begin = uri.substring(0, escape < 0 || escape >= end ? end : escape);
    Matcher override = OVERRIDE.matcher(uri).region(question, uri.length());
    return override.find() ? begin + "&" + override.group(1) : begin;
  }
}
