package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.common.primitives.Bytes;
import io.airlift.compress.snappy.SnappyCompressor;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Points of import lines in the bodies of HTTP protocols, as common agents send them. */
final class RequestBody {
  /** Wire types of Protocol Buffers. */
  private static final int VARINT = 0;

  private static final int FIXED64 = 1;
  private static final int LENGTH = 2;

  private RequestBody() {}

  /** An import line: metric, seconds, value, tags. */
  private record Point(String metric, long seconds, String value, String tags) {
    static Point of(String line) {
      String[] words = line.split(" ", 4);
      return new Point(words[0], Long.parseLong(words[1]), words[2], words[3]);
    }

    String measurement() {
      return metric.substring(0, metric.indexOf('.'));
    }

    String field() {
      return metric.substring(metric.indexOf('.') + 1) + '=' + value + (isWhole() ? "i" : "");
    }

    boolean isWhole() {
      return value.chars().allMatch(Character::isDigit);
    }

    boolean isOfSameLine(Point other) {
      return seconds == other.seconds
          && tags.equals(other.tags)
          && measurement().equals(other.measurement());
    }
  }

  /** The body of {@code /api/put}. */
  static byte[] json(List<String> lines) {
    return lines.stream()
        .map(Point::of)
        .map(
            point ->
                "{\"metric\":\"%s\",\"timestamp\":%d,\"value\":%s,\"tags\":{\"%s\"}}"
                    .formatted(
                        point.metric,
                        point.seconds,
                        point.value,
                        point.tags.replace("=", "\":\"").replace(" ", "\",\"")))
        .collect(Collectors.joining(",", "[", "]"))
        .getBytes(US_ASCII);
  }

  /** InfluxDB's lines; the fields of a measurement are together, as Telegraf has them. */
  static byte[] influx(List<String> lines) {
    StringBuilder body = new StringBuilder();
    Point last = null;
    for (String line : lines) {
      Point point = Point.of(line);
      if (last != null && point.isOfSameLine(last)) {
        body.append(',').append(point.field());
      } else {
        end(body, last);
        body.append(point.measurement()).append(',').append(point.tags().replace(' ', ','));
        body.append(' ').append(point.field());
      }
      last = point;
    }
    end(body, last);
    return body.toString().getBytes(US_ASCII);
  }

  private static void end(StringBuilder body, @Nullable Point last) {
    if (last != null) {
      body.append(' ').append(last.seconds()).append("000000000\n");
    }
  }

  /** Prometheus' remote write 1.0: a sample of a series each, compressed by Snappy. */
  static byte[] remoteWrite(List<String> lines) {
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    for (String line : lines) {
      Point point = Point.of(line);
      Map<String, String> labels = new TreeMap<>(Map.of("__name__", point.metric()));
      for (String tag : point.tags().split(" ")) {
        labels.put(tag.substring(0, tag.indexOf('=')), tag.substring(tag.indexOf('=') + 1));
      }
      ByteArrayOutputStream series = new ByteArrayOutputStream();
      labels.forEach(
          (name, value) -> bytes(series, 1, Bytes.concat(text(1, name), text(2, value))));
      ByteArrayOutputStream sample = new ByteArrayOutputStream();
      fixed(sample, 1, Double.doubleToRawLongBits(Double.parseDouble(point.value())));
      sample.write((2 << 3) | VARINT);
      varint(sample, point.seconds() * 1000);
      bytes(series, 2, sample.toByteArray());
      bytes(request, 1, series.toByteArray());
    }
    byte[] plain = request.toByteArray();
    SnappyCompressor snappy = new SnappyCompressor();
    byte[] compressed = new byte[snappy.maxCompressedLength(plain.length)];
    int length = snappy.compress(plain, 0, plain.length, compressed, 0, compressed.length);
    return Arrays.copyOf(compressed, length);
  }

  /** OTLP: each metric is a gauge with the data points of all hosts, and tags are attributes. */
  static byte[] otlp(List<String> lines) {
    Map<String, ByteArrayOutputStream> gauges = new TreeMap<>();
    for (String line : lines) {
      Point point = Point.of(line);
      ByteArrayOutputStream data = new ByteArrayOutputStream();
      fixed(data, 3, point.seconds() * 1_000_000_000);
      if (point.isWhole()) {
        fixed(data, 6, Long.parseLong(point.value())); // sfixed64
      } else {
        fixed(data, 4, Double.doubleToRawLongBits(Double.parseDouble(point.value())));
      }
      for (String tag : point.tags().split(" ")) {
        int equals = tag.indexOf('=');
        bytes(
            data,
            7,
            Bytes.concat(text(1, tag.substring(0, equals)), value(tag.substring(equals + 1))));
      }
      bytes(
          gauges.computeIfAbsent(point.metric(), name -> new ByteArrayOutputStream()),
          1,
          data.toByteArray());
    }
    ByteArrayOutputStream scope = new ByteArrayOutputStream();
    gauges.forEach(
        (name, gauge) ->
            bytes(scope, 2, Bytes.concat(text(1, name), field(5, gauge.toByteArray()))));
    return field(1, field(2, scope.toByteArray()));
  }

  /** The value of an attribute: an AnyValue with a text. */
  private static byte[] value(String text) {
    return field(2, text(1, text));
  }

  private static byte[] text(int field, String text) {
    return field(field, text.getBytes(US_ASCII));
  }

  private static byte[] field(int field, byte[] value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    bytes(out, field, value);
    return out.toByteArray();
  }

  private static void fixed(ByteArrayOutputStream out, int field, long value) {
    out.write((field << 3) | FIXED64);
    out.writeBytes(
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array());
  }

  private static void bytes(ByteArrayOutputStream out, int field, byte[] value) {
    out.write((field << 3) | LENGTH);
    varint(out, value.length);
    out.writeBytes(value);
  }

  private static void varint(ByteArrayOutputStream out, long value) {
    long left = value;
    for (; left > 0x7F; left >>>= 7) {
      out.write((int) ((left & 0x7F) | 0x80));
    }
    out.write((int) left);
  }
}
