package org.hourstone.api;

import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.annotation.Annotation;

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
    List<Annotation> found = db.annotations().global(range.startTime(), end);
    return ApiAnswer.ok(AnnotationJson.of(found));
  }
}
