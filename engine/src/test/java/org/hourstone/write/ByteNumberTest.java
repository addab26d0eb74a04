package org.hourstone.write;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Random;
import org.hourstone.write.ByteNumber.Width;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers read from bytes are those read from strings, to the bit. */
class ByteNumberTest {
  private static final int RANDOM = Integer.getInteger("numbers.random", 300_000);

  private static byte[] padded(String text) {
    return ("9" + text + "9").getBytes(ISO_8859_1);
  }

  /** The value as a string is read; null if that is refused. */
  private static @Nullable PointValue expected(String text, Width width) {
    try {
      PointValue value =
          switch (width) {
            case EXACT -> PointValue.exact(text, false);
            case WIDE -> PointValue.wide(text, false);
            case NARROW -> PointValue.narrow(text);
          };
      return value.isFinite() ? value : null;
    } catch (InvalidNumberException e) {
      return null;
    }
  }

  /** Checks a text in each width; whether it was read in the first. */
  private static boolean check(String text) {
    boolean read = false;
    for (Width width : Width.values()) {
      ByteNumber number = new ByteNumber(width);
      byte[] bytes = padded(text);
      if (number.read(bytes, 1, bytes.length - 1)) {
        PointValue value = new PointValue(number.flags(), number.raw());
        assertThat(value).as("%s as %s", text, width).isEqualTo(expected(text, width));
        read |= width == Width.EXACT;
      }
    }
    return read;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "+42",
        "0042",
        "62",
        "999999999999999999",
        "-999999999999999999",
        "62.34",
        "-0.0",
        "0.000",
        "42.",
        ".5",
        "-.5",
        "+1.5",
        "5e-1",
        "1E5",
        "1e+22",
        "4.9e-324",
        "0.1",
        "9007199254740993.0",
        "900719925474099.25",
        "123456789012345678.9",
        "1.7976931348623157e308",
        "3.4028235677973366e38",
        "2.2250738585072011e-308",
        "1e39",
        "0.30000000000000004"
      })
  void usualNumbersAreRead(String text) {
    assertThat(check(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "+",
        "-",
        ".",
        "-.",
        "e",
        "1e",
        "e5",
        "1.2.3",
        "--1",
        "1-",
        "0x1.8p1",
        "0x10",
        "1_0",
        "NaN",
        "Infinity",
        "-Infinity",
        "0.5f",
        "0.5d",
        "1e400",
        "1e-400",
        "0e0",
        " 1",
        "1 ",
        "1,5",
        "\u0661",
        "9223372036854775807",
        "9223372036854775808",
        "1e5e5",
        "1e5.",
        "+-1.",
        "\u00b2.0"
      })
  void othersAreLeft(String text) {
    assertThat(check(text)).isFalse();
  }

  @Test
  void randomNumbersAreReadAsFromStrings() {
    Random random = new Random(1);
    int read = 0;
    for (int i = 0; i < RANDOM; i++) {
      read += check(text(random)) ? 1 : 0;
    }
    assertThat(read).isGreaterThan(RANDOM / 2);
  }

  private static String text(Random random) {
    String text =
        switch (random.nextInt(9)) {
          case 0 -> Double.toString(Double.longBitsToDouble(random.nextLong()));
          case 1 -> Float.toString(Float.intBitsToFloat(random.nextInt()));
          case 2 -> Long.toString(random.nextLong() >> random.nextInt(64));
          case 3 -> String.format("%.2f", random.nextGaussian() * 1000);
          case 4 -> random.nextInt(100000) + "." + random.nextInt(1000);
          case 5 -> digits(random, 20) + "." + digits(random, 25);
          case 6 -> digits(random, 25) + "e" + (random.nextInt(700) - 350);
          case 7 -> halfway(random);
          default -> digits(random, 4) + "." + digits(random, 3) + "E" + random.nextInt(30);
        };
    return random.nextInt(20) > 0 ? text : mutated(text, random);
  }

  private static String digits(Random random, int most) {
    StringBuilder digits = new StringBuilder();
    for (int i = random.nextInt(most); i >= 0; i--) {
      digits.append((char) ('0' + random.nextInt(10)));
    }
    return digits.toString();
  }

  /** Halfway between two doubles or floats, and close to that: where rounding is decided. */
  private static String halfway(Random random) {
    double value = Math.abs(random.nextGaussian()) * Math.pow(10, random.nextInt(12) - 4);
    double next = random.nextBoolean() ? Math.nextUp(value) : Math.nextUp((float) value);
    String text =
        new BigDecimal(value)
            .add(new BigDecimal(next))
            .divide(BigDecimal.valueOf(2))
            .toPlainString();
    return random.nextBoolean() ? text : text + random.nextInt(10);
  }

  private static String mutated(String text, Random random) {
    StringBuilder changed = new StringBuilder(text);
    changed.setCharAt(
        random.nextInt(text.length()), "0123456789.eE+-xdfpN \u00e9".charAt(random.nextInt(22)));
    return changed.toString();
  }
}
