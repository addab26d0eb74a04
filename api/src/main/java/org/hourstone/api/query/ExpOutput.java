package org.hourstone.api.query;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.function.DoublePredicate;
import org.hourstone.expression.ExpressionDialect;
import org.hourstone.expression.ExpressionTable;

/** One output of {@code /api/query/exp}, written row by row. */
final class ExpOutput {
  private final ExpRequest.Output output;
  private final ExpressionTable table;
  private final ExpressionTable.Rows rows;
  private final ExpressionDialect dialect;
  private final DoublePredicate isNull;
  private long first;
  private long last;

  /**
   * Computes the output. Throws as {@link ExpressionTable#open}.
   *
   * @param dialect how the last timestamp is shown
   * @param isNull which values are null; others that are not numbers are texts
   */
  ExpOutput(
      ExpRequest.Output output,
      ExpressionTable table,
      ExpressionDialect dialect,
      DoublePredicate isNull) {
    this.output = output;
    this.table = table;
    this.rows = table.open();
    this.dialect = dialect;
    this.isNull = isNull;
  }

  void write(JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", output.id());
    if (output.alias() != null) {
      json.writeStringField("alias", output.alias());
    }
    json.writeArrayFieldStart("dps");
    rows.forEach((millis, values) -> row(millis, values, json));
    json.writeEndArray();
    List<ExpressionTable.Column> columns = table.columns();
    json.writeObjectFieldStart("dpsMeta");
    json.writeNumberField("firstTimestamp", first);
    json.writeNumberField("lastTimestamp", dialect.lastTimestamp(table, last));
    json.writeNumberField("setCount", table.rows());
    json.writeNumberField("series", columns.size());
    json.writeEndObject();
    if (!columns.isEmpty()) {
      meta(columns, json);
    }
    json.writeEndObject();
  }

  private void row(long millis, double[] values, JsonGenerator json) {
    first = first == 0 ? millis : first;
    last = millis;
    try {
      json.writeStartArray();
      json.writeNumber(millis);
      for (double value : values) {
        if (isNull.test(value)) {
          json.writeNull();
        } else {
          json.writeNumber(value);
        }
      }
      json.writeEndArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void meta(List<ExpressionTable.Column> columns, JsonGenerator json)
      throws IOException {
    json.writeArrayFieldStart("meta");
    json.writeStartObject();
    json.writeNumberField("index", 0);
    texts("metrics", List.of("timestamp"), json);
    json.writeEndObject();
    int index = 0;
    for (ExpressionTable.Column column : columns) {
      json.writeStartObject();
      json.writeNumberField("index", ++index);
      texts("metrics", column.metrics(), json);
      json.writeObjectFieldStart("commonTags");
      for (Map.Entry<String, String> tag : column.tags().entrySet()) {
        json.writeStringField(tag.getKey(), tag.getValue());
      }
      json.writeEndObject();
      texts("aggregatedTags", column.aggregatedTags(), json);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void texts(String field, List<String> texts, JsonGenerator json)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }
}
