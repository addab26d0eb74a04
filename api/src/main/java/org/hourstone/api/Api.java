package org.hourstone.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Map.entry;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.ApiDialect;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BodyDialect;
import org.hourstone.api.endpoint.CompletedQueries;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.endpoint.Failures;
import org.hourstone.api.endpoint.RefusedRequests;
import org.hourstone.api.endpoint.ServerMode;
import org.hourstone.api.endpoint.Statistics;
import org.hourstone.api.name.CardinalityEndpoint;
import org.hourstone.api.name.LookupEndpoint;
import org.hourstone.api.name.SearchTypes;
import org.hourstone.api.name.SuggestEndpoint;
import org.hourstone.api.name.TreeBranchEndpoint;
import org.hourstone.api.name.TreeEndpoint;
import org.hourstone.api.name.TreeFailuresEndpoint;
import org.hourstone.api.name.TreeRuleEndpoint;
import org.hourstone.api.name.TreeRulesEndpoint;
import org.hourstone.api.name.TreeTestEndpoint;
import org.hourstone.api.name.TsMetaEndpoint;
import org.hourstone.api.name.UidAssignEndpoint;
import org.hourstone.api.name.UidMetaEndpoint;
import org.hourstone.api.name.UidRenameEndpoint;
import org.hourstone.api.put.HistogramPuts;
import org.hourstone.api.put.PlainPuts;
import org.hourstone.api.put.PutEndpoint;
import org.hourstone.api.put.RollupPuts;
import org.hourstone.api.put.StreamedPut;
import org.hourstone.api.query.AnnotationBulkEndpoint;
import org.hourstone.api.query.AnnotationEndpoint;
import org.hourstone.api.query.AnnotationsEndpoint;
import org.hourstone.api.query.ExpEndpoint;
import org.hourstone.api.query.GexpEndpoint;
import org.hourstone.api.query.GraphEndpoint;
import org.hourstone.api.query.LastPointEndpoint;
import org.hourstone.api.query.QueryEndpoint;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.hourstone.api.request.Plotter;
import org.hourstone.api.request.Refusals;
import org.hourstone.api.request.Role;
import org.hourstone.api.request.ServerInfo;
import org.hourstone.api.status.AggregatorsEndpoint;
import org.hourstone.api.status.ConfigEndpoint;
import org.hourstone.api.status.DropCachesEndpoint;
import org.hourstone.api.status.FilterTypesEndpoint;
import org.hourstone.api.status.JvmStatsEndpoint;
import org.hourstone.api.status.LogsEndpoint;
import org.hourstone.api.status.QueryStatsEndpoint;
import org.hourstone.api.status.RunningQueriesEndpoint;
import org.hourstone.api.status.StatsEndpoint;
import org.hourstone.api.status.StatusEndpoint;
import org.hourstone.api.status.StopEndpoint;
import org.hourstone.api.status.VersionEndpoint;
import org.hourstone.error.RequestException;
import org.jspecify.annotations.Nullable;

/**
 * OpenTSDB's HTTP API over a database: every request gets a response, errors as JSON. Blocks until
 * the request's writes are stored. Thread-safe.
 */
public final class Api {
  private static final Pattern VERSION = Pattern.compile("/api/v(\\d{1,9})/.*");
  private static final int MAX_VERSION = 1;
  private static final String STOP = "/diediedie";
  private static final String STATS = "/api/stats";
  private static final String STATUS = "/api/status";
  private static final String PUT = "/api/put";
  private static final String ROLLUP = "/api/rollup";
  private static final String HISTOGRAM = "/api/histogram";
  private static final String ANNOTATION = "/api/annotation";
  private static final String BULK = "/api/annotation/bulk";
  private static final String ANNOTATIONS = "/api/annotations";

  private static final Set<String> LONG =
      Set.of(
          "/suggest",
          "/q",
          "/api/cardinality",
          "/api/query",
          "/api/query/exp",
          "/api/query/gexp",
          "/api/query/last",
          "/api/search/lookup",
          "/api/suggest");

  /** Endpoints that don't check the method themselves: older than the API. */
  private static final Set<String> OLD = Set.of(STOP, "/q", "/stats", "/version");

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
          STATS,
          STATUS,
          JvmStatsEndpoint.JVM,
          JvmStatsEndpoint.THREADS,
          QueryStatsEndpoint.QUERY,
          QueryStatsEndpoint.REGION_CLIENTS);

  private final Map<String, Endpoint> endpoints;
  private final ApiDialect dialect;
  private final ServerMode mode;
  private final RefusedRequests refused;
  private final boolean wholePuts;
  private final @Nullable Endpoint stop;
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
    this(db, server, plotter, new Refusals());
  }

  /**
   * @param refusals counts the writes that are refused
   */
  public Api(Tsdb db, ServerInfo server, Plotter plotter, Refusals refusals) {
    ApiOptions options = ApiOptions.of(db);
    this.dialect = options.requests();
    this.refused = new RefusedRequests(refusals, dialect);
    this.mode = options.mode();
    this.wholePuts = options.wholePuts();
    this.stop = options.allowsStop() ? new StopEndpoint(server) : null;
    BodyDialect bodies = dialect.bodies();
    Endpoint aggregators = new AggregatorsEndpoint();
    Endpoint jvm = new JvmStatsEndpoint();
    this.statistics = new Statistics(db, options.clock(), server, refusals);
    Endpoint stats = new StatsEndpoint(statistics);
    Endpoint suggest = new SuggestEndpoint(db, options);
    Endpoint version = new VersionEndpoint(server);
    AnnotationEndpoint annotation = new AnnotationEndpoint(db, options);
    CompletedQueries completed = new CompletedQueries(options.clock(), CompletedQueries.MOST);
    Endpoint queryStats = new QueryStatsEndpoint(db, completed);
    this.endpoints =
        Map.ofEntries(
            entry("/aggregators", aggregators),
            entry("/stats", stats),
            entry("/suggest", suggest),
            entry("/version", version),
            entry("/api/aggregators", aggregators),
            entry(ANNOTATION, annotation),
            entry(BULK, new AnnotationBulkEndpoint(db, options, refusals)),
            entry(ANNOTATIONS, new AnnotationsEndpoint(db, annotation, dialect)),
            entry("/api/cardinality", new CardinalityEndpoint(db)),
            entry("/api/config", new ConfigEndpoint(options)),
            entry("/api/config/filters", new FilterTypesEndpoint(options.requests().queries())),
            entry("/api/dropcaches", new DropCachesEndpoint(db)),
            entry(HISTOGRAM, new PutEndpoint(new HistogramPuts(db), options, refusals)),
            entry(PUT, new PutEndpoint(new PlainPuts(db, options.defaultTag()), options, refusals)),
            entry(ROLLUP, new PutEndpoint(new RollupPuts(db, options), options, refusals)),
            entry("/api/query", new QueryEndpoint(db, options, completed)),
            entry("/logs", new LogsEndpoint(server)),
            entry("/q", new GraphEndpoint(db, options, completed, plotter)),
            entry("/api/search/lookup", new LookupEndpoint(db, options)),
            entry("/api/query/running", new RunningQueriesEndpoint(db)),
            entry("/api/query/last", new LastPointEndpoint(db, options, completed)),
            entry("/api/query/exp", new ExpEndpoint(db, options, completed)),
            entry("/api/query/gexp", new GexpEndpoint(db, options, completed)),
            entry(STATS, stats),
            entry(STATUS, new StatusEndpoint(server)),
            entry(QueryStatsEndpoint.QUERY, queryStats),
            entry(QueryStatsEndpoint.REGION_CLIENTS, queryStats),
            entry(JvmStatsEndpoint.JVM, jvm),
            entry(JvmStatsEndpoint.THREADS, jvm),
            entry("/api/suggest", suggest),
            entry("/api/tree", new TreeEndpoint(db, bodies)),
            entry("/api/tree/branch", new TreeBranchEndpoint(db, options)),
            entry("/api/tree/rule", new TreeRuleEndpoint(db, bodies)),
            entry("/api/tree/rules", new TreeRulesEndpoint(db, bodies)),
            entry("/api/tree/test", new TreeTestEndpoint(db, options)),
            entry(
                "/api/tree/collisions",
                new TreeFailuresEndpoint(db, options, db.trees()::collisions)),
            entry(
                "/api/tree/notmatched",
                new TreeFailuresEndpoint(db, options, db.trees()::notMatched)),
            entry("/api/uid/assign", new UidAssignEndpoint(db, options, refusals)),
            entry("/api/uid/rename", new UidRenameEndpoint(db, options)),
            entry("/api/uid/tsmeta", new TsMetaEndpoint(db, options)),
            entry("/api/uid/uidmeta", new UidMetaEndpoint(db, options)),
            entry("/api/version", version));
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
      return traced(RefusedRequests.call(method, uri, client), Failures.response(e));
    }
  }

  /**
   * As {@link #respond(String, String, String, Disconnection, Set)}, with the body as it was
   * received: for requests for which {@link #readsBytes} is true.
   *
   * @param utf8 the body; not changed until the response is written or closed
   */
  public ApiResponse respond(
      String method, String uri, byte[] utf8, Disconnection client, Set<Role> roles) {
    ApiCall call;
    try {
      call = named(call(method, uri, "", client, roles));
    } catch (RequestException e) {
      return traced(RefusedRequests.call(method, uri, client), Failures.response(e));
    }
    return presented(
        call,
        respondInFull(
            call,
            endpoint ->
                endpoint instanceof PutEndpoint puts
                    ? puts.respond(dialect.read(call), utf8, utf8.length)
                    : endpoint.respond(dialect.read(call.withBody(new String(utf8, UTF_8))))));
  }

  /** The call of a request. */
  private ApiCall call(
      String method, String uri, String body, Disconnection client, Set<Role> roles) {
    ApiCall call = ApiCall.of(method, uri, body, client, roles);
    if (dialect.readsUtf8Targets() && !call.isText(uri)) {
      throw new RequestException("badly encoded: the query string is not UTF-8");
    }
    return call;
  }

  /** The statistics of {@code /api/stats}. */
  public List<ServerInfo.Statistic> statistics() {
    return statistics.all();
  }

  /** The endpoint of a request, one of few; {@code other} for an unknown path. */
  public String endpointOf(String uri) {
    int question = uri.indexOf('?');
    String path =
        dialect.withoutSlash(
            ApiCall.withoutVersion(question < 0 ? uri : uri.substring(0, question)));
    return endpoints.containsKey(path) ? path : "other";
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

  /** Whether a request target with bytes beyond ASCII is in UTF-8. */
  public boolean readsUtf8Targets() {
    return dialect.readsUtf8Targets();
  }

  /** The response to a request for which the server has no capacity now. */
  public ApiResponse overloaded(String what) {
    return Failures.response(new ApiException(ApiException.UNAVAILABLE, what));
  }

  /**
   * The response to a request whose first response could not be written; nothing was sent.
   *
   * @param client its receiver, for the log
   */
  public ApiResponse failed(Throwable e, Disconnection client) {
    return Failures.response(e, client.client());
  }

  /**
   * Whether the body of a request is read from its bytes, without a text of it: one with points.
   */
  public boolean readsBytes(String uri) {
    return endpoints.get(endpointOf(uri)) instanceof PutEndpoint;
  }

  /**
   * Whether the body of a request may be passed while it arrives: one with points, unless all of
   * them must be parsed before any is stored.
   */
  public boolean takesParts(String uri) {
    return !wholePuts && readsBytes(uri);
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
    return call.withPath(dialect.withoutSlash(call.path()));
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
      return traced(call, Failures.response(e));
    }
  }

  private ApiResponse traced(ApiCall call, ApiResponse response) {
    refused.trace(call, endpoint(call.path()) != null, response);
    return response;
  }

  /**
   * Counts a request that the transport refuses; one that this has refused is counted already. To
   * be called with each response before it is sent.
   *
   * @param uri empty if it is not known
   */
  public void trace(String method, String uri, ApiResponse response, Disconnection client) {
    traced(RefusedRequests.call(method, uri, client), response);
  }

  private ApiResponse respondInFull(ApiCall call, Function<Endpoint, ApiResponse> response) {
    try {
      return response.apply(admitted(call));
    } catch (RuntimeException | OutOfMemoryError e) { // what the request held is free again
      return Failures.response(e, call.client().client());
    }
  }

  private Endpoint admitted(ApiCall call) {
    checkVersion(call.path());
    Role.of(call).require(call);
    Endpoint endpoint = endpoint(call.path());
    if (endpoint == null && mode.hasEndpoint(call.path())) {
      if (call.path().matches("/api/uid(/.*)?")) {
        throw new ApiException(
            ApiException.NOT_IMPLEMENTED, "Other UID endpoints have not been implemented yet");
      }
      if (call.path().startsWith(SearchTypes.PATH)) {
        throw SearchTypes.refusal(call, dialect);
      }
    }
    if (endpoint == null) {
      throw dialect.noEndpoint(call.path());
    }
    if (call.method().equals("HEAD") || !takesMethod(call)) {
      throw ApiException.methodNotAllowed(call);
    }
    return endpoint;
  }

  private boolean takesMethod(ApiCall call) {
    return !OLD.contains(call.path())
        || dialect.takesAnyMethod()
        || call.method().equals("GET")
        || call.method().equals("POST");
  }

  private @Nullable Endpoint endpoint(String path) {
    if (!mode.hasEndpoint(path) || (path.equals(STATUS) && !dialect.hasStatus())) {
      return null;
    }
    if (path.equals(STOP) && stop != null) {
      return stop;
    }
    Endpoint endpoint = endpoints.get(path);
    for (String known = path; endpoint == null && dialect.hasEndpointAbove(known); ) {
      known = known.substring(0, known.lastIndexOf('/'));
      endpoint = endpoints.get(known);
    }
    return endpoint;
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
