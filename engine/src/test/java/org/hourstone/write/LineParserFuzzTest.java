package org.hourstone.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.time.ZoneOffset;
import org.hourstone.error.RequestException;

/** Any line is a point or refused with a RequestException that says why. */
class LineParserFuzzTest {
  @FuzzTest(maxExecutions = 200_000)
  void linesAreParsedOrRefused(@NotNull String line) {
    for (LineDialect dialect : LineDialect.values()) {
      LineParser parser = new LineParser(dialect, ZoneOffset.UTC);
      try {
        check(parser.telnet(line));
      } catch (RequestException e) {
        assertThat(e.getMessage()).isNotBlank();
      }
    }
    try {
      check(new LineParser(LineDialect.HOURSTONE, ZoneOffset.UTC).importLine(line));
    } catch (RequestException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
  }

  private static void check(PointText point) {
    assertThat(point.metric()).isNotEmpty();
    assertThat(point.timestamp()).isPositive();
    LineParser.tags(point.tags())
        .forEach((tagk, tagv) -> assertThat(tagk + tagv).hasSizeGreaterThan(1));
    if (NumberText.isInteger(point.value())) {
      long value = NumberText.parseLong(point.value());
      assertThat(NumberText.parseLong(Long.toString(value))).isEqualTo(value);
    }
  }
}
