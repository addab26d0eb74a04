package org.hourstone.api.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import java.util.Map;
import org.hourstone.error.RequestException;
import org.hourstone.uid.NameRules;
import org.hourstone.uid.SeriesName;
import org.junit.jupiter.api.Test;

/** The names of series: as many as a block has points are in memory together. */
class OtlpNamesTest {
  private static final byte[] NO_ATTRIBUTE = {};

  private final OtlpNames names = new OtlpNames(new NameRules("", false, 8));

  private static byte[] attribute(String key, String value) {
    return KeyValue.newBuilder()
        .setKey(key)
        .setValue(AnyValue.newBuilder().setStringValue(value))
        .build()
        .toByteArray();
  }

  /** A key, and where its first range ends. */
  private record Key(byte[] bytes, int second) {
    static Key of(String metric, byte[] common, byte[] own) {
      ByteBuilder key = new ByteBuilder();
      byte[] name = metric.getBytes(UTF_8);
      SeriesKeys.addAttribute(key, name, 0, name.length);
      add(key, common);
      int second = key.length();
      key.add(Part.VALUE.code());
      add(key, own);
      return new Key(key.toBytes(), second);
    }

    private static void add(ByteBuilder key, byte[] attribute) {
      if (attribute.length > 0) {
        SeriesKeys.addAttribute(key, attribute, 0, attribute.length);
      }
    }
  }

  private SeriesName name(Key key) {
    return names.name(key.bytes, 0, key.second, key.second, key.bytes.length);
  }

  @Test
  void longNamesAreRefused() {
    assertThat(name(Key.of("m".repeat(1024), NO_ATTRIBUTE, NO_ATTRIBUTE)).metric()).hasSize(1024);
    assertThatThrownBy(() -> name(Key.of("m".repeat(1025), NO_ATTRIBUTE, NO_ATTRIBUTE)))
        .isInstanceOf(RequestException.class)
        .hasMessage("the metric's name has 1025 bytes, more than 1024");
    assertThat(name(Key.of("m", attribute("service.name", "s".repeat(8000)), NO_ATTRIBUTE)).tags())
        .hasSize(1);
    assertThatThrownBy(
            () -> name(Key.of("m", attribute("service.name", "s".repeat(9000)), NO_ATTRIBUTE)))
        .isInstanceOf(RequestException.class)
        .hasMessage(
            "the metric's name and the tags of its resource and scope have 9024 bytes, more than"
                + " 8192");
  }

  @Test
  void whatSeriesHaveInCommonIsInMemoryOnce() {
    byte[] resource = attribute("service name", "a shop");
    SeriesName first = name(Key.of("a metric", resource, attribute("host", "a")));
    Key key = Key.of("a metric", resource, attribute("host", "b"));

    SeriesName second = names.name(first, key.bytes, 0, key.second, key.second, key.bytes.length);

    assertThat(second).isEqualTo(name(key));
    assertThat(second.metric()).isSameAs(first.metric());
    assertThat(second.tags().keySet()).containsExactlyElementsOf(first.tags().keySet());
    String tagk = "U__service_20_name";
    assertThat(second.tags()).extractingByKey(tagk).isSameAs(first.tags().get(tagk));
  }

  @Test
  void theAttributeOfADataPointCounts() {
    byte[] resource = attribute("host", "a");
    SeriesName first = name(Key.of("m", resource, attribute("host", "b")));
    Key key = Key.of("m", resource, NO_ATTRIBUTE);

    assertThat(first.tags()).isEqualTo(Map.of("host", "b"));
    assertThat(names.name(first, key.bytes, 0, key.second, key.second, key.bytes.length).tags())
        .isEqualTo(Map.of("host", "a"));
  }
}
