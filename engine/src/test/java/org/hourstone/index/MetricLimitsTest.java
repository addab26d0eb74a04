package org.hourstone.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MetricLimitsTest {
  @Test
  void theFirstRuleThatMatchesApplies() {
    MetricLimits limits = MetricLimits.parse("debug.* 100; *.m|x 7; 50");

    assertThat(limits.of("debug.m")).isEqualTo(100);
    assertThat(limits.of("a.m")).isEqualTo(7);
    assertThat(limits.of("y")).isEqualTo(50);
  }

  @Test
  void aRuleThatNeverAppliesIsAnError() {
    assertThatThrownBy(() -> MetricLimits.parse("50; debug.* 100"))
        .hasMessage(
            "the rule \"debug.* 100\" never applies, as \"50\" before it has all of its metrics");
    assertThatThrownBy(() -> MetricLimits.parse("a*|b 50; ab*c|b 100"))
        .hasMessageContaining("never applies");
  }
}
