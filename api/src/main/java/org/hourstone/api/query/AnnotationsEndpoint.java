package org.hourstone.api.query;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.annotation.Annotation;
import org.hourstone.api.endpoint.BudgetedResponse;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.ResponseBody;
import org.hourstone.internal.Json;

/**
 * {@code /api/annotations}: the global annotations of a range; in strict mode requests of other
 * methods are for one annotation.
 */
public final class AnnotationsEndpoint implements Endpoint {
  private final Tsdb db;
  private final AnnotationEndpoint single;

  public AnnotationsEndpoint(Tsdb db, AnnotationEndpoint single) {
    this.db = db;
    this.single = single;
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    if (!call.method().equals("GET")) {
      return single.respond(call);
    }
    Annotation range = single.annotation(call);
    long end = range.endTime() == 0 ? db.parseTime("now") : range.endTime();
    return BudgetedResponse.of(
        db,
        call,
        () -> "global annotations",
        budget -> {
          List<Annotation> found =
              db.annotations().global(range.startTime(), end, budget.memory()::grow);
          return ApiResponse.streamed(new Listed(found));
        });
  }

  /** Its memory is that of the request until it is sent. */
  private record Listed(List<Annotation> found) implements ResponseBody {
    @Override
    public void writeTo(OutputStream out) throws IOException {
      out.write('[');
      for (int i = 0; i < found.size(); i++) {
        if (i > 0) {
          out.write(',');
        }
        out.write(Json.bytes(AnnotationJson.of(found.get(i))));
      }
      out.write(']');
    }

    @Override
    public void close() {}
  }
}
