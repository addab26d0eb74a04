package org.hourstone.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.hourstone.RetentionSettings;
import org.hourstone.TsdbOptions;
import org.hourstone.uid.NameRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetentionRulesTest {
  @Test
  void rulesHavePatternsAndDurations() {
    List<RetentionRule> rules =
        RetentionRules.parse("sys.*|net.if{dc=lga|a*b,host=*} raw 30d, 1h 10y ; * raw 52w;").all();

    assertThat(rules).hasSize(2);
    RetentionRule first = rules.get(0);
    assertThat(first.seconds()).isEqualTo(Map.of("raw", 30 * 86_400L, "1h", 3650 * 86_400L));
    assertThat(first.matchesMetric("sys.cpu")).isTrue();
    assertThat(first.matchesMetric("net.if")).isTrue();
    assertThat(first.matchesMetric("net.if2")).isFalse();
    assertThat(first.matchesMetric("sysXcpu")).isFalse();
    assertThat(first.matchesTags(Map.of("dc", "acdb", "host", "h", "x", "y")::get)).isTrue();
    assertThat(first.matchesTags(Map.of("dc", "lga2", "host", "h")::get)).isFalse();
    assertThat(first.matchesTags(Map.of("dc", "lga")::get)).isFalse();
    assertThat(rules.get(1).matchesMetric("anything")).isTrue();
    assertThat(rules.get(1).seconds()).isEqualTo(Map.of("raw", 364 * 86_400L));
  }

  @Test
  void withoutRulesEverythingIsKept() {
    assertThat(RetentionRules.parse("").isEmpty()).isTrue();
    assertThat(RetentionRules.parse(" ; ").isEmpty()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "* ! not METRIC",
        "raw 30d ! \"30d\" is not raw or an interval",
        "m raw ! \"raw\" is not raw or an interval",
        "m raw 30 ! interval '30' is not a number and one of",
        "m raw 0d ! is zero",
        "m raw 30d 1h 1y ! is not raw or an interval",
        "m raw 30d, raw 31d ! raw occurs twice",
        "m{} x raw 30d ! is not raw or an interval",
        "m{dc} raw 30d ! the tag \"dc\" is not NAME=VALUE",
        "m{dc=} raw 30d ! the tag \"dc=\" is not NAME=VALUE",
        "m{dc=a,dc=b} raw 30d ! the tag dc occurs twice",
        "m{dc=a raw 30d ! not METRIC",
        "| raw 30d ! \"|\" is not a pattern",
        "m{dc=|} raw 30d ! \"|\" is not a pattern",
        "ok raw 2d ! it never applies, as \"ok raw 400d\" before it has all of its series",
        "ok{dc=a} raw 2d ! it never applies"
      })
  void aMalformedRuleIsNamedWithTheReason(String rule, String reason) {
    String text = "ok raw 400d; " + rule;

    assertThatThrownBy(() -> TsdbOptions.defaults().with(RetentionSettings.RULES, text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("hourstone.retention: the rule \"" + rule + "\"")
        .hasMessageContaining(reason);
  }

  @Test
  void aRuleThatNeverAppliesIsAnError() {
    for (String rules :
        List.of(
            "* raw 30d; sys.* raw 400d",
            "a|sys.* raw 30d; x raw 40d; sys.cpu*|a raw 400d",
            "*{dc=l*} raw 30d; sys.*{host=a,dc=lga|l*} raw 400d",
            "sys.* raw 30d; sys.*.idle raw 400d")) {
      assertThatThrownBy(() -> RetentionRules.parse(rules))
          .as(rules)
          .hasMessageContaining("400d\": it never applies, as");
    }
    for (String rules :
        List.of(
            "sys.* raw 30d; * raw 400d",
            "sys.* raw 30d; sys.cpu|net.* raw 400d",
            "*{dc=lga} raw 30d; sys.* raw 400d",
            "*{dc=lga} raw 30d; *{dc=lga|ams} raw 400d",
            "*{dc=lga} raw 30d; *{host=a} raw 400d",
            "sys.*.idle raw 30d; sys.* raw 400d")) {
      assertThat(RetentionRules.parse(rules).all()).hasSize(2);
    }
  }

  @Test
  void aPatternThatNoNameCanMatchIsAnError() {
    NameRules usual = TsdbOptions.defaults().nameRules();
    for (String rule :
        List.of("sys.?pu", "sys.[ab]*", "a,b", "\"m\"", "m{dc=!lga}", "m{d*=a}", "m{a|b=c}")) {
      assertThatThrownBy(
              () -> RetentionRules.parse(rule + " raw 30d").check(List.of(), 1, "", usual))
          .as(rule)
          .hasMessageStartingWith("hourstone.retention: the rule \"" + rule)
          .hasMessageContaining("no name has");
    }
    RetentionRules.parse("a/b.*-c_|é*{dc=*} raw 30d").check(List.of(), 1, "", usual);
    RetentionRules.parse("a?b raw 30d").check(List.of(), 1, "", new NameRules("?", false, 8));
  }
}
