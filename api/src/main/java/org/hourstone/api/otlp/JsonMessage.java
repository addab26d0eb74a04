package org.hourstone.api.otlp;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The members of a message of OTLP in JSON that are read, by name, with what they are in protobuf;
 * all others are ignored, as OTLP demands.
 */
final class JsonMessage {
  /** The request. */
  static final JsonMessage REQUEST = request();

  private final Map<String, Member> members = new HashMap<>();

  /** Bits of the fields of which a message has one. */
  private long alternatives;

  /** What a member is in protobuf. */
  enum Kind {
    TEXT,
    FLAG,
    BASE64,
    /** An integer of 64 bits with a sign. */
    VARINT,
    /** One of 32 bits without a sign. */
    BITS,
    /** An aggregation temporality, by its number or name. */
    TEMPORALITY,
    /** One of 32 bits with a sign that is next to its lowest bit. */
    ZIGZAG,
    /** One of 64 bits without a sign, in eight bytes. */
    FIXED,
    /** One with a sign. */
    SIGNED_FIXED,
    DECIMAL,
    MESSAGE,
    /** Lists of numbers without a sign, of decimals and of messages. */
    VARINTS,
    FIXEDS,
    DECIMALS,
    MESSAGES
  }

  /**
   * A member.
   *
   * @param field less than 64
   * @param message that of its value, or of each; null if that is not a message
   */
  record Member(int field, Kind kind, @Nullable JsonMessage message) {}

  private JsonMessage with(int field, String name, Kind kind) {
    members.put(name, new Member(field, kind, null));
    return this;
  }

  private JsonMessage with(int field, String name, Kind kind, JsonMessage message) {
    members.put(name, new Member(field, kind, message));
    return this;
  }

  /** Of these fields a message has one: protobuf would keep the last. */
  private JsonMessage oneOf(int... fields) {
    for (int field : fields) {
      alternatives |= 1L << field;
    }
    return this;
  }

  /** The bits of the fields that can't be in a message with this one, itself among them. */
  long instead(int field) {
    long bit = 1L << field;
    return (alternatives & bit) == 0 ? bit : alternatives;
  }

  /** Null for a member that is not read. */
  @Nullable Member member(String name) {
    return members.get(name);
  }

  private static JsonMessage request() {
    JsonMessage nothing = new JsonMessage();
    JsonMessage value = new JsonMessage();
    JsonMessage attribute =
        new JsonMessage().with(1, "key", Kind.TEXT).with(2, "value", Kind.MESSAGE, value);
    value
        .with(Otlp.STRING, "stringValue", Kind.TEXT)
        .with(Otlp.BOOL, "boolValue", Kind.FLAG)
        .with(Otlp.INT, "intValue", Kind.VARINT)
        .with(Otlp.DOUBLE, "doubleValue", Kind.DECIMAL)
        .with(
            Otlp.ARRAY,
            "arrayValue",
            Kind.MESSAGE,
            new JsonMessage().with(1, "values", Kind.MESSAGES, value))
        .with(
            Otlp.MAP,
            "kvlistValue",
            Kind.MESSAGE,
            new JsonMessage().with(1, "values", Kind.MESSAGES, attribute))
        .with(Otlp.BYTES, "bytesValue", Kind.BASE64)
        .oneOf(Otlp.STRING, Otlp.BOOL, Otlp.INT, Otlp.DOUBLE, Otlp.ARRAY, Otlp.MAP, Otlp.BYTES);
    JsonMessage number =
        new JsonMessage()
            .with(2, "startTimeUnixNano", Kind.FIXED)
            .with(3, "timeUnixNano", Kind.FIXED)
            .with(4, "asDouble", Kind.DECIMAL)
            .with(5, "exemplars", Kind.MESSAGES, nothing)
            .with(6, "asInt", Kind.SIGNED_FIXED)
            .with(7, "attributes", Kind.MESSAGES, attribute)
            .with(8, "flags", Kind.BITS)
            .oneOf(4, 6);
    JsonMessage histogram =
        new JsonMessage()
            .with(2, "startTimeUnixNano", Kind.FIXED)
            .with(3, "timeUnixNano", Kind.FIXED)
            .with(4, "count", Kind.FIXED)
            .with(5, "sum", Kind.DECIMAL)
            .with(6, "bucketCounts", Kind.FIXEDS)
            .with(7, "explicitBounds", Kind.DECIMALS)
            .with(8, "exemplars", Kind.MESSAGES, nothing)
            .with(9, "attributes", Kind.MESSAGES, attribute)
            .with(10, "flags", Kind.BITS)
            .with(11, "min", Kind.DECIMAL)
            .with(12, "max", Kind.DECIMAL);
    JsonMessage buckets =
        new JsonMessage().with(1, "offset", Kind.ZIGZAG).with(2, "bucketCounts", Kind.VARINTS);
    JsonMessage exponential =
        new JsonMessage()
            .with(1, "attributes", Kind.MESSAGES, attribute)
            .with(2, "startTimeUnixNano", Kind.FIXED)
            .with(3, "timeUnixNano", Kind.FIXED)
            .with(4, "count", Kind.FIXED)
            .with(5, "sum", Kind.DECIMAL)
            .with(6, "scale", Kind.ZIGZAG)
            .with(7, "zeroCount", Kind.FIXED)
            .with(8, "positive", Kind.MESSAGE, buckets)
            .with(9, "negative", Kind.MESSAGE, buckets)
            .with(10, "flags", Kind.BITS)
            .with(11, "exemplars", Kind.MESSAGES, nothing)
            .with(12, "min", Kind.DECIMAL)
            .with(13, "max", Kind.DECIMAL)
            .with(14, "zeroThreshold", Kind.DECIMAL);
    JsonMessage quantile =
        new JsonMessage().with(1, "quantile", Kind.DECIMAL).with(2, "value", Kind.DECIMAL);
    JsonMessage summary =
        new JsonMessage()
            .with(2, "startTimeUnixNano", Kind.FIXED)
            .with(3, "timeUnixNano", Kind.FIXED)
            .with(4, "count", Kind.FIXED)
            .with(5, "sum", Kind.DECIMAL)
            .with(6, "quantileValues", Kind.MESSAGES, quantile)
            .with(7, "attributes", Kind.MESSAGES, attribute)
            .with(8, "flags", Kind.BITS);
    JsonMessage metric =
        new JsonMessage()
            .with(1, "name", Kind.TEXT)
            .with(2, "description", Kind.TEXT)
            .with(3, "unit", Kind.TEXT)
            .with(5, "gauge", Kind.MESSAGE, points(number))
            .with(7, "sum", Kind.MESSAGE, points(number))
            .with(9, "histogram", Kind.MESSAGE, histograms(histogram))
            .with(10, "exponentialHistogram", Kind.MESSAGE, histograms(exponential))
            .with(11, "summary", Kind.MESSAGE, points(summary))
            .oneOf(5, 7, 9, 10, 11);
    JsonMessage scope =
        new JsonMessage()
            .with(1, "name", Kind.TEXT)
            .with(2, "version", Kind.TEXT)
            .with(3, "attributes", Kind.MESSAGES, nothing);
    JsonMessage ofScope =
        new JsonMessage()
            .with(1, "scope", Kind.MESSAGE, scope)
            .with(2, "metrics", Kind.MESSAGES, metric);
    JsonMessage resource = new JsonMessage().with(1, "attributes", Kind.MESSAGES, attribute);
    JsonMessage ofResource =
        new JsonMessage()
            .with(1, "resource", Kind.MESSAGE, resource)
            .with(2, "scopeMetrics", Kind.MESSAGES, ofScope);
    return new JsonMessage().with(1, "resourceMetrics", Kind.MESSAGES, ofResource);
  }

  private static JsonMessage points(JsonMessage point) {
    return new JsonMessage().with(1, "dataPoints", Kind.MESSAGES, point);
  }

  private static JsonMessage histograms(JsonMessage point) {
    return points(point).with(2, "aggregationTemporality", Kind.TEMPORALITY);
  }
}
