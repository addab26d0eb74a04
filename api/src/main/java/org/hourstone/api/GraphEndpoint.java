package org.hourstone.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.internal.Json;
import org.hourstone.query.Query;
import org.hourstone.query.QueryEngine;
import org.hourstone.query.RequestBudget;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;

/**
 * {@code /q}, which OpenTSDB's page asks for its plots: the points as lines of text, or how many
 * there are. Pictures are not drawn here; the page draws its own.
 */
final class GraphEndpoint implements Endpoint {
  private final Tsdb db;
  private final ApiDialect dialect;

  GraphEndpoint(Tsdb db) {
    this.db = db;
    this.dialect = ApiDialect.of(db);
  }

  @Override
  public ApiAnswer answer(ApiCall call) {
    boolean asText = call.has("ascii");
    if (!asText && !call.has("json")) {
      throw new ApiException(
          ApiException.BAD_REQUEST,
          "No pictures are drawn: ask with ascii for the points or with json for their number, or"
              + " open the page at /");
    }
    QueryRequest request = QueryParameters.read(call, dialect);
    List<Query> queries = RequestedQueries.of(request, db);
    return BudgetedAnswer.of(
        db,
        call,
        () -> QueryEngine.textOf(queries),
        budget ->
            QueryErrors.answered(
                () ->
                    asText
                        ? ApiAnswer.streamedText(
                            PointLines.begin(db.queryAll(queries, budget), dialect.hashesTags()))
                        : ApiAnswer.ok(summary(queries, budget)),
                dialect));
  }

  private ObjectNode summary(List<Query> queries, RequestBudget budget) {
    long started = db.engine().options().clock().millis();
    ArrayNode aggregated = Json.array();
    long points = 0;
    for (SeriesCursor cursor : db.queryAll(queries, budget)) {
      try (cursor) {
        for (ResultSeries series = cursor.next(); series != null; series = cursor.next()) {
          ArrayNode tags = aggregated.addArray();
          series.aggregateTags().forEach(tags::add);
          points += series.size();
        }
      }
    }
    ObjectNode json = Json.object().put("plotted", points).put("points", points);
    json.set("etags", aggregated);
    return json.put("timing", db.engine().options().clock().millis() - started);
  }
}
