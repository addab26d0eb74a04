package org.hourstone.api.query;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.annotation.Annotation;
import org.hourstone.api.endpoint.ApiDialect;
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

  /** Whether a time of 0 is 1970; else it is absent. */
  private final boolean hasOwnTimes;

  public AnnotationsEndpoint(Tsdb db, AnnotationEndpoint single, ApiDialect dialect) {
    this.db = db;
    this.single = single;
    this.hasOwnTimes = !dialect.paths().takesAnyMethod();
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    if (!call.method().equals("GET")) {
      return single.respond(call);
    }
    Annotation range = single.annotation(call);
    boolean ends = range.endTime() != 0 || (hasOwnTimes && call.has("end_time"));
    long end = ends ? range.endTime() : db.parseTime("now");
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
