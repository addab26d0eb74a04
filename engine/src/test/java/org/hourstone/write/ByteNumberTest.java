package org.hourstone.write;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.hourstone.write.ByteNumber.Width;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers are those that Java reads, to the bit. */
class ByteNumberTest {
  /** How many random numbers are read; more on demand. */
  private static final int RANDOM = Integer.getInteger("numbers.random", 300_000);

  private static byte[] padded(String text) {
    return ("9" + text + "9").getBytes(ISO_8859_1);
  }

  /** The value as Java reads it; null if it refuses it. */
  private static @Nullable PointValue expected(String text, Width width) {
    try {
      if (!isDecimal(text)) {
        return isAscii(text) ? PointValue.of(Long.parseLong(text)) : null;
      }
      double value = Double.parseDouble(text);
      float narrow = width == Width.NARROW ? Float.parseFloat(text) : (float) value;
      return width == Width.NARROW || (width == Width.EXACT && narrow == value)
          ? PointValue.of(narrow)
          : PointValue.of(value);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static boolean isDecimal(String text) {
    return text.indexOf('.') >= 0 || text.indexOf('e') >= 0 || text.indexOf('E') >= 0;
  }

  private static boolean isAscii(String text) {
    return text.chars().allMatch(c -> c < 128);
  }

  /** Checks a text in each width; whether it was read from bytes in the first. */
  private static boolean check(String text) {
    boolean read = false;
    for (Width width : Width.values()) {
      ByteNumber number = new ByteNumber(width);
      byte[] bytes = padded(text);
      PointValue expected = expected(text, width);
      if (number.read(bytes, 1, bytes.length - 1)) {
        PointValue value = new PointValue(number.flags(), number.raw());
        if (!value.equals(expected) || !value.isFinite()) { // 100 million assertions take hours
          assertThat(value).as("%s as %s", text, width).isEqualTo(expected);
          assertThat(value.isFinite()).as("%s as %s", text, width).isTrue();
        }
        read |= width == Width.EXACT;
      } else {
        checkUnusual(text, width, expected);
      }
    }
    return read;
  }

  private static void checkUnusual(String text, Width width, @Nullable PointValue expected) {
    try {
      PointValue value = new ByteNumber(width).parse(text, true);
      if (!value.equals(expected)) {
        assertThat(value).as("%s as %s", text, width).isEqualTo(expected);
      }
    } catch (InvalidNumberException e) {
      if (expected != null) {
        assertThat(expected).as("%s as %s", text, width).isNull();
      }
    }
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
    RandomNumbers numbers = new RandomNumbers(1);
    long read = 0;
    for (int i = 0; i < RANDOM; i++) {
      read += check(numbers.next()) ? 1 : 0;
    }
    assertThat(read).isGreaterThan(RANDOM / 2);
  }

  /** Else the test above would prove little. */
  @Test
  void manyOfTheRandomNumbersAreHardToRound() {
    RandomNumbers numbers = new RandomNumbers(1);
    Map<String, Integer> counts = new TreeMap<>();
    for (int i = 0; i < 20_000; i++) {
      String text = numbers.next();
      if (check(text) && isDecimal(text)) {
        kinds(new BigDecimal(text).abs()).forEach(kind -> counts.merge(kind, 1, Integer::sum));
      }
    }
    assertThat(counts)
        .containsOnlyKeys("halfway", "halfway of floats", "long", "subnormal", "subnormal float")
        .allSatisfy((kind, count) -> assertThat(count).isGreaterThan(200));
  }

  private static Set<String> kinds(BigDecimal number) {
    Set<String> kinds = new HashSet<>();
    double value = number.doubleValue();
    if (number.precision() > 19) {
      kinds.add("long"); // its digits don't fit into a long
    }
    if (value < Double.MIN_NORMAL) {
      kinds.add("subnormal");
    } else if (value >= Float.MIN_VALUE && value < Float.MIN_NORMAL) {
      kinds.add("subnormal float");
    }
    if (isHalfway(number, Math.nextDown(value), value, Math.nextUp(value))) {
      kinds.add("halfway");
    }
    float narrow = number.floatValue();
    if (isHalfway(number, Math.nextDown(narrow), narrow, Math.nextUp(narrow))) {
      kinds.add("halfway of floats");
    }
    return kinds;
  }

  private static boolean isHalfway(BigDecimal number, double below, double value, double above) {
    if (!Double.isFinite(below) || !Double.isFinite(above)) {
      return false;
    }
    BigDecimal twice = number.add(number);
    BigDecimal middle = new BigDecimal(value);
    return twice.compareTo(middle.add(new BigDecimal(below))) == 0
        || twice.compareTo(middle.add(new BigDecimal(above))) == 0;
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
    assertThat(ByteNumber.parseLong(text)).isEqualTo(value);
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
    assertThatThrownBy(() -> ByteNumber.parseLong(text))
        .isInstanceOf(InvalidNumberException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1e-400",
        "-1e-400",
        "0.0000001e-399",
        "2.4e-324d",
        "0x1.p-2000",
        "0xa.0p-2000",
        "-0X.0EP-2000"
      })
  void aDecimalTooCloseToZeroIsRefusedUnlessItMayVanish(String text) {
    assertThatThrownBy(() -> PointValue.wide(text, false))
        .isInstanceOf(InvalidNumberException.class)
        .hasMessage(text + " is closer to 0 than the smallest double, 4.9E-324");
    assertThat(PointValue.wide(text, true).text()).isIn("0.0", "-0.0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0",
        "-0.0",
        "0e5",
        "0.000e-999",
        "0.0d",
        "0x0.p1",
        "-0X.0P-9",
        "4.9e-324",
        "1e-45"
      })
  void smallDecimalsAndZeroAreTaken(String text) {
    assertThat(PointValue.wide(text, false)).isEqualTo(PointValue.of(Double.parseDouble(text)));
  }
}
