package org.hourstone.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.hourstone.error.RequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LineParserTest {
  private final LineParser ours = new LineParser(false);
  private final LineParser strict = new LineParser(true);

  @Test
  void aPutLineComesApart() {
    PointText point = ours.telnet("put sys.cpu 1500001200 1  host=web01  dc=lga ");
    assertThat(point).isEqualTo(new PointText("sys.cpu", 1500001200, "1", " host=web01  dc=lga "));
    assertThat(LineParser.tags(point.tags())).isEqualTo(Map.of("host", "web01", "dc", "lga"));
  }

  @ParameterizedTest
  @CsvSource({
    "1500001200.123, 1500001200123, 1500001200123",
    "1500001200.5, , 15000012005",
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
    "put, 'not enough arguments (need least 4, got 0)'",
    "puts m 1 1 a=b, unknown command: puts",
    "put m 1, 'not enough arguments (need least 4, got 2)'",
    "put m 1 1, 'not enough arguments (need least 4, got 3)'",
    "put  1 1 a=b, empty metric name",
    "put m  1 a=b, Empty string",
    "put m now 1 a=b, Invalid character 'n' in now",
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
    "m 1500001200.5 1 a=b, Invalid character '.' in 1500001200.5",
    "m 1 1, need at least 4",
    "m, need at least 4",
    "' 1 1 a=b', empty metric name",
    "m 99999999999999999999 1 a=b, Value too long",
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

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0, 0",
    "+7, 7",
    "007, 7",
    "9223372036854775807, 9223372036854775807",
    "-9223372036854775808, -9223372036854775808",
    "0000000000000000007, 7",
  })
  void integersAreDigitsWithASign(String text, long value) {
    assertThat(NumberText.parseLong(text)).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({
    "'', Empty string",
    "-, 'Just a sign, no value: -'",
    "+, 'Just a sign, no value: +'",
    "--1, Invalid character '-' in --1",
    "0x10, Invalid character 'x' in 0x10",
    "1_000, Invalid character '_' in 1_000",
    "9223372036854775808, Overflow in 9223372036854775808",
    "-9223372036854775809, Overflow in -9223372036854775809",
    "9999999999999999999, Overflow in",
    "00000000000000000001, Value too long",
    "NaN, Invalid character 'N' in NaN",
  })
  void whatIsNoIntegerIsNamed(String text, String message) {
    assertThatThrownBy(() -> NumberText.parseLong(text))
        .isInstanceOf(InvalidNumberException.class)
        .hasMessageContaining(message);
  }
}
