package org.hourstone.api.put;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Iterator;
import java.util.stream.Stream;
import org.hourstone.api.request.ResponseBody;
import org.hourstone.internal.Json;

/**
 * The response of {@code /api/put} with {@code details}: the summary, and each point that is not
 * stored. It is much longer than a request of many bad points, so it is written point by point.
 *
 * @param errors as of {@link PutBlock#errors}
 */
record PutDetails(ObjectNode summary, Stream<String> errors) implements ResponseBody {

  @Override
  public void writeTo(OutputStream out) throws IOException {
    byte[] counts = Json.bytes(summary);
    out.write(counts, 0, counts.length - 1);
    out.write(",\"errors\":[".getBytes(UTF_8));
    String separator = "";
    for (Iterator<String> each = errors.iterator(); each.hasNext(); separator = ",") {
      out.write((separator + each.next()).getBytes(UTF_8));
    }
    out.write("]}".getBytes(UTF_8));
  }

  @Override
  public void close() {}
}
