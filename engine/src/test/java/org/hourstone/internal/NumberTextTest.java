package org.hourstone.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NumberTextTest {
  private static boolean isHeld(String text) {
    return NumberText.isHeld(text, Double.parseDouble(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0.0",
        "+.0",
        "0e-400",
        "0.0E+999",
        "0x0.0p9",
        "0d",
        "4.9e-324",
        "1e308",
        "-1",
        "NaN",
        "Infinity",
        "-Infinity",
        " +Infinity ",
        "0x1p-1074"
      })
  void aDoubleHoldsWhatItIsRead(String text) {
    assertThat(isHeld(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1e-400",
        "-1e-400",
        " +0.001e-400",
        "2e-324",
        "1e400",
        "-1.5E+309",
        "1e400d",
        "0x1p-2000",
        "0x0.ap-2000",
        "0x1p2000"
      })
  void whatIsTooLargeOrTooNearToZeroIsNotHeld(String text) {
    assertThat(isHeld(text)).isFalse();
  }

  @Test
  void aFloatHoldsLess() {
    for (String text : new String[] {"1e-60", "-1e-46", "1e39", "-4e38"}) {
      assertThat(NumberText.isHeld(text, Float.parseFloat(text))).as(text).isFalse();
      assertThat(isHeld(text)).as(text).isTrue();
    }
    assertThat(NumberText.isHeld("1e-45", Float.parseFloat("1e-45"))).isTrue();
  }
}
