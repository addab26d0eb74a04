package org.hourstone.api.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.hourstone.api.proto.ProtoReader;
import org.hourstone.api.proto.UnreadableException;

/** Messages of remote write and remote read, made and read byte by byte. */
final class RemoteMessages {
  private RemoteMessages() {}

  /** A sample of a series. */
  record Sample(long millis, double value) {}

  /** Fields of a message. */
  static final class Fields {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Fields number(int field, long value) {
      raw(field << 3);
      raw(value);
      return this;
    }

    Fields decimal(int field, double value) {
      raw((field << 3) | 1);
      bytes.writeBytes(
          ByteBuffer.allocate(8)
              .order(ByteOrder.LITTLE_ENDIAN)
              .putLong(Double.doubleToRawLongBits(value))
              .array());
      return this;
    }

    Fields content(int field, byte[] content) {
      raw((field << 3) | 2);
      raw(content.length);
      bytes.writeBytes(content);
      return this;
    }

    Fields text(int field, String text) {
      return content(field, text.getBytes(UTF_8));
    }

    Fields message(int field, Fields content) {
      return content(field, content.bytes());
    }

    Fields raw(long value) {
      long rest = value;
      while ((rest & ~0x7FL) != 0) {
        bytes.write((int) ((rest & 0x7F) | 0x80));
        rest >>>= 7;
      }
      bytes.write((int) rest);
      return this;
    }

    byte[] bytes() {
      return bytes.toByteArray();
    }
  }

  static Fields sample(double value, long millis) {
    return new Fields().decimal(1, value).number(2, millis);
  }

  static Fields label(String name, String value) {
    return new Fields().text(1, name).text(2, value);
  }

  /** A series of version 1.0 without samples: names and values in turn. */
  static Fields series(String... labels) {
    Fields series = new Fields();
    for (int i = 0; i < labels.length; i += 2) {
      series.message(1, label(labels[i], labels[i + 1]));
    }
    return series;
  }

  /** A request of version 1.0. */
  static byte[] write(Fields... series) {
    Fields request = new Fields();
    for (Fields each : series) {
      request.message(1, each);
    }
    return request.bytes();
  }

  /** A request of version 2.0 with one series. */
  static byte[] write2(List<Sample> samples, String... labels) {
    Fields request = new Fields().text(4, "");
    Fields references = new Fields();
    for (int i = 0; i < labels.length; i++) {
      request.text(4, labels[i]);
      references.raw(i + 1);
    }
    Fields series = new Fields().content(1, references.bytes());
    samples.forEach(each -> series.message(2, sample(each.value(), each.millis())));
    return request.message(5, series).bytes();
  }

  /** A condition: its type, name and value. */
  static Fields matcher(LabelMatcher.Type type, String name, String value) {
    return new Fields().number(1, type.number()).text(2, name).text(3, value);
  }

  static Fields query(long start, long end, Fields... matchers) {
    Fields query = new Fields().number(1, start).number(2, end);
    for (Fields each : matchers) {
      query.message(3, each);
    }
    return query;
  }

  static byte[] read(Fields... queries) {
    Fields request = new Fields();
    for (Fields each : queries) {
      request.message(1, each);
    }
    return request.bytes();
  }

  /** The results of a response: per query the samples of each series by its labels. */
  static List<Map<SortedMap<String, String>, List<Sample>>> results(byte[] response)
      throws UnreadableException {
    List<Map<SortedMap<String, String>, List<Sample>>> results = new ArrayList<>();
    ProtoReader in = new ProtoReader(response, 0, response.length);
    while (in.next()) {
      Map<SortedMap<String, String>, List<Sample>> result = new HashMap<>();
      int outer = in.enter();
      while (in.next()) {
        readSeries(in, result);
      }
      in.leave(outer);
      results.add(result);
    }
    return results;
  }

  private static void readSeries(ProtoReader in, Map<SortedMap<String, String>, List<Sample>> to)
      throws UnreadableException {
    SortedMap<String, String> labels = new TreeMap<>();
    List<Sample> samples = new ArrayList<>();
    String last = "";
    int outer = in.enter();
    while (in.next()) {
      boolean isLabel = in.field() == 1;
      int around = in.enter();
      in.next();
      if (isLabel) {
        String name = in.text();
        in.next();
        labels.put(name, in.text());
        if (name.compareTo(last) <= 0) {
          throw new AssertionError("labels are not sorted: " + last + ", " + name);
        }
        last = name;
      } else {
        double value = Double.longBitsToDouble(in.fixed());
        in.next();
        samples.add(new Sample(in.number(), value));
      }
      in.leave(around);
    }
    in.leave(outer);
    if (to.put(labels, samples) != null) {
      throw new AssertionError("twice: " + labels);
    }
  }
}
