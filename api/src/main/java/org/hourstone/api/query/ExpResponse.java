package org.hourstone.api.query;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.hourstone.api.request.ResponseBody;
import org.hourstone.internal.Json;

/**
 * The JSON of {@code /api/query/exp}, row by row.
 *
 * @param echo the request as repeated in the response
 */
record ExpResponse(List<ExpOutput> outputs, ObjectNode echo) implements ResponseBody {
  @Override
  public void writeTo(OutputStream out) throws IOException {
    try (JsonGenerator json = Json.generator(new OutputStreamWriter(out, StandardCharsets.UTF_8))) {
      json.writeStartObject();
      json.writeArrayFieldStart("outputs");
      for (ExpOutput output : outputs) {
        output.write(json);
      }
      json.writeEndArray();
      json.writeFieldName("query");
      json.writeRawValue(Json.text(echo));
      json.writeEndObject();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  @Override
  public void close() {
    // Nothing is left to read.
  }
}
