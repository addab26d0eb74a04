package org.hourstone.api.put;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.hourstone.api.endpoint.ErrorDialect;
import org.hourstone.api.endpoint.Failures;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Refusals;
import org.hourstone.api.request.ResponseBody;
import org.hourstone.internal.Json;
import org.hourstone.write.InvalidNumberException;
import org.hourstone.write.SingleLine;

/** How many points of a request are stored, and how many are not. For one thread at a time. */
final class PutTotals {
  private static final int EXAMPLES = 5;

  private final Refusals refusals;
  private final ErrorDialect dialect;
  private final String client;

  /** By the reason, the line of the first point that it is for. */
  private final Map<String, Integer> examples = new LinkedHashMap<>();

  private boolean areWorthRepeating;
  private long points;
  private long errors;
  private long timeouts;

  /**
   * @param refusals counts the points that are not stored
   * @param client the sender, for the log
   */
  PutTotals(Refusals refusals, ErrorDialect dialect, String client) {
    this.refusals = refusals;
    this.dialect = dialect;
    this.client = client;
  }

  /** Adds points whose receipts have been awaited. */
  void add(WrittenPoints block) {
    points += block.size();
    if (!block.receipts().anyError()) {
      return;
    }
    for (int i = 0; i < block.size(); i++) {
      PutReceipts.Refusal refusal = block.receipts().refusal(i);
      if (refusal != null) {
        errors++;
        areWorthRepeating |= refusal.isWorthRepeating();
        int point = i;
        if (examples.size() < EXAMPLES) {
          examples.putIfAbsent(SingleLine.of(reason(refusal)), block.line(i));
        }
        refusals.point(
            refusal.reason(), client, text(refusal), () -> block.text(point), refusal.cause());
      }
      timeouts += block.receipts().isTimeout(i) ? 1 : 0;
    }
  }

  /** What the response says, and what it does not say of a value that is not a number. */
  private static String text(PutReceipts.Refusal refusal) {
    return refusal.cause() instanceof InvalidNumberException e
        ? refusal.text() + ": " + e.getMessage()
        : refusal.text();
  }

  private static String reason(PutReceipts.Refusal refusal) {
    RuntimeException cause = refusal.cause();
    return cause == null ? refusal.text() : Failures.ofLine(cause);
  }

  /** Why points are not stored: the first reasons, with the line of the first point of each. */
  List<String> examples() {
    return examples.entrySet().stream()
        .map(each -> (each.getValue() > 0 ? "line " + each.getValue() + ": " : "") + each.getKey())
        .toList();
  }

  /** How many points are not stored. */
  long errors() {
    return errors;
  }

  /** Whether points that are not stored may be if they are sent again. */
  boolean areWorthRepeating() {
    return areWorthRepeating;
  }

  /** How many points were read. */
  long points() {
    return points;
  }

  /** The text of an error about the points before it; empty if there are none. */
  String beforeError() {
    return points == 0
        ? ""
        : "; "
            + (points - errors)
            + " points before that were stored"
            + (errors == 0 ? "" : ", " + errors + " were not");
  }

  /** The status of an error about the points before it that has this status by itself. */
  int status(int error) {
    return areWorthRepeating ? Math.max(error, dialect.ofUnstoredPoints()) : error;
  }

  /**
   * The response if all points were read.
   *
   * @param timed whether it has waited for a limited time
   * @param details the body that begins with the given counts
   */
  ApiResponse respond(ApiCall call, boolean timed, Function<ObjectNode, ResponseBody> details) {
    if (!call.has("details") && !call.has("summary")) {
      if (errors > 0) {
        return ApiResponse.error(
                status(),
                "One or more data points had errors",
                "Please see the TSD logs or append \"details\" to the put request")
            .counted();
      }
      return ApiResponse.noContent();
    }
    ObjectNode summary = Json.object().put("success", points - errors);
    if (timed) {
      summary.put("timeouts", timeouts);
    }
    summary.put("failed", errors - timeouts);
    if (call.has("mirrored")) {
      summary.put("mirrored", true); // so that the mirror knows that this is no OpenTSDB
    }
    ApiResponse response =
        call.has("details")
            ? ApiResponse.streamed(status(), details.apply(summary))
            : ApiResponse.of(status(), summary);
    return response.counted();
  }

  private int status() {
    return errors == 0 ? ApiResponse.OK : status(ApiException.BAD_REQUEST);
  }
}
