package org.hourstone.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RuleRegexTest {
  @Test
  void aGroupOfTheFirstMatchIsTaken() {
    RuleRegex regex = RuleRegex.compile("([a-z]+)(\\d+)");

    assertThat(regex.group("--web01.cpu7", 0)).isEqualTo("web");
    assertThat(regex.group("--web01.cpu7", 1)).isEqualTo("01");
  }

  @Test
  void noMatchAndNoSuchGroupAreNothing() {
    assertThat(RuleRegex.compile("(x)").group("web", 0)).isNull();
    assertThat(RuleRegex.compile("(w)").group("web", 1)).isNull();
    assertThat(RuleRegex.compile("w|(x)").group("web", 0)).isNull();
  }

  @Test
  void aSplitValueLosesEmptyPiecesAtItsEndOnly() {
    assertThat(RuleRegex.compile("\\.").split(".a..b..")).containsExactly("", "a", "", "b");
  }

  /** Each would try more combinations on this value than can ever be tried. */
  @ParameterizedTest
  @ValueSource(strings = {"^(a*)*\\1b", "^(a+)+\\1b", "^(.*)(.*)(.*)(.*)(.*)(.*)(.*)x$"})
  void aSearchThatWouldNotEndIsStopped(String regex) {
    String value = "a".repeat(200) + "!";

    assertThatThrownBy(() -> RuleRegex.compile(regex).group(value, 0))
        .isInstanceOf(TreeRuleException.class)
        .hasMessageContaining("takes more than 1000000 steps");
    assertThatThrownBy(() -> RuleRegex.compile(regex).split(value))
        .isInstanceOf(TreeRuleException.class);
  }

  @Test
  void aSearchThatIsTooDeepIsStopped() {
    assertThatThrownBy(() -> RuleRegex.compile("^(a|b)*$").group("ab".repeat(100_000), 0))
        .isInstanceOf(TreeRuleException.class);
  }

  @Test
  void repetitionsThatLookAtNothingAreRefused() {
    assertThatThrownBy(() -> RuleRegex.compile("((?:){1000}){1000}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("repeats more than 10000 times");
    assertThatThrownBy(() -> RuleRegex.compile("a{99999999999999999999}"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatIsNoRegularExpressionIsRefused() {
    assertThatThrownBy(() -> RuleRegex.compile("(a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("regular expression '(a': Unclosed group");
    assertThatThrownBy(() -> RuleRegex.compile("(".repeat(1_000_000)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void usualRepetitionsAreLetThrough() {
    assertThat(
            RuleRegex.compile("([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")
                .group("disk 01234567-89ab-cdef-0123-456789abcdef", 0))
        .isEqualTo("01234567-89ab-cdef-0123-456789abcdef");
  }
}
