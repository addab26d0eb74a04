package org.hourstone.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.hourstone.api.door.EscapedNames;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.testkit.LoggedBy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines of InfluxDB's protocol are stored as what they mean, or refused with the reason. */
class InfluxLinesTest extends InfluxCase {
  private static final int RANDOM = Integer.getInteger("lines.random", 60);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '#',
      value = {
        "m,h=a f=1.5 1500001200 | m.f{h=a} 1500001200000 1.5",
        "m,h=a f=1 1500001200 | m.f{h=a} 1500001200000 1.0",
        "m,h=a f=1i 1500001200 | m.f{h=a} 1500001200000 1",
        "m,h=a f=-7i 1500001200 | m.f{h=a} 1500001200000 -7",
        "m,h=a f=9223372036854775807i 1500001200 | m.f{h=a} 1500001200000 9223372036854775807",
        "m,h=a f=-9223372036854775808i 1500001200 | m.f{h=a} 1500001200000 -9223372036854775808",
        "m,h=a f=9223372036854775807u 1500001200 | m.f{h=a} 1500001200000 9223372036854775807",
        "m,h=a f=007i 1500001200 | m.f{h=a} 1500001200000 7",
        "m,h=a f=t 1500001200 | m.f{h=a} 1500001200000 1",
        "m,h=a f=TRUE 1500001200 | m.f{h=a} 1500001200000 1",
        "m,h=a f=False 1500001200 | m.f{h=a} 1500001200000 0",
        "m,h=a f=-1.5e-3 1500001200 | m.f{h=a} 1500001200000 -0.0015",
        "m,h=a f=0.1234567890123456789 1500001200 | m.f{h=a} 1500001200000 0.12345678901234568",
        "m,h=a f=1. 1500001200 | m.f{h=a} 1500001200000 1.0",
        "m,h=a f=.5 1500001200 | m.f{h=a} 1500001200000 0.5",
        "m,h=a f=+1 1500001200 | m.f{h=a} 1500001200000 1.0",
        "m,h=a f=1i | m.f{h=a} 1500001400000 1",
        "m f=1i 1500001200 | m.f{U__=U__} 1500001200000 1",
        "m,b=1,a=2 f=1i 1500001200 | m.f{a=2, b=1} 1500001200000 1",
        "m,h=a f=1i 1 | m.f{h=a} 1000 1",
        "m,h=a   f=1i   1500001200   | m.f{h=a} 1500001200000 1",
        "  m,h=a f=1i 1500001200 | m.f{h=a} 1500001200000 1",
        "m,h=a value=1i 1500001200 | m.value{h=a} 1500001200000 1",
        "a.b,h=a c.d=1i 1500001200 | a.b.c.d{h=a} 1500001200000 1",
        "m,h=a s=#,f=2#,f=1i 1500001200 | m.f{h=a} 1500001200000 1",
        "m,h=a s=#a \\# f=2 #,f=1i 1500001200 | m.f{h=a} 1500001200000 1",
        "m,h=a s=#\\\\\\\\#,f=1i 1500001200 | m.f{h=a} 1500001200000 1",
        "m,h=a s=##,f=1i 1500001200 | m.f{h=a} 1500001200000 1",
      })
  void aLineIsStored(String line, String point) {
    String text = line.replace('#', '"');
    assertThat(write(text)).isEqualTo("204");
    assertThat(points(point.substring(0, point.indexOf('{')))).containsExactly(point);
  }

  @Test
  void backslashesEscapeWhatWouldEndAName() {
    assertThat(
            write(
                """
                a\\ b\\,c\\=d,t\\ a\\,g\\=x=v\\ w\\,x\\=y\\z f\\ i\\,e\\=ld\\q=1i 1500001200
                "q",h="a" "f"=2i 1500001200
                n,h=a\\\\ b f=3i 1500001200
                """))
        .isEqualTo("204");
    // In a measurement the backslash before the equals sign stands for itself.
    String metric = EscapedNames.escaped("a b,c\\=d.f i,e=ld\\q", ApiOptions.of(db).names());
    assertThat(points(metric))
        .containsExactly(metric + "{U__t_20_a_2c_g_3d_x=U__v_20_w_2c_x_3d_y_5c_z} 1500001200000 1");
    assertThat(points("U___22_q_22_._22_f_22_"))
        .containsExactly("U___22_q_22_._22_f_22_{h=U___22_a_22_} 1500001200000 2");
    assertThat(points("n.f")).containsExactly("n.f{h=U__a_5c__20_b} 1500001200000 3");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\n\n  \nm,h=a f=1i 1500001200\n\n",
        "m,h=a f=1i 1500001200\r\n\r\n",
        "# a comment, f=\"\nm,h=a f=1i 1500001200\n  # another",
        "m,h=a s=\"two\nlines\",f=1i 1500001200\n",
        "m,h=a s=\"\n# f=2 \\\"\n\",f=1i 1500001200",
        "m,h=a f=1i 1500001200 \t\r\n",
        """
        m,h=a s="m,h=a f=2i 1500001200
        m,h=a f=3i 1500001200
        " 1500001200
        m,h=a f=1i 1500001200\
        """,
      })
  void linesEndWhereTheyShould(String body) {
    assertThat(write(body)).isEqualTo("204");
    assertThat(points("m.f")).containsExactly("m.f{h=a} 1500001200000 1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '#',
      value = {
        "m,h=a | there are no fields",
        "m,h=a f | the field f has no value",
        "m,h=a f= | the field f has no value",
        "m,h=a f=,g=1 | the field f has no value",
        "m,h=a f=1, | a field has no name",
        "m,h=a =1 | a field has no name",
        "m,h=a f=1x | the value of f is not a number that a double can hold: 1x",
        "m,h=a f=NaN | the value of f is not a number that a double can hold: NaN",
        "m,h=a f=-Inf | the value of f is not a number that a double can hold: -Inf",
        "m,h=a f=1e400 | the value of f is not a number that a double can hold: 1e400",
        "m,h=a f=1e-400 | the value of f is not a number that a double can hold: 1e-400",
        "m,h=a f=0x1p3 | the value of f is not a number that a double can hold: 0x1p3",
        "m,h=a f=. | the value of f is not a number that a double can hold: .",
        "m,h=a f=1d | the value of f is not a number that a double can hold: 1d",
        "m,h=a f=yes | the value of f is not a number that a double can hold: yes",
        "m,h=a f=i | the value of f is not an integer: ",
        "m,h=a f=1.5i | the value of f is not an integer: 1.5",
        "m,h=a f=9223372036854775808i | the value of f is out of range: 9223372036854775808, the"
            + " greatest is 2^63-1",
        "m,h=a f=-9223372036854775809i | the value of f is out of range: -9223372036854775809, the"
            + " least is -2^63",
        "m,h=a f=18446744073709551615u | the unsigned value of f is out of range:"
            + " 18446744073709551615, the greatest is 2^63-1",
        "m,h=a f=99999999999999999999999i | the value of f is out of range:"
            + " 99999999999999999999999, the greatest is 2^63-1",
        "m,h=a f=-1u | the unsigned value of f is negative: -1u",
        "m,h=a f=#a | the string of the field f does not end",
        "m,h=a f=#a#b | there is something after the string of the field f",
        "m,h=a f=1 x | the timestamp is not an integer: x",
        "m,h=a f=1 1.5 | the timestamp is not an integer: 1.5",
        "m,h=a f=1 1500001200 1 | the timestamp is not an integer: 1500001200 1",
        "m,h=a f=1 9223372036854775808 | the timestamp is out of range: 9223372036854775808, the"
            + " greatest is 2^63-1",
        ",h=a f=1 | there is no measurement",
        "m, f=1 | a tag has no name",
        "m,=a f=1 | a tag has no name",
        "m,=a f=#a#,g=#b# | a tag has no name",
        "m,=a f=#a#,g=1 | a tag has no name",
        "m,h f=1 | the tag h has no value",
        "m,h= f=1 | the tag h has no value",
        "m,h=a,h=b f=1 | the tag h is given twice",
        "m,h=a=b f=1 | the value of the tag h has an equals sign without a backslash",
        "m,h=a f=1 -1 | the time -1000 ms can't be stored: it is not after the start of 1970",
        "m,h=a f=1 4294967296 | the time 4294967296000 ms can't be stored: it is after the year"
            + " 2106",
        "m,h=a f=1 9223372036854775807 | the time 9223372036854775807 ms can't be stored",
        "m,h=a f=1 -9223372036854775808 | the time -9223372036854775808 ms can't be stored",
      })
  void aLineIsRefusedWithItsNumberAndTheOthersAreStored(String line, String reason) {
    String text = "m,h=a f=1i 1500001200\n\n" + line.replace('#', '"');
    assertThat(write(text))
        .startsWith("400 {'error':'partial write: line 3: " + reason)
        .endsWith(" dropped=1'}");
    assertThat(points("m.f")).containsExactly("m.f{h=a} 1500001200000 1");
    assertThat(counters().get("tsd.door.points")).isEqualTo(1);
    assertThat(counters().get("tsd.datapoints.failed")).isEqualTo(1);
    assertThat(counters()).doesNotContainKey("tsd.door.skipped string");
  }

  /** Nothing of a line is stored if a part of it can't be read. */
  @Test
  void aLineIsReadAsAWhole() {
    assertThat(write("m,h=a f=1,g=2,h=x 1500001200")).startsWith("400 ");
    assertThat(write("m,h=a f=1,g=2 x")).startsWith("400 ");
    assertThat(points("m.f")).isEmpty();
  }

  @Test
  void namesThatAreNotUtf8AreRefused() {
    for (String line :
        List.of("m\u00e9,h=a f=1", "m,h\u00e9=a f=1", "m,h=\u00e9 f=1", "m,h=a f\u00e9=1")) {
      try (ApiResponse response = write("/write", line.getBytes(ISO_8859_1))) {
        assertThat(response.status() + response.body()).startsWith("400").contains("is not UTF-8");
      }
    }
  }

  @Test
  void reasonsAreGivenOnceEach() {
    String body = "m,h=a f=x 1\n".repeat(9000) + "m,h f=1 1\n" + "m f=1 -1\n";
    assertThat(write(body))
        .isEqualTo(
            "400 {'error':'partial write: line 1: the value of f is not a number that a double can"
                + " hold: x; line 9001: the tag h has no value; line 9002: the time -1000 ms can't"
                + " be stored: it is not after the start of 1970, or not a whole second before 20"
                + " February 1970"
                + " dropped=9002'}");
    assertThat(counters()).containsEntry("tsd.rpc.errors illegal_arguments", 9002L);
  }

  @Test
  void stringsAreSkippedAndCountedAndOneIsNamed() {
    try (LoggedBy logged = LoggedBy.thisThread("org.hourstone.refused")) {
      assertThat(write("m,h=a s=\"x\",f=1i,t=\"y\" 1500001200\nm,h=a s=\"z\" 1500001200"))
          .isEqualTo("204");
      assertThat(write("m,h=a other=\"x\" 1500001200")).isEqualTo("204");
      assertThat(logged.records())
          .as("at most one in an hour")
          .singleElement()
          .satisfies(
              line ->
                  assertThat(line.getParameters())
                      .contains("the field s of m,h=a, which is a string"));
    }
    assertThat(points("m.f")).containsExactly("m.f{h=a} 1500001200000 1");
    assertThat(counters()).isEqualTo(Map.of("tsd.door.skipped string", 4L, "tsd.door.points", 1L));
  }

  @Test
  void tagsBeyondTheLimitAreRefusedWithTheSettingThatRaisesIt() {
    StringBuilder tags = new StringBuilder();
    for (int i = 0; i < 9; i++) {
      tags.append(",t").append(i).append("=v");
    }
    assertThat(write("m" + tags + " f=1,g=2 1500001200"))
        .isEqualTo(
            "400 {'error':'partial write: line 1: 9 tags, more than the 8 that"
                + " tsd.storage.max_tags allows dropped=1'}");
  }

  @Test
  void longNamesAreRefused() {
    String x = "x".repeat(1025);
    assertThat(write(x + ",h=a f=1 1")).contains("the measurement has 1025 bytes, more than 1024");
    assertThat(write("m,h=a " + x + "=1 1")).contains("field has 1025 bytes, more than 1024");
    assertThat(write("m,h=" + "x".repeat(9000) + " f=1 1"))
        .contains("measurement and tags have 9004 bytes, more than 8192");
    assertThat(write("m,h=a " + "f=1,".repeat(70_000) + "f=1 1"))
        .contains("there are more than 65536 fields");
    assertThat(write("m,h=" + "x".repeat(8000) + " f=1i 1500001200")).isEqualTo("204");
    assertThat(points("m.f")).hasSize(1);
  }

  /** What was written last is read, whether or not its series was known. */
  @Test
  void theLastOfSeveralValuesOfATimeIsKept() {
    for (int i = 0; i < 3; i++) {
      String body =
          "m,a=1,b=2 f=%di 1500001200\nm,b=2,a=1 f=%di 1500001200\nm%d,a=1 f=1i 1500001200\n"
              .formatted(10 * i, 10 * i + 1, i);
      assertThat(write(body)).isEqualTo("204");
      assertThat(points("m.f")).containsExactly("m.f{a=1, b=2} 1500001200000 " + (10 * i + 1));
    }
  }

  /** Names, values and times that an independent writer has written are read back. */
  @Test
  void anyPointsAreReadBack() {
    Random random = new Random(7);
    Map<String, String> expected = new TreeMap<>();
    Map<String, String> metrics = new HashMap<>();
    for (int i = 0; i < RANDOM; i++) {
      StringBuilder body = new StringBuilder();
      for (int j = random.nextInt(50); j >= 0; j--) {
        body.append(line(random, expected, metrics)).append(random.nextBoolean() ? "\n" : "\r\n");
      }
      String text = body.toString();
      try (ApiResponse response =
          write("/api/v2/write?precision=ms", text.getBytes(StandardCharsets.UTF_8))) {
        assertThat(response.status()).as(text + response.body()).isEqualTo(204);
      }
    }
    List<String> stored = new ArrayList<>();
    metrics.keySet().forEach(metric -> stored.addAll(points(metric)));
    List<String> sent = new ArrayList<>();
    expected.forEach((point, value) -> sent.add(point + " " + value));
    Collections.sort(stored);
    Collections.sort(sent);
    assertThat(stored).isEqualTo(sent);
  }

  private String line(Random random, Map<String, String> expected, Map<String, String> metrics) {
    String measurement = name(random);
    Map<String, String> tags = new TreeMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      tags.put(name(random), name(random));
    }
    StringBuilder line = new StringBuilder(escaped(measurement, ", "));
    List<Map.Entry<String, String>> shuffled = new ArrayList<>(tags.entrySet());
    Collections.shuffle(shuffled, random);
    shuffled.forEach(
        tag ->
            line.append(',')
                .append(escaped(tag.getKey(), ",= "))
                .append('=')
                .append(escaped(tag.getValue(), ",= ")));
    Map<String, String> stored = new TreeMap<>();
    tags.forEach((key, value) -> stored.put(own(key), own(value)));
    if (stored.isEmpty()) {
      stored.put("U__", "U__");
    }
    long millis = HOUR * 1000 + random.nextInt(20) * 250L;
    char separator = ' ';
    for (int i = random.nextInt(3); i >= 0; i--) {
      String field = name(random);
      line.append(separator).append(escaped(field, ",= ")).append('=');
      separator = ',';
      if (random.nextInt(5) == 0) {
        String text = name(random) + "\n\" ,=\\" + name(random);
        line.append('"').append(text.replace("\\", "\\\\").replace("\"", "\\\"")).append('"');
        continue;
      }
      String metric = own(measurement + "." + field);
      metrics.put(metric, field);
      expected.put(metric + stored + " " + millis, value(random, line));
    }
    return line.append(' ').append(millis).toString();
  }

  private static String value(Random random, StringBuilder line) {
    if (random.nextBoolean()) {
      long value = random.nextLong() >> random.nextInt(64);
      line.append(value).append('i');
      return Long.toString(value);
    }
    double value = random.nextInt(10_000) / 100.0;
    line.append(value);
    return Double.toString(value);
  }

  private String own(String name) {
    return EscapedNames.escaped(name, ApiOptions.of(db).names());
  }

  /** Not one that ends with a backslash, which can't be written. */
  private static String name(Random random) {
    List<String> parts =
        List.of("a", "b", "_", ".", " ", ",", "=", "\\x", "\"", "\u00e9", "\u4e2d", "#", "U__");
    StringBuilder name = new StringBuilder(List.of("a", "b").get(random.nextInt(2)));
    for (int i = random.nextInt(3); i > 0; i--) {
      name.append(parts.get(random.nextInt(parts.size())));
    }
    return name.toString();
  }

  private static String escaped(String name, String special) {
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (special.indexOf(c) >= 0) {
        escaped.append('\\');
      }
      escaped.append(c);
    }
    return escaped.toString();
  }
}
