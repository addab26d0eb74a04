package org.hourstone.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;
import org.hourstone.write.TextPoints;
import org.jspecify.annotations.Nullable;

/**
 * {@code /api/put}, {@code /api/rollup} and {@code /api/histogram}: write points. Valid points are
 * written even if others are invalid. Responds when all of them are stored, or after {@code
 * sync_timeout}.
 */
final class PutEndpoint implements Endpoint {
  private final PutKind kind;

  PutEndpoint(PutKind kind) {
    this.kind = kind;
  }

  @Override
  public ApiAnswer answer(ApiCall call) {
    kind.checkEnabled();
    if (!call.method().equals("POST")) {
      throw ApiException.methodNotAllowed(call);
    }
    TextPoints batch = kind.batch();
    ScannedPuts scanned = batch == null ? null : PutScanner.scan(call.body());
    List<@Nullable PutPoint> points =
        scanned == null ? PutBody.read(call.body(), kind.fields()) : scanned;
    long timeoutMillis = timeoutMillis(call);
    PutReceipts receipts = new PutReceipts(points.size());
    if (batch != null && scanned != null) {
      write(scanned, batch, receipts);
    } else {
      for (int i = 0; i < points.size(); i++) {
        write(points.get(i), receipts, i);
      }
    }
    receipts.await(timeoutMillis);
    return answer(call, points, receipts, timeoutMillis > 0);
  }

  /** Writes points in their order: those that the batch takes together. */
  private void write(ScannedPuts points, TextPoints batch, PutReceipts receipts) {
    for (int i = 0; i < points.size(); i++) {
      if (!points.addTo(batch, i)) {
        batch.send(receipts);
        PutPoint point = points.get(i);
        write(point, receipts, i);
        points.remember(batch, i, point);
      }
    }
    batch.send(receipts);
  }

  private static long timeoutMillis(ApiCall call) {
    String text = call.parameter("sync_timeout").orElse("0");
    try {
      return call.has("sync") ? Math.max(0, Long.parseLong(text)) : 0;
    } catch (NumberFormatException e) {
      throw new RequestException("sync_timeout is not a number: " + text, e);
    }
  }

  private void write(@Nullable PutPoint point, PutReceipts receipts, int index) {
    if (point == null) {
      receipts.refused(index, "Unexpected null datapoint encountered in set.");
    } else if (point.metric() == null || point.metric().isEmpty()) {
      receipts.refused(index, "Metric name was empty");
    } else if (point.timestamp() <= 0) {
      receipts.refused(index, "Invalid timestamp");
    } else if (!kind.hasValue(point)) {
      receipts.refused(index, "Empty value");
    } else if (point.tags() == null || point.tags().isEmpty()) {
      receipts.refused(index, "Missing tags");
    } else {
      write(point, point.metric(), point.tags(), receipts, index);
    }
  }

  private void write(
      PutPoint point,
      String metric,
      Map<String, @Nullable String> tags,
      PutReceipts receipts,
      int index) {
    try {
      kind.put(point, metric, complete(tags), receipts, index);
    } catch (RuntimeException e) {
      receipts.failed(index, e);
    }
  }

  private static Map<String, String> complete(Map<String, @Nullable String> tags) {
    Map<String, String> complete = new HashMap<>();
    tags.forEach(
        (tagk, tagv) -> {
          if (tagv == null) {
            throw new RequestException("Invalid tag value with key [" + tagk + "]: null");
          }
          complete.put(tagk, tagv);
        });
    return complete;
  }

  private ApiAnswer answer(
      ApiCall call, List<@Nullable PutPoint> points, PutReceipts receipts, boolean timed) {
    int errors = 0;
    int timeouts = 0;
    for (int i = 0; i < points.size(); i++) {
      errors += receipts.error(i) == null ? 0 : 1;
      timeouts += receipts.isTimeout(i) ? 1 : 0;
    }
    if (!call.has("details") && !call.has("summary")) {
      if (errors > 0) {
        throw new ApiException(
            ApiException.BAD_REQUEST,
            "One or more data points had errors",
            "Please see the TSD logs or append \"details\" to the put request");
      }
      return ApiAnswer.noContent();
    }
    ObjectNode summary = Json.object().put("success", points.size() - errors);
    if (timed) {
      summary.put("timeouts", timeouts);
    }
    summary.put("failed", errors - timeouts);
    int status = errors == 0 ? ApiAnswer.OK : ApiException.BAD_REQUEST;
    return call.has("details")
        ? ApiAnswer.streamed(status, new PutDetails(summary, points, receipts, kind.fields()))
        : ApiAnswer.of(status, summary);
  }
}
