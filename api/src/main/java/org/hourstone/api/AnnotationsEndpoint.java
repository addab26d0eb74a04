package org.hourstone.api;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.annotation.Annotation;
import org.hourstone.internal.Json;

/**
 * {@code /api/annotations}: the global annotations of a range; other requests as for one
 * annotation.
 */
final class AnnotationsEndpoint implements Endpoint {
  private final Tsdb db;
  private final AnnotationEndpoint single;

  AnnotationsEndpoint(Tsdb db, AnnotationEndpoint single) {
    this.db = db;
    this.single = single;
  }

  @Override
  public ApiAnswer answer(ApiCall call) {
    if (!call.method().equals("GET")) {
      return single.answer(call);
    }
    Annotation range = single.annotation(call);
    long end = range.endTime() == 0 ? db.parseTime("now") : range.endTime();
    return BudgetedAnswer.of(
        db,
        call,
        () -> "global annotations",
        budget -> {
          List<Annotation> found =
              db.annotations().global(range.startTime(), end, budget.memory()::grow);
          return ApiAnswer.streamed(new Listed(found));
        });
  }

  /** Its memory is that of the request until it is sent. */
  private record Listed(List<Annotation> found) implements AnswerBody {
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
