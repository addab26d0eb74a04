package org.hourstone.api;

import java.time.Instant;
import java.util.List;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.annotation.Annotation;
import org.hourstone.query.Explanation;
import org.hourstone.query.Query;

/** {@code /api/query}: answers queries. */
final class QueryEndpoint implements Endpoint {
  private final Tsdb db;
  private final ApiDialect dialect;

  QueryEndpoint(Tsdb db) {
    this.db = db;
    this.dialect = ApiDialect.of(db);
  }

  @Override
  public ApiAnswer answer(ApiCall call) {
    boolean deletes = call.method().equals("DELETE");
    if (!call.method().equals("GET") && !call.method().equals("POST") && !deletes) {
      throw ApiException.methodNotAllowed(call);
    }
    if (deletes) {
      refuseUnlessAllowed();
    }
    QueryRequest request =
        call.method().equals("POST")
            ? QueryBody.read(call, dialect)
            : QueryParameters.read(call, dialect);
    if (request.has(QueryFlag.DELETE)) {
      refuseUnlessAllowed();
    }
    List<Query> queries = RequestedQueries.of(request, db);
    ApiAnswer answer = answer(call, request, queries);
    return deletes || request.has(QueryFlag.DELETE) ? delete(queries, answer) : answer;
  }

  /** Deleted points are also returned, as in OpenTSDB; so all of them are read first. */
  private ApiAnswer delete(List<Query> queries, ApiAnswer answer) {
    return QueryErrors.answered(
        () -> {
          String body = answer.body();
          queries.forEach(db::delete);
          return new ApiAnswer(ApiAnswer.OK, body);
        },
        dialect);
  }

  private ApiAnswer answer(ApiCall call, QueryRequest request, List<Query> queries) {
    return QueryErrors.answered(
        () ->
            ApiAnswer.streamed(
                QueryAnswer.begin(
                    db,
                    request,
                    queries,
                    globals(request, queries),
                    explained(call, queries),
                    call.client())),
        dialect);
  }

  /** The explanations of the queries, if requested. */
  private List<Explanation> explained(ApiCall call, List<Query> queries) {
    if (!call.has("explain")) {
      return List.of();
    }
    return call.parameter("explain_at")
        .map(time -> Instant.ofEpochMilli(db.parseTime(time)))
        .map(at -> queries.stream().map(query -> db.explain(query, at)).toList())
        .orElseGet(() -> queries.stream().map(db::explain).toList());
  }

  /** OpenTSDB uses those of whole seconds. */
  private List<Annotation> globals(QueryRequest request, List<Query> queries) {
    if (!request.has(QueryFlag.GLOBAL_ANNOTATIONS) || request.has(QueryFlag.NO_ANNOTATIONS)) {
      return List.of();
    }
    Query any = queries.get(0);
    return db.annotations().global(any.startMillis() / 1000, any.endMillis() / 1000);
  }

  private void refuseUnlessAllowed() {
    if (!db.engine().options().get(Settings.ALLOW_DELETE)) {
      throw new ApiException(
          ApiException.BAD_REQUEST,
          "Bad request",
          "Deleting data is not enabled (tsd.http.query.allow_delete=false)");
    }
  }
}
