package org.hourstone.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hourstone.Tsdb;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.expression.ExpressionEngine;
import org.hourstone.expression.ExpressionException;
import org.hourstone.expression.SeriesExpression;
import org.hourstone.internal.Json;
import org.hourstone.query.Query;
import org.hourstone.query.QueryLimitException;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;

/**
 * {@code /api/query/gexp}: functions around queries. Its parameters are those of {@code /api/query}
 * but for {@code exp} in place of {@code m}.
 */
final class GexpEndpoint implements Endpoint {
  private final Tsdb db;

  GexpEndpoint(Tsdb db) {
    this.db = db;
  }

  @Override
  public ApiAnswer answer(ApiCall call) {
    if (!call.method().equals("GET")) {
      throw ApiException.methodNotAllowed(call);
    }
    call.required("start");
    try {
      return answer(call, db.expressions());
    } catch (ExpressionException e) {
      throw db.expressions().openTsdb() ? ExpressionErrors.asOpenTsdb(e) : e;
    } catch (CorruptDataException e) {
      throw new ApiException(ApiException.BAD_REQUEST, String.valueOf(e.getMessage()));
    } catch (QueryLimitException e) {
      throw new ApiException(QueryEndpoint.TOO_LARGE, String.valueOf(e.getMessage()));
    }
  }

  private static List<SeriesExpression> expressions(ApiCall call, boolean openTsdb) {
    return call.parameters().getOrDefault("exp", List.of()).stream()
        .map(text -> SeriesExpression.parse(text, openTsdb))
        .toList();
  }

  private ApiAnswer answer(ApiCall call, ExpressionEngine engine) {
    List<SeriesExpression> expressions = expressions(call, engine.openTsdb());
    QueryRequest request = request(call, expressions);
    Query any = request.queries().get(0);
    StringWriter body = new StringWriter();
    try (JsonGenerator json = Json.generator(body)) {
      json.writeStartArray();
      for (SeriesExpression expression : expressions) {
        try (SeriesCursor cursor =
            engine.evaluate(expression, any.startMillis(), any.endMillis())) {
          for (ResultSeries series = cursor.next(); series != null; series = cursor.next()) {
            QueryEndpoint.write(series, request, json);
          }
        }
      }
      json.writeEndArray();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return new ApiAnswer(ApiAnswer.OK, body.toString());
  }

  /** The request for the queries in the expressions. */
  private QueryRequest request(ApiCall call, List<SeriesExpression> expressions) {
    Map<String, List<String>> parameters = new LinkedHashMap<>(call.parameters());
    parameters.put(
        "m", expressions.stream().flatMap(expression -> expression.queries().stream()).toList());
    return QueryRequest.of(new ApiCall(call.method(), call.path(), parameters, call.body()), db);
  }
}
