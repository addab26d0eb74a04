package org.hourstone.api.query;

import java.util.function.LongConsumer;
import org.hourstone.Tsdb;
import org.hourstone.annotation.Annotation;
import org.hourstone.api.endpoint.ApiDialect;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BudgetedResponse;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.endpoint.ErrorDialect;
import org.hourstone.api.endpoint.HandlingRoom;
import org.hourstone.api.endpoint.RequestBody;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.error.RequestException;

/** {@code /api/annotation}: one annotation. */
public final class AnnotationEndpoint implements Endpoint {
  private final Tsdb db;
  private final ErrorDialect errors;
  private final ApiDialect dialect;

  public AnnotationEndpoint(Tsdb db, ApiOptions options) {
    this.db = db;
    this.errors = options.errors();
    this.dialect = options.requests();
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    return BudgetedResponse.of(
        db,
        call,
        () -> "an annotation",
        budget -> respond(call, HandlingRoom.beyond(budget.memory()::grow)));
  }

  /**
   * @param memory counts what is made of the annotation beyond what each request has room for
   */
  private ApiResponse respond(ApiCall call, LongConsumer memory) {
    return switch (call.method()) {
      case "GET" -> get(annotation(call), memory);
      case "POST" -> save(annotation(call), false, memory);
      case "PUT" -> save(annotation(call), true, memory);
      case "DELETE" -> delete(annotation(call));
      default -> throw ApiException.methodNotAllowed(call);
    };
  }

  private ApiResponse get(Annotation wanted, LongConsumer memory) {
    Annotation found;
    try {
      found = db.annotations().get(wanted.tsuid(), wanted.startTime(), memory);
    } catch (RequestException e) {
      throw errors.wrongAnnotation(e);
    }
    if (found == null) {
      throw new ApiException(ApiException.NOT_FOUND, "Unable to locate annotation in storage");
    }
    return ApiResponse.ok(AnnotationJson.of(found));
  }

  private ApiResponse save(Annotation annotation, boolean overwrite, LongConsumer memory) {
    try {
      return db.annotations()
          .save(annotation, overwrite, memory)
          .map(stored -> ApiResponse.ok(AnnotationJson.of(stored)))
          .orElseGet(ApiResponse::notModified);
    } catch (RequestException e) {
      throw ApiException.explained(e);
    }
  }

  private ApiResponse delete(Annotation annotation) {
    try {
      db.annotations().delete(annotation.tsuid(), annotation.startTime());
    } catch (RequestException e) {
      throw new ApiException(
          ApiException.BAD_REQUEST, "Unable to delete Annotation information", e.getMessage());
    }
    return ApiResponse.noContent();
  }

  private long time(String name, String text) {
    try {
      return db.parseTime(text);
    } catch (RequestException e) {
      String place = dialect.faults().placeOfTime(name);
      throw place.isEmpty()
          ? errors.wrongAnnotation(e)
          : new ApiException(ApiException.BAD_REQUEST, String.valueOf(e.getMessage()), place);
    }
  }

  /** The annotation of a request: from its body or, without a body, from its parameters. */
  Annotation annotation(ApiCall call) {
    if (!call.body().isEmpty()) {
      try {
        return AnnotationJson.read(RequestBody.anyObject(call, dialect.bodies()));
      } catch (ApiException | RequestException e) {
        throw errors.wrongAnnotation(e);
      }
    }
    String start = call.parameter("start_time").orElse("");
    if (start.isEmpty()) {
      throw new ApiException(ApiException.BAD_REQUEST, "Missing start time");
    }
    String end = call.parameter("end_time").orElse("");
    return new Annotation(
        call.parameter("tsuid").orElse(""),
        dialect.annotations().time(time("start_time", start)),
        end.isEmpty() ? 0 : dialect.annotations().time(time("end_time", end)),
        call.parameter("description").orElse(""),
        call.parameter("notes").orElse(""),
        null);
  }
}
