package org.hourstone.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Set;
import org.hourstone.internal.Json;
import org.jspecify.annotations.Nullable;

/**
 * The response of {@code /api/put} with {@code details}: the summary, and each point that is not
 * stored. It is much longer than a request of many bad points, so it is written point by point.
 *
 * @param fields of a point, as of {@link PutKind#fields}
 */
record PutDetails(
    ObjectNode summary, List<@Nullable PutPoint> points, PutReceipts receipts, Set<String> fields)
    implements AnswerBody {

  @Override
  public void writeTo(OutputStream out) throws IOException {
    byte[] counts = Json.bytes(summary);
    out.write(counts, 0, counts.length - 1);
    out.write(",\"errors\":[".getBytes(UTF_8));
    String separator = "";
    for (int i = 0; i < points.size(); i++) {
      String error = receipts.error(i);
      if (error != null) {
        PutPoint point = points.get(i);
        ObjectNode one =
            Json.object()
                .putPOJO("datapoint", point == null ? null : point.toJson(fields))
                .put("error", error);
        out.write((separator + Json.text(one)).getBytes(UTF_8));
        separator = ",";
      }
    }
    out.write("]}".getBytes(UTF_8));
  }

  @Override
  public void close() {}
}
