package org.hourstone.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValueTest {
  private static String hex(int flags, long raw) {
    return HexFormat.of().withUpperCase().formatHex(Value.encode(flags, raw));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 00",
    "127, 0, 7F",
    "-128, 0, 80",
    "128, 1, 0080",
    "-129, 1, FF7F",
    "32767, 1, 7FFF",
    "32768, 3, 00008000",
    "-32769, 3, FFFF7FFF",
    "2147483648, 7, 0000000080000000",
    "-9223372036854775808, 7, 8000000000000000",
  })
  void integersTakeTheFewestBytes(long value, int flags, String bytes) {
    assertThat(Value.flagsOf(value)).isEqualTo(flags);
    assertThat(hex(flags, value)).isEqualTo(bytes);
  }

  @Test
  void floatsAreTheirRawBits() {
    assertThat(hex(Value.FLOAT_FLAGS, Value.rawOf(42.5f))).isEqualTo("422A0000");
    assertThat(hex(Value.FLOAT_FLAGS, Value.rawOf(-0.0f))).isEqualTo("80000000");
    assertThat(hex(Value.DOUBLE_FLAGS, Value.rawOf(42.5))).isEqualTo("4045400000000000");
    assertThat(hex(Value.DOUBLE_FLAGS, Value.rawOf(0.1))).isEqualTo("3FB999999999999A");
  }

  @Test
  void everyValueSurvivesTheRoundTrip() {
    Random random = new Random(11);
    for (int i = 0; i < 100_000; i++) {
      long value = random.nextLong() >> random.nextInt(64);
      int flags = Value.flagsOf(value);
      assertThat(Value.decode(flags, Value.encode(flags, value), 0)).isEqualTo(value);
      double number = Double.longBitsToDouble(random.nextLong());
      byte[] bytes = Value.encode(Value.DOUBLE_FLAGS, Value.rawOf(number));
      assertThat(Value.decode(Value.DOUBLE_FLAGS, bytes, 0)).isEqualTo(Value.rawOf(number));
      float narrow = Float.intBitsToFloat(random.nextInt());
      bytes = Value.encode(Value.FLOAT_FLAGS, Value.rawOf(narrow));
      assertThat(Value.decode(Value.FLOAT_FLAGS, bytes, 0)).isEqualTo(Value.rawOf(narrow));
    }
  }

  @Test
  void aFloatIsWidened() {
    assertThat(Value.toDouble(Value.FLOAT_FLAGS, Value.rawOf(0.1f))).isEqualTo(0.10000000149011612);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 5, 6, 8, 9, 10, 12, 13, 14})
  void lengthsNoValueHasAreNamed(int flags) {
    assertThatThrownBy(() -> Value.decode(flags, new byte[8], 0))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("bytes");
  }
}
