package org.hourstone.api.query;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BudgetedResponse;
import org.hourstone.api.endpoint.CompletedQueries;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.expression.ExpressionEngine;
import org.hourstone.expression.ExpressionQuery;
import org.hourstone.expression.ExpressionTable;
import org.hourstone.query.RequestBudget;

/** {@code /api/query/exp}: formulas over several metrics, joined by their tags. */
public final class ExpEndpoint implements Endpoint {
  private final Tsdb db;
  private final ApiOptions options;
  private final CompletedQueries completed;

  public ExpEndpoint(Tsdb db, ApiOptions options, CompletedQueries completed) {
    this.db = db;
    this.options = options;
    this.completed = completed;
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    ExpressionEngine engine = ExpressionEngine.of(db);
    return ExpressionErrors.answered(
        () -> respond(call, engine), options.requests(), engine.dialect());
  }

  private ApiResponse respond(ApiCall call, ExpressionEngine engine) {
    ExpRequest request = ExpRequest.of(call, options);
    return BudgetedResponse.of(
        db,
        completed,
        call,
        () -> text(request.query()),
        budget ->
            ExpressionErrors.answered(
                () -> respond(request, engine, budget), options.requests(), engine.dialect()));
  }

  /** The formulas, and the queries of their metrics. */
  private static String text(ExpressionQuery query) {
    return Stream.concat(
            query.formulas().stream().map(ExpressionQuery.Formula::text),
            query.metrics().stream().map(metric -> metric.query().text()))
        .collect(joining(" "));
  }

  private ApiResponse respond(ExpRequest request, ExpressionEngine engine, RequestBudget budget) {
    Map<String, ExpressionTable> tables = engine.evaluate(request.query(), budget);
    List<ExpOutput> outputs = new ArrayList<>();
    for (ExpRequest.Output output : request.outputs()) {
      ExpressionTable table = tables.get(output.id());
      if (table != null) {
        outputs.add(
            new ExpOutput(output, table, engine.dialect(), NoNumbers.thatAreNull(options, false)));
      }
    }
    return ApiResponse.streamed(new ExpResponse(outputs, request.echo()));
  }
}
