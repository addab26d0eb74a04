package org.hourstone.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import org.hourstone.Tsdb;
import org.hourstone.expression.ExpressionEngine;
import org.hourstone.expression.ExpressionTable;
import org.hourstone.internal.Json;

/** {@code /api/query/exp}: formulas over several metrics, joined by their tags. */
final class ExpEndpoint implements Endpoint {
  private final Tsdb db;

  ExpEndpoint(Tsdb db) {
    this.db = db;
  }

  @Override
  public ApiAnswer answer(ApiCall call) {
    ExpressionEngine engine = ExpressionEngine.of(db);
    boolean post = call.method().equals("POST");
    if (!post && !(engine.dialect().allowsGet() && call.method().equals("GET"))) {
      throw ApiException.methodNotAllowed(call);
    }
    return ExpressionErrors.answered(
        () -> answer(call, engine), ApiDialect.of(db), engine.dialect());
  }

  private ApiAnswer answer(ApiCall call, ExpressionEngine engine) {
    ExpRequest request = ExpRequest.of(call.body(), db);
    Map<String, ExpressionTable> tables = engine.evaluate(request.query());
    StringWriter body = new StringWriter();
    try (JsonGenerator json = Json.generator(body)) {
      json.writeStartObject();
      json.writeArrayFieldStart("outputs");
      for (ExpRequest.Output output : request.outputs()) {
        ExpressionTable table = tables.get(output.id());
        if (table != null) {
          new ExpOutput(table, engine.dialect()).write(output, json);
        }
      }
      json.writeEndArray();
      json.writeFieldName("query");
      json.writeRawValue(Json.text(request.echo()));
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return new ApiAnswer(ApiAnswer.OK, body.toString());
  }
}
