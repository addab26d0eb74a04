package org.hourstone.write;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decimal numbers are read as Java reads them, or not at all. */
class DoubleTextTest {
  private static final int RANDOM = Integer.getInteger("numbers.random", 100_000);

  private static double of(String text) {
    byte[] bytes = ("x" + text + "7").getBytes(US_ASCII);
    return DoubleText.of(bytes, 1, bytes.length - 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "+1",
        "1.",
        ".5",
        "-.5",
        "1e3",
        "1E-3",
        "0e5",
        "0.0e-999",
        "4.9e-324",
        "007",
        "1.7976931348623157e308",
        "9007199254740993",
        "999999999999999999",
        "9999999999999999999",
        "0.000000000000000001",
        "123456789012345678901234567890",
        "0.1234567890123456789"
      })
  void aNumberIsReadAsJavaReadsIt(String text) {
    assertThat(of(text)).isEqualTo(Double.parseDouble(text));
    assertThat(Double.doubleToRawLongBits(of(text)))
        .isEqualTo(Double.doubleToRawLongBits(Double.parseDouble(text)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "+",
        ".",
        "-.",
        "e",
        "1e",
        "1e+",
        "e5",
        "1.2.3",
        "--1",
        "1-",
        "1 ",
        " 1",
        "1d",
        "1f",
        "0x10",
        "NaN",
        "Infinity",
        "-Infinity",
        "1e400",
        "1e-400",
        "1,5",
        "1_0"
      })
  void whatIsNoNumberIsNotRead(String text) {
    assertThat(of(text)).isNaN();
  }

  @Test
  void randomNumbersAreReadExactly() {
    Random random = new Random(5);
    for (int i = 0; i < RANDOM; i++) {
      double value =
          switch (random.nextInt(4)) {
            case 0 -> Double.longBitsToDouble(random.nextLong());
            case 1 -> random.nextGaussian();
            case 2 -> random.nextInt(1_000_000) / 1000.0;
            default -> random.nextLong();
          };
      if (Double.isFinite(value)) {
        String text =
            random.nextInt(4) == 0
                ? String.format(Locale.ROOT, "%.6f", value)
                : Double.toString(value);
        double expected = Double.parseDouble(text);
        if (text.length() <= 300) {
          assertThat(of(text)).as(text).isEqualTo(expected);
        }
      }
    }
  }
}
