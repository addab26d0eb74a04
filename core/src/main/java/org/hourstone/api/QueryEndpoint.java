package org.hourstone.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.hourstone.Tsdb;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.internal.Json;
import org.hourstone.query.Query;
import org.hourstone.query.QueryLimitException;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;

/** {@code /api/query}: answers queries. */
final class QueryEndpoint implements Endpoint {
  private static final int TOO_LARGE = 413;

  private final Tsdb db;

  QueryEndpoint(Tsdb db) {
    this.db = db;
  }

  @Override
  public ApiAnswer answer(ApiCall call) {
    if (!call.method().equals("GET") && !call.method().equals("POST")) {
      throw ApiException.methodNotAllowed(call);
    }
    QueryRequest request = QueryRequest.of(call, db);
    StringWriter body = new StringWriter();
    try (JsonGenerator json = Json.generator(body)) {
      json.writeStartArray();
      for (Query query : request.queries()) {
        write(query, request, json);
      }
      json.writeEndArray();
    } catch (CorruptDataException e) {
      throw new ApiException(ApiException.BAD_REQUEST, String.valueOf(e.getMessage()));
    } catch (QueryLimitException e) {
      throw new ApiException(TOO_LARGE, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return new ApiAnswer(ApiAnswer.OK, body.toString());
  }

  private void write(Query query, QueryRequest request, JsonGenerator json) throws IOException {
    try (SeriesCursor cursor = db.query(query)) {
      for (ResultSeries series = cursor.next(); series != null; series = cursor.next()) {
        write(series, request, json);
      }
    }
  }

  private static void write(ResultSeries series, QueryRequest request, JsonGenerator json)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("metric", series.metric());
    json.writeObjectFieldStart("tags");
    for (Map.Entry<String, String> tag : series.tags().entrySet()) {
      json.writeStringField(tag.getKey(), tag.getValue());
    }
    json.writeEndObject();
    writeTexts("aggregateTags", series.aggregateTags(), json);
    if (request.showTsuids()) {
      writeTexts("tsuids", series.tsuids(), json);
    }
    json.writeObjectFieldStart("dps");
    for (int i = 0; i < series.size(); i++) {
      long time = request.milliseconds() ? series.millis(i) : series.millis(i) / 1000;
      json.writeFieldName(Long.toString(time));
      if (series.isInteger(i)) {
        json.writeNumber(series.longValue(i));
      } else {
        json.writeNumber(series.doubleValue(i));
      }
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void writeTexts(String field, List<String> texts, JsonGenerator json)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }
}
