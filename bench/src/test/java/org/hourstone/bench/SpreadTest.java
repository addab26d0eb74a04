package org.hourstone.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpreadTest {
  @Test
  void theMedianIsTheMiddleOrBetweenTheTwoInTheMiddle() {
    assertThat(Spread.of(3, 1, 2)).isEqualTo(new Spread(1, 2, 3));
    assertThat(Spread.of(4, 1, 2, 3)).isEqualTo(new Spread(1, 2.5, 4));
    assertThat(Spread.of(4, 1, 2, 3).text(1)).isEqualTo("2.5 (1.0–4.0)");
  }
}
