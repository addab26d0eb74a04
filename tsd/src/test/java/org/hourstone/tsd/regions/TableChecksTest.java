package org.hourstone.tsd.regions;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.hourstone.kv.Family;
import org.hourstone.retention.RetentionRules;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TableChecksTest {
  private static final Family POINTS = new Family("tsdb", "t");

  private static @Nullable String ttl(long days, String rules) {
    return TableChecks.pointsTtl(
        POINTS, Optional.of(Duration.ofDays(days)), RetentionRules.parse(rules));
  }

  @Test
  void aTtlThatIsShorterThanTheLongestRuleIsReported() {
    assertThat(ttl(30, "a* raw 10d; * raw 400d"))
        .contains("its TTL of 30d", "keeps for 400d", "TTL => 34560000}");
    assertThat(ttl(399, "* raw 400d")).isNotNull();
    assertThat(ttl(400, "a* raw 10d; * raw 400d")).isNull();
  }

  @Test
  void aRuleThatKeepsPointsForEverContradictsEachTtl() {
    assertThat(ttl(3000, "* 1h 400d")).contains("keeps for ever", "TTL => 'FOREVER'}");
  }

  @Test
  void withoutRulesOrWithoutTtlNothingIsWrong() {
    assertThat(ttl(30, "")).isNull();
    assertThat(TableChecks.pointsTtl(POINTS, Optional.empty(), RetentionRules.parse("* raw 400d")))
        .isNull();
    assertThat(TableChecks.namesTtl(POINTS, Optional.empty())).isNull();
  }

  @Test
  void namesMustNotExpire() {
    assertThat(TableChecks.namesTtl(new Family("u", "id"), Optional.of(Duration.ofSeconds(90))))
        .startsWith("table u, family id: its TTL of 90s deletes what points need");
  }
}
