package org.hourstone.mirror;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.internal.Json;
import org.hourstone.mirror.MirrorCounts.Refused;
import org.hourstone.write.SingleLine;
import org.jspecify.annotations.Nullable;

/** What the other server has done with the points of a request. */
sealed interface PutResult {
  /**
   * How the errors of points begin that are not the fault of the point: the store behind the server
   * fails, so they may be stored if they are sent again.
   */
  List<String> STORE_ERRORS =
      List.of("Storage exception", "Please throttle", "Timeout exception", "Write timedout");

  /** That of a point with which the server itself fails, now or always. */
  String UNEXPECTED = "Unexpected exception";

  /**
   * All points are settled.
   *
   * @param refusals of some of them
   * @param isHourstone whether the server knows requests of mirrors
   */
  record Settled(List<Refusal> refusals, boolean isHourstone) implements PutResult {}

  /** A point was refused. */
  record Refusal(Refused reason, String text) {}

  /**
   * The request was refused, without saying which of its points is wrong.
   *
   * @param isExplicit whether the server says so itself: else it may be something before it, and a
   *     single point is not refused for that
   */
  record Unexplained(String text, boolean isExplicit) implements PutResult {}

  /**
   * The server or the connection fails: the request is to be repeated.
   *
   * @param isOfStore whether the server says that it is busy, or that its store fails, maybe only a
   *     part of it: so it is not due to a point that others are accepted
   */
  record Failed(String text, boolean isOfStore) implements PutResult {
    /** Without a response that says so. */
    Failed(String text) {
      this(text, false);
    }
  }

  /**
   * By the response to a request with details.
   *
   * @param points of the request
   */
  static PutResult of(int status, byte[] response, int points) {
    if (status == 204) {
      return new Settled(List.of(), false);
    }
    JsonNode body = json(response);
    boolean hasDetails = body.path("errors").isArray() && body.path("success").isNumber();
    if ((status == 200 || status == 400) && hasDetails) {
      String passing = passing(body.path("errors"));
      return passing == null
          ? new Settled(refusals(body, points), body.path("mirrored").asBoolean())
          : new Failed(
              "status " + status + ": " + SingleLine.of(passing), isOfStore(body.path("errors")));
    }
    JsonNode error = body.path("error");
    String message = error.path("message").asText("");
    String text = "status " + status + (message.isEmpty() ? "" : ": " + SingleLine.of(message));
    return status == 400 || status == 413
        ? new Unexplained(text, status == 413 || !error.isMissingNode())
        : new Failed(text, status == 429 || status == 503);
  }

  private static JsonNode json(byte[] body) {
    try {
      return Json.readWhole(new String(body, StandardCharsets.UTF_8));
    } catch (RuntimeException e) {
      return Json.object(); // a page of a proxy
    }
  }

  /** The first error that passes, or null. */
  private static @Nullable String passing(JsonNode errors) {
    for (JsonNode each : errors) {
      String error = each.path("error").asText("");
      if (isOfStore(error) || error.startsWith(UNEXPECTED)) {
        return error;
      }
    }
    return null;
  }

  private static boolean isOfStore(String error) {
    return STORE_ERRORS.stream().anyMatch(error::startsWith);
  }

  private static boolean isOfStore(JsonNode errors) {
    for (JsonNode each : errors) {
      if (isOfStore(each.path("error").asText(""))) {
        return true;
      }
    }
    return false;
  }

  private static List<Refusal> refusals(JsonNode body, int points) {
    List<Refusal> refusals = new ArrayList<>();
    for (JsonNode each : body.path("errors")) {
      if (refusals.size() == points) {
        break;
      }
      String error = each.path("error").asText("");
      refusals.add(
          new Refusal(
              reason(error), SingleLine.of(error + ": " + Json.text(each.path("datapoint")))));
    }
    // Hourstone lists only a part if there are many.
    long failed = Math.min(points, body.path("failed").asLong());
    while (refusals.size() < failed) {
      refusals.add(new Refusal(Refused.ILLEGAL_ARGUMENTS, "not listed"));
    }
    return refusals;
  }

  private static Refused reason(String error) {
    if (error.startsWith("Unknown metric") || error.contains("No such name")) {
      return Refused.UNKNOWN_METRICS;
    }
    return error.contains("parse value") ? Refused.INVALID_VALUES : Refused.ILLEGAL_ARGUMENTS;
  }
}
