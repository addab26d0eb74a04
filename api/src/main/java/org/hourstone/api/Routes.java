package org.hourstone.api;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hourstone.Tsdb;
import org.hourstone.api.door.WriteDoor;
import org.hourstone.api.endpoint.ApiDialect;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BodyDialect;
import org.hourstone.api.endpoint.BodyEndpoint;
import org.hourstone.api.endpoint.CompletedQueries;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.endpoint.Failures;
import org.hourstone.api.endpoint.HandlingRoom;
import org.hourstone.api.endpoint.ServerMode;
import org.hourstone.api.endpoint.Statistics;
import org.hourstone.api.influx.InfluxQueryEndpoint;
import org.hourstone.api.influx.PingEndpoint;
import org.hourstone.api.influx.WriteEndpoint;
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
import org.hourstone.api.otlp.MetricsEndpoint;
import org.hourstone.api.prometheus.RemoteReadEndpoint;
import org.hourstone.api.prometheus.RemoteWriteEndpoint;
import org.hourstone.api.prometheus.TextImportEndpoint;
import org.hourstone.api.put.HistogramPuts;
import org.hourstone.api.put.PlainPuts;
import org.hourstone.api.put.PutEndpoint;
import org.hourstone.api.put.RollupPuts;
import org.hourstone.api.query.AnnotationBulkEndpoint;
import org.hourstone.api.query.AnnotationEndpoint;
import org.hourstone.api.query.AnnotationsEndpoint;
import org.hourstone.api.query.ExpEndpoint;
import org.hourstone.api.query.ExportEndpoint;
import org.hourstone.api.query.GexpEndpoint;
import org.hourstone.api.query.GraphEndpoint;
import org.hourstone.api.query.LastPointEndpoint;
import org.hourstone.api.query.QueryEndpoint;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.JobCommands;
import org.hourstone.api.request.Plotter;
import org.hourstone.api.request.Refusals;
import org.hourstone.api.request.ServerInfo;
import org.hourstone.api.status.AggregatorsEndpoint;
import org.hourstone.api.status.BackupEndpoint;
import org.hourstone.api.status.ConfigEndpoint;
import org.hourstone.api.status.DropCachesEndpoint;
import org.hourstone.api.status.FilterTypesEndpoint;
import org.hourstone.api.status.Jobs;
import org.hourstone.api.status.JobsEndpoint;
import org.hourstone.api.status.JvmStatsEndpoint;
import org.hourstone.api.status.LogsEndpoint;
import org.hourstone.api.status.QueryStatsEndpoint;
import org.hourstone.api.status.ReloadEndpoint;
import org.hourstone.api.status.RunningQueriesEndpoint;
import org.hourstone.api.status.StatsEndpoint;
import org.hourstone.api.status.StatusEndpoint;
import org.hourstone.api.status.StopEndpoint;
import org.hourstone.api.status.VersionEndpoint;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints by path, with the methods that each takes. A request of another method is refused
 * before anything else of it is read.
 */
final class Routes {
  private static final String GET = "GET";
  private static final String POST = "POST";
  private static final String PROBE = "GET HEAD";
  private static final String READ = "GET POST";
  private static final String CHANGE = "POST PUT DELETE";
  private static final String TEST = "GET POST PUT";
  private static final String ALL = "GET POST PUT DELETE";

  /** In strict mode those of paths that are older than the API, which OpenTSDB doesn't check. */
  private static final String ANY = "";

  private static final String STOP = "/diediedie";
  private static final String STATUS = "/api/status";

  private final Map<String, Route> routes = new HashMap<>();
  private final ApiDialect dialect;
  private final ServerMode mode;

  /**
   * An endpoint.
   *
   * @param methods that it takes; empty for any
   * @param handlesTexts whether its requests wait for room for stored texts
   */
  private record Route(Set<String> methods, Endpoint endpoint, boolean handlesTexts) {
    boolean takes(String method) {
      return methods.isEmpty() ? !method.equals("HEAD") : methods.contains(method);
    }
  }

  Routes(
      Tsdb db,
      ApiOptions options,
      ServerInfo server,
      Plotter plotter,
      Refusals refusals,
      Jobs jobs,
      JobCommands commands,
      Statistics statistics) {
    this.dialect = options.requests();
    this.mode = options.mode();
    BodyDialect bodies = dialect.bodies();
    String old = dialect.paths().takesAnyMethod() ? ANY : READ;
    Endpoint aggregators = new AggregatorsEndpoint();
    Endpoint jvm = new JvmStatsEndpoint();
    Endpoint stats = new StatsEndpoint(statistics);
    Endpoint suggest = new SuggestEndpoint(db, options);
    Endpoint version = new VersionEndpoint(server);
    AnnotationEndpoint annotation = new AnnotationEndpoint(db, options);
    CompletedQueries completed =
        new CompletedQueries(
            options.clock(), new Failures(options.errors()), CompletedQueries.MOST);
    Endpoint queryStats = new QueryStatsEndpoint(db, completed);

    if (options.allowsStop()) {
      route(STOP, old, new StopEndpoint(server));
    }
    route("/aggregators", READ, aggregators);
    route("/stats", old, stats);
    route("/suggest", READ, suggest);
    route("/version", old, version);
    route("/logs", GET, new LogsEndpoint(server));
    route("/q", old, new GraphEndpoint(db, options, completed, plotter));
    route("/api/admin/backup", POST, new BackupEndpoint(db, options, jobs));
    route("/api/admin/jobs", "GET POST DELETE", new JobsEndpoint(jobs, commands, options));
    route("/api/admin/reload", POST, new ReloadEndpoint(server));
    route("/api/aggregators", READ, aggregators);
    text("/api/annotation", ALL, annotation);
    routes.put(
        "/api/annotation/bulk",
        new Route(methods(CHANGE), new AnnotationBulkEndpoint(db, options, refusals), true));
    route(
        "/api/annotations",
        dialect.paths().takesAnyMethod() ? ALL : GET,
        new AnnotationsEndpoint(db, annotation, dialect));
    route("/api/cardinality", GET, new CardinalityEndpoint(db));
    route("/api/config", READ, new ConfigEndpoint(options));
    route("/api/config/filters", READ, new FilterTypesEndpoint(dialect.queries()));
    route("/api/dropcaches", READ, new DropCachesEndpoint(db));
    route(
        "/api/histogram",
        dialect.paths().takesAnyMethod() ? ANY : POST, // OpenTSDB first says that there are none
        new PutEndpoint(new HistogramPuts(db, options), options, refusals));
    route(
        "/api/put",
        POST,
        new PutEndpoint(new PlainPuts(db, options.defaultTag()), options, refusals));
    route("/api/rollup", POST, new PutEndpoint(new RollupPuts(db, options), options, refusals));
    route("/api/query", "GET POST DELETE", new QueryEndpoint(db, options, completed));
    route("/api/search/lookup", READ, new LookupEndpoint(db, options));
    route("/api/query/running", "GET DELETE", new RunningQueriesEndpoint(db));
    route("/api/query/last", READ, new LastPointEndpoint(db, options, completed));
    route(
        "/api/query/exp",
        options.expressions().allowsGet() ? READ : POST,
        new ExpEndpoint(db, options, completed));
    route("/api/query/gexp", GET, new GexpEndpoint(db, options, completed));
    route("/api/stats", READ, stats);
    route(STATUS, GET, new StatusEndpoint(server));
    route(QueryStatsEndpoint.QUERY, READ, queryStats);
    route(QueryStatsEndpoint.REGION_CLIENTS, READ, queryStats);
    route(JvmStatsEndpoint.JVM, READ, jvm);
    route(JvmStatsEndpoint.THREADS, READ, jvm);
    route("/api/suggest", READ, suggest);
    text("/api/tree", ALL, new TreeEndpoint(db, bodies));
    text("/api/tree/branch", GET, new TreeBranchEndpoint(db, options));
    text("/api/tree/rule", ALL, new TreeRuleEndpoint(db, bodies));
    text("/api/tree/rules", CHANGE, new TreeRulesEndpoint(db, bodies));
    text("/api/tree/test", TEST, new TreeTestEndpoint(db, options));
    text(
        "/api/tree/collisions",
        TEST,
        new TreeFailuresEndpoint(db, options, db.trees()::collisions));
    text(
        "/api/tree/notmatched",
        TEST,
        new TreeFailuresEndpoint(db, options, db.trees()::notMatched));
    route("/api/uid/assign", READ, new UidAssignEndpoint(db, options, refusals));
    route("/api/uid/rename", READ, new UidRenameEndpoint(db, options));
    text("/api/uid/tsmeta", ALL, new TsMetaEndpoint(db, options));
    text("/api/uid/uidmeta", ALL, new UidMetaEndpoint(db, options));
    route("/api/version", READ, version);
    if (dialect.paths().hasDoors()) {
      route("/api/export", GET, new ExportEndpoint(db, options, completed));
      WriteDoor door = new WriteDoor(db, options, refusals, statistics.doors());
      route("/api/import/prometheus", POST, new TextImportEndpoint(door));
      route("/api/write", POST, new RemoteWriteEndpoint(door));
      route("/api/read", POST, new RemoteReadEndpoint(db, options, completed));
      Endpoint lines = new WriteEndpoint(door);
      Endpoint ping = new PingEndpoint(server);
      route("/write", POST, lines);
      route("/api/v2/write", POST, lines);
      route("/ping", PROBE, ping);
      route("/health", PROBE, ping);
      route("/query", READ, new InfluxQueryEndpoint());
      route("/v1/metrics", POST, new MetricsEndpoint(door));
    }
  }

  private void route(String path, String methods, Endpoint endpoint) {
    routes.put(path, new Route(methods(methods), endpoint, false));
  }

  /** An endpoint whose requests each handle a text that is stored. */
  private void text(String path, String methods, Endpoint endpoint) {
    routes.put(path, new Route(methods(methods), HandlingRoom.TEXTS.of(endpoint), true));
  }

  private static Set<String> methods(String names) {
    return names.isEmpty() ? Set.of() : Set.of(names.split(" "));
  }

  /** Whether requests to a path wait for others that handle stored texts. */
  boolean handlesTexts(String path) {
    Route route = routes.get(path);
    return route != null && route.handlesTexts();
  }

  /** The path of the endpoint of a path, in any mode of the server; the same if it has none. */
  String endpointOf(String path) {
    for (String known = path; ; known = known.substring(0, known.lastIndexOf('/'))) {
      if (routes.containsKey(known)) {
        return known;
      }
      if (!dialect.paths().hasEndpointAbove(known)) {
        return path;
      }
    }
  }

  /** The paths of all endpoints, in any mode of the server. */
  Set<String> paths() {
    return Set.copyOf(routes.keySet());
  }

  /** Whether there is an endpoint of exactly this path, in any mode of the server. */
  boolean knows(String path) {
    return routes.containsKey(path);
  }

  /** Whether a path is that of points in bodies. */
  boolean isPut(String path) {
    Route route = routes.get(path);
    return route != null && route.endpoint() instanceof PutEndpoint;
  }

  /** Whether the endpoint of a path reads the bytes of bodies. */
  boolean readsBytes(String path) {
    Route route = routes.get(path);
    return route != null && route.endpoint() instanceof BodyEndpoint;
  }

  /** Whether the endpoint of a path takes bodies that Snappy has compressed. */
  boolean takesSnappy(String path) {
    Route route = routes.get(path);
    return route != null && route.endpoint() instanceof BodyEndpoint bytes && bytes.takesSnappy();
  }

  /** Whether this server handles requests to a path. */
  boolean has(String path) {
    return find(path) != null;
  }

  /**
   * The endpoint of a request.
   *
   * @throws ApiException if the path has no endpoint, or its endpoint does not take the method
   */
  Endpoint of(ApiCall call) {
    Route route = find(call.path());
    if (route == null) {
      throw unknown(call);
    }
    if (!route.takes(call.method())) {
      throw ApiException.methodNotAllowed(call);
    }
    return route.endpoint();
  }

  /** The methods that a path takes, sorted; none if it has no endpoint. */
  List<String> methodsOf(String path) {
    Route route = find(path);
    return route == null ? List.of() : route.methods().stream().sorted().toList();
  }

  private ApiException unknown(ApiCall call) {
    if (mode.hasEndpoint(call.path())) {
      if (call.path().matches("/api/uid(/.*)?")) {
        return dialect.paths().noUidEndpoint(call.path());
      }
      if (call.path().startsWith(SearchTypes.PATH)) {
        return SearchTypes.refusal(call, dialect);
      }
    }
    return dialect.paths().noEndpoint(call.path());
  }

  private @Nullable Route find(String path) {
    if (!mode.hasEndpoint(path) || (path.equals(STATUS) && !dialect.paths().hasStatus())) {
      return null;
    }
    return routes.get(endpointOf(path));
  }
}
