package org.hourstone.api;

import java.util.List;
import org.hourstone.ConfigKey;
import org.hourstone.Tsdb;
import org.hourstone.annotation.Annotation;
import org.hourstone.query.Downsample;
import org.hourstone.query.Query;

/** {@code /api/query}: answers queries. */
final class QueryEndpoint implements Endpoint {
  private final Tsdb db;
  private final boolean openTsdb;

  QueryEndpoint(Tsdb db) {
    this.db = db;
    this.openTsdb = db.options().flag(ConfigKey.OPENTSDB_REQUESTS);
  }

  @Override
  public ApiAnswer answer(ApiCall call) {
    boolean deletes = call.method().equals("DELETE");
    if (!call.method().equals("GET") && !call.method().equals("POST") && !deletes) {
      throw ApiException.methodNotAllowed(call);
    }
    if (deletes) {
      refuseDeletion();
    }
    QueryRequest request =
        call.method().equals("POST")
            ? QueryBody.read(call, openTsdb)
            : QueryParameters.read(call, openTsdb);
    if (request.has(QueryFlag.DELETE)) {
      refuseDeletion();
    }
    List<Query> queries = RequestedQueries.of(request, db);
    queries.forEach(this::refuseUnanswered);
    return answer(request, queries);
  }

  private ApiAnswer answer(QueryRequest request, List<Query> queries) {
    return QueryErrors.answered(
        () ->
            ApiAnswer.streamed(QueryAnswer.begin(db, request, queries, globals(request, queries))),
        openTsdb);
  }

  /** OpenTSDB takes those of whole seconds. */
  private List<Annotation> globals(QueryRequest request, List<Query> queries) {
    if (!request.has(QueryFlag.GLOBAL_ANNOTATIONS) || request.has(QueryFlag.NO_ANNOTATIONS)) {
      return List.of();
    }
    Query any = queries.get(0);
    return db.annotations().global(any.startMillis() / 1000, any.endMillis() / 1000);
  }

  private void refuseDeletion() {
    if (!db.options().flag(ConfigKey.ALLOW_DELETE)) {
      throw new ApiException(
          ApiException.BAD_REQUEST,
          "Bad request",
          "Deleting data is not enabled (tsd.http.query.allow_delete=false)");
    }
    throw new ApiException(ApiException.NOT_IMPLEMENTED, "deleting by query is not answered here");
  }

  /** OpenTSDB would answer from other tables and cells, which may hold other values. */
  private void refuseUnanswered(Query query) {
    Downsample downsample = query.downsample();
    boolean ofRollups =
        downsample != null
            && db.rollups()
                .config()
                .flatMap(config -> config.longestDividing(downsample.intervalMillis()))
                .filter(interval -> !interval.isDefault())
                .isPresent();
    if (ofRollups || query.source().preAggregate()) {
      throw new ApiException(
          ApiException.NOT_IMPLEMENTED, "a query of rollups is not answered here");
    }
    if (query.source().histograms() != null) {
      throw new ApiException(
          ApiException.NOT_IMPLEMENTED, "a query of histograms is not answered here");
    }
  }
}
