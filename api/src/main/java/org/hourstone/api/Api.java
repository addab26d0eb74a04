package org.hourstone.api;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.ApiDialect;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BodyEndpoint;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.endpoint.Failures;
import org.hourstone.api.endpoint.RefusedRequests;
import org.hourstone.api.endpoint.Statistics;
import org.hourstone.api.influx.InfluxErrors;
import org.hourstone.api.otlp.OtlpErrors;
import org.hourstone.api.put.PutEndpoint;
import org.hourstone.api.put.StreamedPut;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.hourstone.api.request.JobCommands;
import org.hourstone.api.request.Plotter;
import org.hourstone.api.request.Refusals;
import org.hourstone.api.request.Role;
import org.hourstone.api.request.ServerInfo;
import org.hourstone.api.status.Jobs;
import org.hourstone.api.status.JvmStatsEndpoint;
import org.hourstone.api.status.QueryStatsEndpoint;
import org.hourstone.error.RequestException;
import org.jspecify.annotations.Nullable;

/**
 * OpenTSDB's HTTP API over a database: every request gets a response, errors as JSON. Blocks until
 * the request's writes are stored. Thread-safe.
 */
public final class Api {
  private static final Pattern VERSION = Pattern.compile("/api/v(\\d{1,9})/.*");
  private static final int MAX_VERSION = 1;
  private static final int LOGGED_BYTES = 512;

  private static final Set<String> LONG =
      Set.of(
          "/suggest",
          "/q",
          "/api/annotations",
          "/api/cardinality",
          "/api/export",
          "/api/query",
          "/api/query/exp",
          "/api/query/gexp",
          "/api/query/last",
          "/api/read",
          "/api/search/lookup",
          "/api/suggest");

  private static final Set<String> MONITORING =
      Set.of(
          "/aggregators",
          "/logs",
          "/stats",
          "/version",
          "/api/aggregators",
          "/api/config",
          "/api/config/filters",
          "/api/query/running",
          "/api/version",
          "/api/admin/jobs",
          "/api/stats",
          "/api/status",
          JvmStatsEndpoint.JVM,
          JvmStatsEndpoint.THREADS,
          QueryStatsEndpoint.QUERY,
          QueryStatsEndpoint.REGION_CLIENTS);

  private final Tsdb db;
  private final Routes routes;
  private final ApiDialect dialect;
  private final Failures failures;
  private final RefusedRequests refused;
  private final boolean wholePuts;
  private final Statistics statistics;

  /** For a program that handles requests without a server. */
  public Api(Tsdb db) {
    this(db, ServerInfo.none(), Plotter.none());
  }

  /**
   * @param server the information of {@code /api/version} and {@code /api/stats} about the process
   * @param plotter draws the pictures of {@code /q}
   */
  public Api(Tsdb db, ServerInfo server, Plotter plotter) {
    this(
        db,
        server,
        plotter,
        new Refusals(),
        new Jobs(ApiOptions.of(db).clock()),
        JobCommands.none());
  }

  /**
   * @param refusals counts the writes that are refused
   * @param jobs to begin and to list
   * @param commands that can be jobs
   */
  public Api(
      Tsdb db,
      ServerInfo server,
      Plotter plotter,
      Refusals refusals,
      Jobs jobs,
      JobCommands commands) {
    this.db = db;
    ApiOptions options = ApiOptions.of(db);
    this.dialect = options.requests();
    this.failures = new Failures(options.errors());
    this.refused = new RefusedRequests(refusals, dialect);
    this.wholePuts = options.wholePuts();
    this.statistics = new Statistics(db, options.clock(), server, refusals);
    this.routes = new Routes(db, options, server, plotter, refusals, jobs, commands, statistics);
  }

  /**
   * Handles a request as it was received.
   *
   * @param uri path and query string
   * @param client is notified when the client disconnects
   * @param roles of the client
   */
  public ApiResponse respond(
      String method, String uri, String body, Disconnection client, Set<Role> roles) {
    try {
      return respond(call(method, uri, body, client, roles));
    } catch (RequestException e) {
      return unreadable(method, uri, client, roles, e);
    }
  }

  /**
   * As {@link #respond(String, String, String, Disconnection, Set)}, with the body as it was
   * received. A text that is not UTF-8 is refused, but for strict mode; one with points costs those
   * whose text is not.
   *
   * @param contentType of the body, as HTTP's header says it; empty if that is not given
   * @param body not changed until the response is written or closed
   */
  public ApiResponse respond(
      String method,
      String uri,
      String contentType,
      byte[] body,
      Disconnection client,
      Set<Role> roles) {
    ApiCall call;
    try {
      call = named(call(method, uri, "", client, roles)).withContentType(contentType);
    } catch (RequestException e) {
      return unreadable(method, uri, client, roles, e);
    }
    ApiResponse response =
        respondInFull(
            call,
            endpoint ->
                endpoint instanceof BodyEndpoint bytes
                    ? bytes.respond(dialect.read(call), body, body.length)
                    : endpoint.respond(dialect.read(call.withBody(dialect.text(body)))));
    return presented(response.isUncounted() ? call.withBody(begin(body)) : call, response);
  }

  /**
   * The response to a request whose parameters can't be read; but for strict mode that is no matter
   * if the path has no endpoint, or one that does not take the method.
   */
  private ApiResponse unreadable(
      String method, String uri, Disconnection client, Set<Role> roles, RequestException e) {
    ApiCall known = RefusedRequests.call(method, uri, client);
    boolean isOverridden = method.equals("GET") && uri.contains("method_override");
    RuntimeException why = e;
    if (!isOverridden && !dialect.paths().takesAnyMethod()) {
      try {
        var unused =
            admitted(named(new ApiCall(method, known.path(), Map.of(), "", "", client, roles)));
      } catch (ApiException refusal) {
        why = refusal;
      }
    }
    return traced(known, failures.response(why));
  }

  /** The begin of a body, for the log. */
  private static String begin(byte[] utf8) {
    return new String(utf8, 0, Math.min(utf8.length, LOGGED_BYTES), StandardCharsets.UTF_8);
  }

  /** The call of a request. */
  private ApiCall call(
      String method, String uri, String body, Disconnection client, Set<Role> roles) {
    ApiCall call = ApiCall.of(method, uri, body, client, roles);
    if (dialect.paths().readsUtf8Targets() && !call.isText(uri)) {
      throw new RequestException("badly encoded: the query string is not UTF-8");
    }
    return call;
  }

  /** The store's figures about its own work, for {@code /metrics}; never waits for it. */
  public List<ServerInfo.Figure> storeFigures() {
    return db.storeMetrics().stream()
        .map(each -> new ServerInfo.Figure(each.name(), each.meaning(), each.value()))
        .toList();
  }

  /** The statistics of {@code /api/stats}. */
  public List<ServerInfo.Statistic> statistics() {
    return statistics.all();
  }

  /** The paths of all endpoints. */
  Set<String> paths() {
    return routes.paths();
  }

  /** The endpoint of a request, one of few; {@code other} for an unknown path. */
  public String endpointOf(String uri) {
    String endpoint = routes.endpointOf(path(uri));
    return routes.knows(endpoint) ? endpoint : "other";
  }

  private String path(String uri) {
    int question = uri.indexOf('?');
    return dialect
        .paths()
        .withoutSlash(ApiCall.withoutVersion(question < 0 ? uri : uri.substring(0, question)));
  }

  /**
   * The methods that the path of a request takes, for HTTP's header {@code Allow} of a response
   * with status 405; null in strict mode, where there is no such header.
   */
  public @Nullable String allow(String uri) {
    return dialect.paths().namesMethods() ? String.join(", ", routes.methodsOf(path(uri))) : null;
  }

  /**
   * Whether a request may read for a long time, and should not delay others: one for points, series
   * or names. Such requests have a budget and take turns.
   */
  public boolean mayTakeLong(String uri) {
    return LONG.contains(endpointOf(uri));
  }

  /** Whether a request is for the state of the server only, and never waits for the store. */
  public boolean neverWaits(String uri) {
    return MONITORING.contains(endpointOf(uri));
  }

  /**
   * Whether a request handles a stored text, which may be large in memory, and may wait until
   * others that do have ended.
   */
  public boolean handlesTexts(String uri) {
    return routes.handlesTexts(endpointOf(uri));
  }

  /** Whether a request target with bytes beyond ASCII is in UTF-8. */
  public boolean readsUtf8Targets() {
    return dialect.paths().readsUtf8Targets();
  }

  /**
   * A response in the form in which its client expects it, to be called before any is sent: the
   * clients of other protocols read errors otherwise, also those of the transport.
   *
   * @param contentType of the request, as its header says it; empty if that is not given
   */
  public ApiResponse sent(String uri, String contentType, ApiResponse response) {
    String path = path(uri);
    if (!routes.knows(path)) {
      return response;
    }
    if (OtlpErrors.has(path)) {
      return OtlpErrors.sent(contentType, response);
    }
    return InfluxErrors.has(path) ? InfluxErrors.sent(path, response) : response;
  }

  /** The response to a request for which the server has no capacity now. */
  public ApiResponse overloaded(String what) {
    return failures.response(new ApiException(ApiException.UNAVAILABLE, what));
  }

  /**
   * The response to a request whose first response could not be written; nothing was sent.
   *
   * @param client its receiver, for the log
   */
  public ApiResponse failed(Throwable e, Disconnection client) {
    return failures.response(e, client.client());
  }

  /**
   * Whether the body of a request is read from its bytes, without a text of it: one with points.
   */
  public boolean readsBytes(String uri) {
    return routes.readsBytes(endpointOf(uri));
  }

  /** Whether the body of a request may be compressed by Snappy. */
  public boolean takesSnappy(String uri) {
    return routes.takesSnappy(endpointOf(uri));
  }

  /**
   * Whether the body of a request may be passed while it arrives: one with points, unless all of
   * them must be parsed before any is stored.
   */
  public boolean takesParts(String uri) {
    return !wholePuts && routes.isPut(endpointOf(uri));
  }

  /**
   * Begins to handle a request that {@linkplain #takesParts takes its body in parts}.
   *
   * @throws RequestException if the query string is badly encoded
   */
  public ApiUpload upload(String method, String uri, Disconnection client, Set<Role> roles) {
    return new ApiUpload(this, named(call(method, uri, "", client, roles)));
  }

  /**
   * @throws ApiException if the request is refused whatever its body is
   */
  StreamedPut begin(ApiCall call) {
    return ((PutEndpoint) admitted(call)).begin(dialect.read(call), ApiUpload.WHOLE_BYTES);
  }

  /** Handles any request. HEAD is not permitted, as in OpenTSDB. */
  public ApiResponse respond(ApiCall call) {
    ApiCall named = named(call);
    return presented(call, respondInFull(named, endpoint -> endpoint.respond(dialect.read(named))));
  }

  /** The call with the name of its endpoint as path. */
  private ApiCall named(ApiCall call) {
    return call.withPath(dialect.paths().withoutSlash(call.path()));
  }

  /** A response in the form that the request specifies; a refusal is counted. */
  ApiResponse presented(ApiCall call, ApiResponse response) {
    if (call.method().equals("HEAD")) {
      return traced(call, response.withoutBody());
    }
    String function = call.parameter("jsonp").orElse("");
    try {
      return traced(
          call,
          function.isEmpty() || response.equals(new ApiResponse(response.status(), ""))
              ? response
              : response.calling(function));
    } catch (ApiException e) {
      return traced(call, failures.response(e));
    }
  }

  private ApiResponse traced(ApiCall call, ApiResponse response) {
    refused.trace(call, routes.has(call.path()), response);
    return response;
  }

  /**
   * Counts a request that the transport refuses; one that this has refused is counted already. To
   * be called with each response before it is sent.
   *
   * @param uri empty if it is not known
   */
  public void trace(String method, String uri, ApiResponse response, Disconnection client) {
    if (response.isUncounted()) {
      traced(RefusedRequests.call(method, uri, client), response);
    }
  }

  /**
   * Counts and logs a response whose rest can't be sent, by what has failed; not if its client has
   * disconnected.
   */
  public void cutOff(String method, String uri, Throwable e, Disconnection client) {
    if (!client.isGone()) {
      refused.cutOff(RefusedRequests.call(method, uri, client), failed(e, client));
    }
  }

  private ApiResponse respondInFull(ApiCall call, Function<Endpoint, ApiResponse> response) {
    try {
      return response.apply(admitted(call));
    } catch (RuntimeException | OutOfMemoryError e) { // what the request held is free again
      return failures.response(e, call.client().client());
    }
  }

  private Endpoint admitted(ApiCall call) {
    if (!routes.knows(call.path())) { // InfluxDB has a version 2
      checkVersion(call.path());
    }
    Role.of(call).require(call);
    return routes.of(call);
  }

  private static void checkVersion(String path) {
    Matcher version = VERSION.matcher(path);
    if (version.matches() && Integer.parseInt(version.group(1)) > MAX_VERSION) {
      throw new ApiException(
          ApiException.NOT_IMPLEMENTED,
          "Requested API version is greater than the max implemented",
          "API version [" + version.group(1) + "] is greater than the max [" + MAX_VERSION + "]");
    }
  }
}
