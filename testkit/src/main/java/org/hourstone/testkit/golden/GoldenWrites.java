package org.hourstone.testkit.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.hourstone.Tsdb;
import org.hourstone.api.Api;
import org.hourstone.api.ApiCall;
import org.hourstone.api.Telnet;
import org.hourstone.kv.Family;
import org.jspecify.annotations.Nullable;

/**
 * Makes recorded writes, one after the other, and compares what is answered or thrown with the
 * recording.
 */
final class GoldenWrites {
  private final Tsdb db;
  private final String scenario;
  private final Api api;
  private final Telnet telnet;

  GoldenWrites(Tsdb db, Scenario scenario) {
    this.db = db;
    this.scenario = scenario.toString();
    this.api = new Api(db);
    this.telnet = new Telnet(db);
  }

  void make(JsonNode write) {
    switch (write.required("op").asText()) {
      case "put" -> compareError(write, catchThrowable(() -> put(write)));
      case "telnet" ->
          assertThat(telnet.answer(write.required("line").asText()).join())
              .describedAs("%s: %s", scenario, write.get("line"))
              .isEqualTo(write.required("response").asText());
      case "http" -> http(write);
      case "rawput" ->
          db.store()
              .put(
                  new Family(write.required("table").asText(), write.required("family").asText()),
                  hex(write, "row"),
                  hex(write, "qualifier"),
                  hex(write, "value"));
      case "queue" -> db.compactions().add(hex(write, "row"));
      default -> throw new AssertionError(scenario + ": unknown operation: " + write);
    }
  }

  private void http(JsonNode write) {
    JsonNode body = write.path("body");
    ApiCall call =
        ApiCall.of(
            write.required("method").asText(),
            write.required("path").asText(),
            body.isTextual() || body.isMissingNode() ? body.asText() : body.toString());
    RecordedAnswer.compare(scenario + ": " + call, write, api.answer(call));
  }

  /** What a write through the Java API threw has a class and a message in the recording. */
  private void compareError(JsonNode write, @Nullable Throwable failure) {
    String error = write.path("error").asText();
    if (failure == null || error.isEmpty()) {
      assertThat(failure).describedAs("%s: %s", scenario, write).isNull();
      assertThat(error).describedAs("%s: %s: nothing was thrown", scenario, write).isEmpty();
    } else {
      assertThat(error)
          .describedAs("%s: %s", scenario, write)
          .endsWith(": " + failure.getMessage());
    }
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
