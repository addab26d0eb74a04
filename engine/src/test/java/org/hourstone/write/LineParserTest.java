package org.hourstone.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.hourstone.error.RequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LineParserTest {
  private final LineParser ours = new LineParser(LineDialect.HOURSTONE, ZoneId.of("Europe/Berlin"));
  private final LineParser strict = new LineParser(LineDialect.OPENTSDB, ZoneId.of("UTC"));

  @Test
  void aPutLineComesApart() {
    PointText point = ours.telnet("put sys.cpu 1500001200 1  host=web01  dc=lga ");
    assertThat(List.of(point.metric(), point.time(), point.value(), point.tags()))
        .containsExactly("sys.cpu", "1500001200", "1", " host=web01  dc=lga ");
    assertThat(point.timestamp()).isEqualTo(1500001200);
    assertThat(LineParser.tags(point.tags())).isEqualTo(Map.of("host", "web01", "dc", "lga"));
  }

  @Test
  void aLineIsReadAlsoIfTheCharsetOfTelnetCannotWriteIt() {
    assertThat(strict.telnet("put caf\u00e9 1 1 host=\u20ac").tags()).isEqualTo("host=\u20ac");
    assertThat(strict.telnet("put caf\u00e9 1 1 host=\u00e9").metric()).isEqualTo("caf\u00e9");
    assertThatThrownBy(() -> ours.telnet("put m 1 1 host=\ud800"))
        .isInstanceOf(RequestException.class)
        .hasMessage("not UTF-8 text");
  }

  @ParameterizedTest
  @CsvSource({
    "1500001200.123, 1500001200123, 1500001200123",
    "1500001200.5, 1500001200500, 15000012005",
    "1500001200.05, 1500001200050, 150000120005",
    "1500001200.0500, 1500001200050, 15000012000500",
    "1500001200.0, 1500001200, 15000012000",
    "1500001200.1234, , 15000012001234",
    "1500001200123.5, , 15000012001235",
    "1000000.250, , 1000000250",
    "1500001200., , 1500001200",
    ".1500001200, , 1500001200",
    "+1500001200, 1500001200, 1500001200",
  })
  void dotsInTelnetTimesAreDropped(String text, Long our, long theirs) {
    String line = "put m " + text + " 1 host=a";
    assertThat(strict.telnet(line).timestamp()).isEqualTo(theirs);
    if (our == null) {
      assertThatThrownBy(() -> ours.telnet(line))
          .hasMessageContaining("invalid timestamp: " + text);
    } else {
      assertThat(ours.telnet(line).timestamp()).isEqualTo(our);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1500001200, 1500001200",
    "1500001200123, 1500001200123",
    "1500001200.123, 1500001200123",
    "2017-07-14T03:00:00Z, 1500001200",
    "2017-07-14T03:00:00.000Z, 1500001200",
    "2017-07-14T05:00:00.123+02:00, 1500001200123",
    "2017-07-14t05:00:00.1230+0200, 1500001200123",
    "2017-07-14T05:00, 1500001200",
    "2017-07-14, 1499983200",
    "2024-10-27T02:30+01, 1729992600",
  })
  void timesOfLinesAreEpochsOrDates(String text, long timestamp) {
    assertThat(ours.importLine("m " + text + " 1 host=a").timestamp()).isEqualTo(timestamp);
    assertThat(ours.telnet("put m " + text + " 1 host=a").timestamp()).isEqualTo(timestamp);
    if (text.indexOf('-') > 0) {
      assertThatThrownBy(() -> strict.importLine("m " + text + " 1 host=a"))
          .isInstanceOf(InvalidNumberException.class);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "put, 'not enough arguments (need least 4, got 0)'",
    "puts m 1 1 a=b, unknown command: puts",
    "put m 1, 'not enough arguments (need least 4, got 2)'",
    "put m 1 1, 'not enough arguments (need least 4, got 3)'",
    "put  1 1 a=b, empty metric name",
    "put m  1 a=b, timestamp '': Empty string",
    "put m now 1 a=b, timestamp 'now': Invalid character 'n'",
    "put m 0 1 a=b, invalid timestamp: 0",
    "put m -5 1 a=b, invalid timestamp: -5",
    "put m 1  a=b, empty value",
  })
  void whatIsWrongWithAPutLineIsNamed(String line, String message) {
    assertThatThrownBy(() -> ours.telnet(line))
        .isInstanceOf(RequestException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({
    "m 1500001200.1234 1 a=b, after a dot there must be one to three digits",
    "m 150000.200.123 1 a=b, after a dot there must be one to three digits",
    "m 15000x1200.123 1 a=b, timestamp '15000x1200.123': Invalid character 'x'",
    "m 2017-07-32 1 a=b, Invalid time: '2017-07-32'",
    "m 2017-07-14T03:00:00.0001Z 1 a=b, must be like 2024-01-31 or",
    "m 2024-03-31T02:30 1 a=b, does not occur in Europe/Berlin",
    "m 2024-10-27T02:30 1 a=b, occurs twice in Europe/Berlin",
    "m 2150-01-01 1 a=b, after the year 2106",
    "m 1969-12-31T00:00Z 1 a=b, invalid timestamp: -86400",
    "m 1970-01-02T00:00:00.001Z 1 a=b, too early for milliseconds",
    "m 1 1, need at least 4",
    "m, need at least 4",
    "' 1 1 a=b', empty metric name",
    "m 99999999999999999999 1 a=b, timestamp '99999999999999999999': Value too long",
  })
  void whatIsWrongWithAnImportLineIsNamed(String line, String message) {
    assertThatThrownBy(() -> ours.importLine(line))
        .isInstanceOf(RequestException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({
    "host, invalid tag: host",
    "host=, invalid tag: host=",
    "=web01, invalid tag: =web01",
    "host=web01=lga, invalid tag: host=web01=lga",
    "host=web01 host=lga, 'duplicate tag: host=lga, tags={host=web01}'",
  })
  void whatIsWrongWithTagsIsNamed(String tags, String message) {
    assertThatThrownBy(() -> LineParser.tags(tags))
        .isInstanceOf(RequestException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aTagMayBeRepeated() {
    assertThat(LineParser.tags("host=a host=a")).isEqualTo(Map.of("host", "a"));
  }
}
