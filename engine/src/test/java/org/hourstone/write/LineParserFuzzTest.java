package org.hourstone.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.time.ZoneOffset;
import org.hourstone.codec.Value;
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
    try {
      PointValue value = PointValue.exact(point.value(), false);
      assertThat(PointValue.exact(text(value), false)).isEqualTo(value);
    } catch (InvalidNumberException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
  }

  /** Exact, unlike the text of a float, which only distinguishes it from other floats. */
  private static String text(PointValue value) {
    return value.flags() == Value.FLOAT_FLAGS
        ? Double.toString(Float.intBitsToFloat((int) value.raw()))
        : value.text();
  }
}
