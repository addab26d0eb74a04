package org.hourstone.api.query;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.ApiDialect;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BudgetedResponse;
import org.hourstone.api.endpoint.CompletedQueries;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.endpoint.QueryFlag;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.expression.ExpressionEngine;
import org.hourstone.expression.SeriesExpression;
import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;

/**
 * {@code /api/query/gexp}: functions of queries. Its parameters are those of {@code /api/query},
 * with {@code exp} in place of {@code m}.
 */
public final class GexpEndpoint implements Endpoint {
  /** Parameters for single queries. */
  private static final List<QueryFlag> UNANSWERED =
      List.of(QueryFlag.SHOW_QUERY, QueryFlag.SHOW_STATS, QueryFlag.SHOW_SUMMARY);

  private final Tsdb db;
  private final ApiOptions options;
  private final CompletedQueries completed;
  private final ApiDialect dialect;

  public GexpEndpoint(Tsdb db, ApiOptions options, CompletedQueries completed) {
    this.db = db;
    this.options = options;
    this.completed = completed;
    this.dialect = options.requests();
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    call.required("start");
    ExpressionEngine engine = ExpressionEngine.of(db);
    return ExpressionErrors.answered(() -> respond(call, engine), dialect, engine.dialect());
  }

  private ApiResponse respond(ApiCall call, ExpressionEngine engine) {
    List<SeriesExpression> expressions =
        call.parameters().getOrDefault("exp", List.of()).stream()
            .map(text -> SeriesExpression.parse(text, engine.dialect()))
            .toList();
    QueryRequest request = QueryParameters.read(queries(call, expressions), dialect);
    if (UNANSWERED.stream().anyMatch(request::has)) {
      throw new ApiException(
          ApiException.NOT_IMPLEMENTED,
          "show_query, show_stats and show_summary are not supported for expressions");
    }
    Query any = RequestedQueries.of(request, options).get(0);
    ExpressionEngine zoned =
        dialect.times().hasCalendarsInExpressions()
            ? ExpressionEngine.of(db, query -> RequestedQueries.inCalendar(query, request, options))
            : engine;
    return BudgetedResponse.of(
        db,
        completed,
        call,
        () -> expressions.stream().map(SeriesExpression::toString).collect(joining(" ")),
        budget ->
            ExpressionErrors.answered(
                () -> {
                  List<ResultSeries> series = new ArrayList<>();
                  try (SeriesCursor cursor =
                      zoned.evaluate(expressions, any.startMillis(), any.endMillis(), budget)) {
                    cursor.forEach(series::add);
                  }
                  return ApiResponse.streamed(
                      new SeriesResponse(
                          series, request.flags(), NoNumbers.thatAreNull(options, false), dialect));
                },
                dialect,
                engine.dialect()));
  }

  /** The request for the queries in the expressions. */
  private static ApiCall queries(ApiCall call, List<SeriesExpression> expressions) {
    Map<String, List<String>> parameters = new LinkedHashMap<>(call.parameters());
    parameters.remove("tsuid");
    parameters.put(
        "m", expressions.stream().flatMap(expression -> expression.queries().stream()).toList());
    return call.withParameters(parameters);
  }
}
