package org.hourstone.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.util.JsonFormat;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.resource.v1.Resource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.hourstone.api.request.Role;

/** Requests of OTLP as other programs write them, and what is read back. */
abstract class OtlpCase extends ApiCase {
  static final String PROTOBUF = "application/x-protobuf";
  static final String JSON = "application/json";
  static final long NANOS = 1_000_000_000;
  static final ObjectMapper MAPPER = new ObjectMapper();

  @Override
  void putPoints() {}

  record Reply(int status, String type, byte[] body, Map<String, String> headers) {
    String text() {
      return new String(body, UTF_8);
    }
  }

  Reply post(String type, byte[] body) throws IOException {
    try (ApiResponse response =
        api.respond("POST", "/v1/metrics", type, body, new Disconnection(), Role.all())) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      response.writeTo(out);
      return new Reply(
          response.status(), response.contentType(), out.toByteArray(), response.headers());
    }
  }

  Reply post(String type, ExportMetricsServiceRequest request) throws IOException {
    return post(type, type.equals(JSON) ? json(request) : request.toByteArray());
  }

  static byte[] json(ExportMetricsServiceRequest request) throws IOException {
    return JsonFormat.printer().printingEnumsAsInts().print(request).getBytes(UTF_8);
  }

  void store(Metric.Builder... metrics) throws IOException {
    Reply reply = post(PROTOBUF, request(metrics));
    assertThat(reply.status()).isEqualTo(200);
    assertThat(ExportMetricsServiceResponse.parseFrom(reply.body).hasPartialSuccess())
        .as("%s", ExportMetricsServiceResponse.parseFrom(reply.body))
        .isFalse();
  }

  static ExportMetricsServiceRequest request(Metric.Builder... metrics) {
    return request(resource(), metrics);
  }

  static ExportMetricsServiceRequest request(Resource.Builder resource, Metric.Builder... metrics) {
    ScopeMetrics.Builder scope =
        ScopeMetrics.newBuilder()
            .setScope(InstrumentationScope.newBuilder().setName("lib").setVersion("1.0"));
    Arrays.stream(metrics).forEach(scope::addMetrics);
    return ExportMetricsServiceRequest.newBuilder()
        .addResourceMetrics(
            ResourceMetrics.newBuilder().setResource(resource).addScopeMetrics(scope))
        .build();
  }

  static Resource.Builder resource(String... attributes) {
    Resource.Builder resource = Resource.newBuilder();
    for (int i = 0; i < attributes.length; i += 2) {
      resource.addAttributes(attribute(attributes[i], attributes[i + 1]));
    }
    return resource;
  }

  static KeyValue attribute(String key, String value) {
    return attribute(key, AnyValue.newBuilder().setStringValue(value));
  }

  static KeyValue attribute(String key, AnyValue.Builder value) {
    return KeyValue.newBuilder().setKey(key).setValue(value).build();
  }

  static Metric.Builder gauge(String name, NumberDataPoint.Builder... points) {
    Gauge.Builder gauge = Gauge.newBuilder();
    Arrays.stream(points).forEach(gauge::addDataPoints);
    return Metric.newBuilder().setName(name).setGauge(gauge);
  }

  static NumberDataPoint.Builder point(int second) {
    return NumberDataPoint.newBuilder()
        .setTimeUnixNano((HOUR + second) * NANOS)
        .addAttributes(attribute("host", "a"));
  }

  /** All points of a metric, as {@code metric{tag=value} second value}, sorted. */
  List<String> points(String metric) throws IOException {
    List<String> points = new ArrayList<>();
    String uri = "/api/query?start=1&end=4000000000&m=none:" + metric;
    String body = api.respond("GET", uri, "", new Disconnection(), Role.all()).body();
    for (JsonNode result : MAPPER.readTree(body)) {
      if (!result.has("dps")) {
        return List.of(body);
      }
      Map<String, String> tags = new TreeMap<>();
      result.path("tags").properties().forEach(t -> tags.put(t.getKey(), t.getValue().asText()));
      for (Map.Entry<String, JsonNode> point : result.path("dps").properties()) {
        long second = Long.parseLong(point.getKey()) - HOUR;
        points.add(result.path("metric").asText() + tags + " " + second + " " + point.getValue());
      }
    }
    points.sort(null);
    return points;
  }

  /** Statistics of this door, as type and value. */
  List<String> counts(String what) {
    return api.statistics().stream()
        .filter(each -> each.metric().endsWith("door." + what))
        .filter(each -> "otlp".equals(each.tags().get("door")))
        .map(each -> (each.tags().getOrDefault("type", "") + " " + each.value()).strip())
        .toList();
  }
}
