package org.hourstone.api;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hourstone.ConfigKey;
import org.hourstone.Tsdb;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.expression.ExpressionEngine;
import org.hourstone.expression.ExpressionException;
import org.hourstone.expression.SeriesExpression;
import org.hourstone.internal.JsonBuffer;
import org.hourstone.query.Query;
import org.hourstone.query.QueryLimitException;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;

/**
 * {@code /api/query/gexp}: functions around queries. Its parameters are those of {@code /api/query}
 * but for {@code exp} in place of {@code m}.
 */
final class GexpEndpoint implements Endpoint {
  private static final int CAPACITY = 1 << 16;

  private final Tsdb db;
  private final boolean openTsdb;

  GexpEndpoint(Tsdb db) {
    this.db = db;
    this.openTsdb = db.options().flag(ConfigKey.OPENTSDB_REQUESTS);
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
      throw QueryEndpoint.exceeded(e);
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
    Query any = RequestedQueries.of(request, db).get(0);
    JsonBuffer json = new JsonBuffer(CAPACITY);
    SeriesWriter writer =
        new SeriesWriter(
            json,
            request.has(QueryFlag.MILLISECONDS),
            request.has(QueryFlag.ARRAYS),
            false,
            openTsdb);
    json.raw('[');
    String separator = "{";
    for (SeriesExpression expression : expressions) {
      try (SeriesCursor cursor = engine.evaluate(expression, any.startMillis(), any.endMillis())) {
        for (ResultSeries series = cursor.next(); series != null; series = cursor.next()) {
          json.raw(separator);
          separator = ",{";
          write(series, request, writer);
          json.raw('}');
        }
      }
    }
    json.raw(']');
    return new ApiAnswer(ApiAnswer.OK, new String(json.toByteArray(), StandardCharsets.UTF_8));
  }

  private static void write(ResultSeries series, QueryRequest request, SeriesWriter writer) {
    writer.title(series);
    if (request.has(QueryFlag.SHOW_TSUIDS)) {
      writer.texts("tsuids", series.tsuids());
    }
    int written = 0;
    do {
      written = writer.points(series, written);
    } while (written < series.size());
  }

  /** The request for the queries in the expressions. */
  private QueryRequest request(ApiCall call, List<SeriesExpression> expressions) {
    Map<String, List<String>> parameters = new LinkedHashMap<>(call.parameters());
    parameters.put(
        "m", expressions.stream().flatMap(expression -> expression.queries().stream()).toList());
    ApiCall queries = new ApiCall(call.method(), call.path(), parameters, call.body());
    return QueryParameters.read(queries, openTsdb);
  }
}
