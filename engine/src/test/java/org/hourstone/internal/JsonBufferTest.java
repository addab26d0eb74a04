package org.hourstone.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonBufferTest {
  private static final long SEED = new Random().nextLong();

  private static String written(Consumer<JsonBuffer> writing) {
    JsonBuffer json = new JsonBuffer(1);
    writing.accept(json);
    return new String(json.toByteArray(), UTF_8);
  }

  private static void assertDigits(double value) {
    assertThat(written(json -> json.number(value)))
        .describedAs("seed %d", SEED)
        .isEqualTo(Double.toString(value));
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {
        0,
        -0.0,
        1,
        -1,
        0.5,
        42.5,
        0.1,
        0.001,
        0.0009,
        1e-3,
        9.999e-4,
        9999999,
        1e7,
        1e10,
        123.456,
        123.4567,
        0.3,
        2.0e-3,
        Double.MIN_VALUE,
        Double.MAX_VALUE,
        100.25,
        1234567.125,
        9999999.999
      })
  void aDoubleHasTheDigitsOfJava(double value) {
    assertDigits(value);
    assertDigits(-value);
  }

  @Test
  void anyDoubleHasTheDigitsOfJava() {
    Random random = new Random(SEED);
    for (int i = 0; i < 20_000; i++) {
      assertDigits(Double.longBitsToDouble(random.nextLong() & ~(1L << 62)));
      assertDigits(random.nextInt(20_000_000) / 1000.0);
      assertDigits(random.nextLong(20_000_000_000L) / 1e4);
      assertDigits((float) (random.nextInt(1_000_000) / 10.0));
      assertDigits(Math.nextUp(random.nextInt(1_000_000) / 100.0));
    }
  }

  @Test
  void whatIsNoNumberIsQuoted() {
    assertThat(written(json -> json.number(Double.NaN))).isEqualTo("\"NaN\"");
    assertThat(written(json -> json.number(Double.NEGATIVE_INFINITY))).isEqualTo("\"-Infinity\"");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 9, 10, 99, 100, -1, -10, Long.MAX_VALUE, Long.MIN_VALUE, 1520640000})
  void aWholeNumberHasItsDigits(long value) {
    assertThat(written(json -> json.number(value))).isEqualTo(Long.toString(value));
  }

  @Test
  void wholeNumbersOfAnyLengthHaveTheirDigits() {
    Random random = new Random(SEED);
    for (int bits = 0; bits < Long.SIZE; bits++) {
      for (int i = 0; i < 200; i++) {
        assertWhole(random.nextLong() >> bits);
      }
    }
    for (long power = 1; power > 0 && power < Long.MAX_VALUE / 10; power *= 10) {
      for (long near = power - 2; near <= power + 2; near++) {
        assertWhole(near);
        assertWhole(-near);
      }
    }
  }

  private static void assertWhole(long value) {
    assertThat(written(json -> json.number(value)))
        .describedAs("seed %d", SEED)
        .isEqualTo(Long.toString(value));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "sys.cpu",
        "say \"no\"",
        "back\\slash",
        "line\nfeed\ttab\r\b\f",
        "\u0000\u001f",
        "Zürich €",
        "\uD83D\uDE00"
      })
  void aTextIsReadBackAsItWas(String text) {
    assertThat(Json.read(written(json -> json.string(text))).asText()).isEqualTo(text);
  }

  @Test
  void drainingHandsOnAndEmpties() throws IOException {
    JsonBuffer json = new JsonBuffer(2);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    json.raw("[1,").number(2L).drainTo(out);
    assertThat(json.size()).isZero();
    json.raw(']').drainTo(out);
    assertThat(out.toString(UTF_8)).isEqualTo("[1,2]");
  }

  @Test
  void theShortestDigitsAreReadAsTheSameDouble() {
    Random random = new Random(SEED);
    for (int i = 0; i < 100_000; i++) {
      assertShortest(Double.longBitsToDouble(random.nextLong()));
      assertShortest(Double.longBitsToDouble(random.nextLong() >>> (12 + random.nextInt(52))));
      assertShortest(random.nextInt(100_000) / 30.0);
      assertShortest(random.nextDouble() * Math.pow(10, random.nextInt(12) - 4));
    }
    for (int exponent = -324; exponent <= 308; exponent++) {
      assertShortest(Double.parseDouble("1e" + exponent));
    }
  }

  private static void assertShortest(double value) {
    if (!Double.isFinite(value)) {
      return;
    }
    String text = written(json -> json.shortest(value));
    if (Double.doubleToRawLongBits(Double.parseDouble(text)) != Double.doubleToRawLongBits(value)
        || text.length() > Double.toString(value).length()) {
      throw new AssertionError(Double.toString(value) + " as " + text + ", seed " + SEED);
    }
  }

  @Test
  void theShortestDigitsAreFewerThanThoseOfJava17() {
    for (String text : new String[] {"2.0E23", "8.41E21"}) {
      assertThat(written(json -> json.shortest(Double.parseDouble(text)))).isEqualTo(text);
    }
  }
}
