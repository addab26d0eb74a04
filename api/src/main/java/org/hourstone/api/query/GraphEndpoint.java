package org.hourstone.api.query;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Consumer;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.ApiDialect;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BudgetedResponse;
import org.hourstone.api.endpoint.CompletedQueries;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.PlotStyle;
import org.hourstone.api.request.Plotter;
import org.hourstone.internal.Json;
import org.hourstone.query.Query;
import org.hourstone.query.RequestBudget;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;
import org.hourstone.query.run.QueryEngine;
import org.hourstone.series.MemoryLease;

/**
 * {@code /q}, which OpenTSDB's page asks for its plots: the points as lines of text, how many there
 * are, or a picture of them.
 */
public final class GraphEndpoint implements Endpoint {
  /** The image, as it is and in the file. */
  private static final int BYTES_PER_PIXEL = 8;

  private final Tsdb db;
  private final ApiOptions options;
  private final CompletedQueries completed;
  private final Plotter plotter;
  private final ApiDialect dialect;

  public GraphEndpoint(Tsdb db, ApiOptions options, CompletedQueries completed, Plotter plotter) {
    this.db = db;
    this.options = options;
    this.completed = completed;
    this.plotter = plotter;
    this.dialect = options.requests();
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    QueryRequest request = QueryParameters.read(call, dialect);
    List<Query> queries = RequestedQueries.of(request, options);
    queries.forEach(
        query -> dialect.times().checkRangeOfText(query.startMillis(), query.endMillis()));
    return BudgetedResponse.of(
        db,
        completed,
        call,
        () -> QueryEngine.textOf(queries),
        budget ->
            QueryErrors.answered(
                () -> {
                  if (call.has("ascii")) {
                    return ApiResponse.streamedText(
                        PointLines.begin(db.queryAll(queries, budget), dialect.hashesTags()));
                  }
                  return call.has("json")
                      ? ApiResponse.ok(summary(queries, budget))
                      : ApiResponse.picture(picture(queries, PlotStyle.of(call), budget));
                },
                dialect));
  }

  private byte[] picture(List<Query> queries, PlotStyle style, RequestBudget budget) {
    try (MemoryLease drawn = budget.memory().child()) {
      drawn.grow((long) BYTES_PER_PIXEL * style.width() * style.height());
      Plotter.Plot plot = plotter.begin(style);
      forEach(queries, budget, series -> drawn.grow(plot.add(series)));
      return plot.png();
    } catch (UnsupportedOperationException e) {
      throw new ApiException(ApiException.NOT_IMPLEMENTED, String.valueOf(e.getMessage()));
    }
  }

  private void forEach(List<Query> queries, RequestBudget budget, Consumer<ResultSeries> action) {
    for (SeriesCursor cursor : db.queryAll(queries, budget)) {
      try (cursor) {
        cursor.forEach(action);
      }
    }
  }

  private ObjectNode summary(List<Query> queries, RequestBudget budget) {
    long started = options.clock().millis();
    ArrayNode aggregated = Json.array();
    long[] points = {0};
    forEach(
        queries,
        budget,
        series -> {
          ArrayNode tags = aggregated.addArray();
          series.aggregateTags().forEach(tags::add);
          points[0] += series.size();
        });
    ObjectNode json = Json.object().put("plotted", points[0]).put("points", points[0]);
    json.set("etags", aggregated);
    return json.put("timing", options.clock().millis() - started);
  }
}
