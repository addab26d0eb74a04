package org.hourstone.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DigitsTest {
  @Test
  void smallNumbersAreNotZeroAndLargeOnesHaveNoExponent() {
    assertThat(Digits.three(0.0012345)).isEqualTo("0.00123");
    assertThat(Digits.three(12.345)).isEqualTo("12.3");
    assertThat(Digits.three(123_456)).isEqualTo("123000");
    assertThat(Digits.three(0)).isEqualTo("0");
  }
}
