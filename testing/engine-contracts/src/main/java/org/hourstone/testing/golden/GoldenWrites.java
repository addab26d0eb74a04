package org.hourstone.testing.golden;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.hourstone.Tsdb;
import org.hourstone.api.Api;
import org.hourstone.api.Telnet;
import org.hourstone.api.request.ApiCall;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Timestamps;
import org.hourstone.kv.Family;
import org.hourstone.kv.StoreException;
import org.hourstone.write.PointValue;
import org.hourstone.write.SeriesWriter;
import org.jspecify.annotations.Nullable;

/**
 * Makes recorded writes, one after the other, and compares what is answered or thrown with the
 * recording.
 */
final class GoldenWrites {
  private final Set<Deviation> deviations;
  private final Tsdb db;
  private final String scenario;
  private final Api api;
  private final Telnet telnet;
  private final boolean anyNames;

  /**
   * @param deviations to which those are added that writes show
   * @param anyNames whether names with letters beyond ISO-8859-1 are let in, as OpenTSDB does
   */
  GoldenWrites(Tsdb db, Api api, Scenario scenario, boolean anyNames, Set<Deviation> deviations) {
    this.deviations = deviations;
    this.anyNames = anyNames;
    this.db = db;
    this.scenario = scenario.toString();
    this.api = api;
    this.telnet = new Telnet(db);
  }

  void make(JsonNode write) {
    if (NamesBeyondLatin1.areIn(write) && (!anyNames || NamesBeyondLatin1.wereOnceRefused(write))) {
      if (!anyNames) {
        refuse(write);
      }
      return;
    }
    switch (write.required("op").asText()) {
      case "put" -> compareError(write, catchThrowable(() -> put(write)));
      case "rows" -> rows(write);
      case "batch" -> batch(write);
      case "telnet" ->
          assertThat(telnet.respond(asReceived(write.required("line").asText())).join())
              .describedAs("%s: %s", scenario, write.get("line"))
              .isEqualTo(write.path("response").asText());
      case "http" -> http(write);
      case "rawput" ->
          db.engine()
              .store()
              .put(
                  new Family(write.required("table").asText(), write.required("family").asText()),
                  hex(write, "row"),
                  hex(write, "qualifier"),
                  hex(write, "value"));
      case "queue" -> db.compactions().add(hex(write, "row"));
      default -> throw new AssertionError(scenario + ": unknown operation: " + write);
    }
  }

  /** A line was sent as UTF-8, and the telnet port takes bytes for ISO-8859-1. */
  private static String asReceived(String line) {
    return new String(line.getBytes(UTF_8), ISO_8859_1);
  }

  private void refuse(JsonNode write) {
    String told =
        switch (write.required("op").asText()) {
          case "put" -> String.valueOf(catchThrowable(() -> put(write)));
          case "rows" -> String.valueOf(catchThrowable(() -> rows(write)));
          case "batch" -> String.valueOf(catchThrowable(() -> batch(write)));
          default -> api.respond(RecordedAnswer.call(write)).toString();
        };
    NamesBeyondLatin1.assertRefusal(scenario + ": " + write, told);
  }

  /** Points that a program put one by one, until OpenTSDB refused one out of order. */
  private void rows(JsonNode write) {
    SeriesWriter series = db.writer().series(write.required("metric").asText(), tags(write));
    long last = -1;
    for (JsonNode point : write.required("points")) {
      long timestamp = point.required("timestamp").asLong();
      if (Timestamps.toMillis(timestamp) <= last) {
        assertThat(write.path("error").asText()).contains("is less than or equal to previous");
        return;
      }
      last = Timestamps.toMillis(timestamp);
      String value = point.required("value").asText();
      SingleReceipt receipt = new SingleReceipt();
      switch (point.required("type").asText()) {
        case "int" -> series.put(timestamp, Long.parseLong(value), receipt, 0);
        case "float" -> series.put(timestamp, Float.parseFloat(value), receipt, 0);
        case "double" -> series.put(timestamp, Double.parseDouble(value), receipt, 0);
        default -> throw new AssertionError("unknown type: " + point);
      }
      receipt.await();
    }
  }

  /** The cell of a batch of OpenTSDB's, which is only read here. */
  private void batch(JsonNode write) {
    SeriesWriter series = db.writer().series(write.required("metric").asText(), tags(write));
    RowPoints points = new RowPoints();
    long base = 0;
    for (JsonNode point : write.required("points")) {
      long timestamp = point.required("timestamp").asLong();
      base = Timestamps.baseTime(timestamp);
      PointValue value = value(point);
      points.add(
          (int) (Timestamps.toMillis(timestamp) - base * 1000),
          Timestamps.isMillis(timestamp),
          value.flags(),
          value.raw());
    }
    CompactedCell cell = CompactedCell.of(points, Integer.MAX_VALUE).get(0).withoutMetadataByte();
    db.engine()
        .store()
        .put(
            db.engine().tables().points(),
            db.engine().keys().rowKey(series.tsuid(), base),
            cell.qualifier(),
            cell.value());
  }

  private static PointValue value(JsonNode point) {
    String value = point.required("value").asText();
    return switch (point.required("type").asText()) {
      case "int" -> PointValue.of(Long.parseLong(value));
      case "float" -> PointValue.of(Float.parseFloat(value));
      case "double" -> PointValue.of(Double.parseDouble(value));
      default -> throw new AssertionError("unknown type: " + point);
    };
  }

  private void http(JsonNode write) {
    ApiCall call = RecordedAnswer.call(write);
    RecordedAnswer.compare(scenario + ": " + call, write, api.respond(call));
  }

  /** What a write through the Java API threw has a class and a message in the recording. */
  private void compareError(JsonNode write, @Nullable Throwable failure) {
    String error = write.path("error").asText();
    if (error.isEmpty() && isRefusedBehindDeletion(failure)) {
      deviations.add(Deviation.PUT_REFUSED_BEHIND_DELETE_MARKER);
      return;
    }
    if (failure == null || error.isEmpty()) {
      assertThat(failure).describedAs("%s: %s", scenario, write).isNull();
      assertThat(error).describedAs("%s: %s: nothing was thrown", scenario, write).isEmpty();
    } else {
      assertThat(error)
          .describedAs("%s: %s", scenario, write)
          .endsWith(": " + failure.getMessage());
    }
  }

  private static boolean isRefusedBehindDeletion(@Nullable Throwable failure) {
    return failure != null
        && failure.getCause() instanceof StoreException refusal
        && refusal.outcome() == StoreException.Outcome.REJECTED
        && String.valueOf(refusal.getMessage()).contains("is hidden by a later deletion");
  }

  private static byte[] hex(JsonNode write, String field) {
    return HexFormat.of().parseHex(write.required(field).asText());
  }

  private void put(JsonNode write) {
    String metric = write.required("metric").asText();
    Map<String, String> tags = tags(write);
    long timestamp = write.required("timestamp").asLong();
    String value = write.required("value").asText();
    SingleReceipt receipt = new SingleReceipt();
    switch (write.required("type").asText()) {
      case "int" -> db.writer().put(metric, tags, timestamp, Long.parseLong(value), receipt, 0);
      case "float" -> db.writer().put(metric, tags, timestamp, Float.parseFloat(value), receipt, 0);
      case "double" ->
          db.writer().put(metric, tags, timestamp, Double.parseDouble(value), receipt, 0);
      default -> throw new AssertionError("unknown type: " + write);
    }
    receipt.await();
  }

  private static Map<String, String> tags(JsonNode write) {
    Map<String, String> tags = new LinkedHashMap<>();
    write
        .required("tags")
        .properties()
        .forEach(tag -> tags.put(tag.getKey(), tag.getValue().asText()));
    return tags;
  }
}
