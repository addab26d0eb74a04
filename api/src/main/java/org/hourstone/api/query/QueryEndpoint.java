package org.hourstone.api.query;

import java.time.Instant;
import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.annotation.Annotation;
import org.hourstone.api.endpoint.ApiDialect;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BudgetedResponse;
import org.hourstone.api.endpoint.CompletedQueries;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.endpoint.QueryFlag;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Role;
import org.hourstone.query.Explanation;
import org.hourstone.query.Query;
import org.hourstone.query.QueryLimitException;
import org.hourstone.query.RequestBudget;
import org.hourstone.query.run.QueryEngine;

/** {@code /api/query}: answers queries. */
public final class QueryEndpoint implements Endpoint {
  private final Tsdb db;
  private final ApiOptions options;
  private final CompletedQueries completed;
  private final ApiDialect dialect;

  public QueryEndpoint(Tsdb db, ApiOptions options, CompletedQueries completed) {
    this.db = db;
    this.options = options;
    this.completed = completed;
    this.dialect = options.requests();
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    boolean deletes = call.method().equals("DELETE");
    if (deletes) {
      refuseUnlessAllowed(call);
    }
    QueryRequest request;
    try {
      request =
          call.method().equals("POST")
              ? QueryBody.read(call, dialect, db.runningQueries().limits())
              : QueryParameters.read(call, dialect);
    } catch (QueryLimitException e) {
      return refused(call, e);
    }
    if (request.has(QueryFlag.DELETE)) {
      refuseUnlessAllowed(call);
    }
    dialect
        .annotations()
        .check(request.has(QueryFlag.NO_ANNOTATIONS), request.has(QueryFlag.GLOBAL_ANNOTATIONS));
    List<Query> queries = RequestedQueries.of(request, options);
    boolean deleting = deletes || request.has(QueryFlag.DELETE);
    return BudgetedResponse.of(
        db,
        completed,
        call,
        () -> (deleting ? "delete " : "") + QueryEngine.textOf(queries),
        budget -> {
          ApiResponse response = respond(call, request, queries, budget);
          return deleting ? delete(queries, response, budget) : response;
        });
  }

  /** Refuses a request that has too many queries, which is kept among those that have ended. */
  private ApiResponse refused(ApiCall call, QueryLimitException why) {
    return BudgetedResponse.of(
        db,
        completed,
        call,
        () -> "too many queries",
        budget -> {
          throw why;
        });
  }

  /** Deleted points are also returned, as in OpenTSDB; so all of them are read first. */
  private ApiResponse delete(List<Query> queries, ApiResponse response, RequestBudget budget) {
    return QueryErrors.answered(
        () -> {
          String body = response.body(budget.memory());
          queries.forEach(query -> db.delete(query, budget));
          return new ApiResponse(ApiResponse.OK, body);
        },
        dialect);
  }

  private ApiResponse respond(
      ApiCall call, QueryRequest request, List<Query> queries, RequestBudget budget) {
    return QueryErrors.answered(
        () ->
            ApiResponse.streamed(
                QueryResponse.begin(
                    db,
                    options,
                    request,
                    queries,
                    globals(request, queries, budget),
                    explained(call, queries, budget),
                    budget)),
        dialect);
  }

  /** The explanations of the queries, if requested. */
  private List<Explanation> explained(ApiCall call, List<Query> queries, RequestBudget budget) {
    if (!call.has("explain")) {
      return List.of();
    }
    Instant at =
        call.parameter("explain_at")
            .map(time -> Instant.ofEpochMilli(db.parseTime(time)))
            .orElse(null);
    return queries.stream().map(query -> db.explain(query, at, budget)).toList();
  }

  /** OpenTSDB uses those of whole seconds. */
  private List<Annotation> globals(
      QueryRequest request, List<Query> queries, RequestBudget budget) {
    if (!request.has(QueryFlag.GLOBAL_ANNOTATIONS) || request.has(QueryFlag.NO_ANNOTATIONS)) {
      return List.of();
    }
    Query any = queries.get(0);
    return db
        .annotations()
        .global(any.startMillis() / 1000, any.endMillis() / 1000, budget.memory()::grow)
        .stream()
        .sorted(dialect.annotations().order())
        .toList();
  }

  private void refuseUnlessAllowed(ApiCall call) {
    Role.ADMIN.require(call);
    if (!options.mode().deletes()) {
      throw new ApiException(
          ApiException.BAD_REQUEST, "Bad request", "Deleting data needs tsd.mode=rw");
    }
    if (!options.allowsDelete()) {
      throw new ApiException(
          ApiException.BAD_REQUEST,
          "Bad request",
          "Deleting data is not enabled (tsd.http.query.allow_delete=false)");
    }
  }
}
