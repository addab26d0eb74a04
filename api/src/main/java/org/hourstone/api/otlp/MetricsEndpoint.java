package org.hourstone.api.otlp;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import org.hourstone.DaemonSettings;
import org.hourstone.api.door.WriteDoor;
import org.hourstone.api.endpoint.BodyEndpoint;
import org.hourstone.api.proto.UnreadableException;
import org.hourstone.api.put.DoorPoints;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.DoorCounts;

/**
 * {@code /v1/metrics}: writes the metrics of a request of OTLP, in protobuf or JSON. See {@code
 * docs/doors.md#opentelemetry}.
 */
public final class MetricsEndpoint implements BodyEndpoint {
  private static final int LONGEST_REASON = 300;
  private static final String RETRY_SECONDS = "1";

  private final WriteDoor door;
  private final OtlpNames names;
  private final TagRules rules;

  public MetricsEndpoint(WriteDoor door) {
    this.door = door;
    this.names = new OtlpNames(door.options().names());
    this.rules = TagRules.of(door.options().text(DaemonSettings.OTLP_TAGS));
  }

  /** The body of a program's call is text, so it is JSON if it has no type. */
  @Override
  public ApiResponse respond(ApiCall call) {
    byte[] body = call.body().getBytes(StandardCharsets.UTF_8);
    ApiCall typed = call.contentType().isEmpty() ? call.withContentType("application/json") : call;
    return respond(typed, body, body.length);
  }

  @Override
  public ApiResponse respond(ApiCall call, byte[] body, int length) {
    Encoding encoding = Encoding.of(call.contentType());
    DoorPoints points = door.points(names, call);
    Skipped skipped = new Skipped();
    String fault = "";
    try {
      encoding.read(body, length, new MetricsReader(points, rules, skipped));
    } catch (UnreadableException e) {
      fault = e.why();
    }
    DoorPoints.Outcome outcome = points.end();
    door.counts().stored(DoorCounts.Door.OTLP, outcome.stored());
    skipped.addTo(door.counts());
    if (!fault.isEmpty()) {
      return unreadable(encoding, fault, outcome);
    }
    return response(encoding, outcome, points.refusedItems());
  }

  private static ApiResponse unreadable(
      Encoding encoding, String fault, DoorPoints.Outcome outcome) {
    String why =
        outcome.stored() == 0
            ? fault
            : fault + "; " + outcome.stored() + " values before that were stored";
    return encoding
        .response(
            ApiException.BAD_REQUEST,
            encoding.failure(OtlpErrors.code(ApiException.BAD_REQUEST), why))
        .because(why);
  }

  private static ApiResponse response(
      Encoding encoding, DoorPoints.Outcome outcome, long rejected) {
    if (outcome.refused() == 0) {
      return encoding.response(ApiResponse.OK, encoding.success());
    }
    String why = reasons(outcome);
    if (outcome.isWorthRepeating()) {
      return encoding
          .response(
              ApiException.UNAVAILABLE,
              encoding.failure(OtlpErrors.code(ApiException.UNAVAILABLE), why))
          .withHeader("Retry-After", RETRY_SECONDS)
          .counted();
    }
    return encoding.response(ApiResponse.OK, encoding.partialSuccess(rejected, why));
  }

  private static String reasons(DoorPoints.Outcome outcome) {
    return outcome.reasons().stream()
        .map(each -> each.length() > LONGEST_REASON ? each.substring(0, LONGEST_REASON) : each)
        .collect(Collectors.joining("; "));
  }
}
