package org.hourstone.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.hourstone.error.RequestException;
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
        .isInstanceOf(RequestException.class)
        .hasMessageContaining("takes more than 1000000 steps");
    assertThatThrownBy(() -> RuleRegex.compile(regex).split(value))
        .isInstanceOf(RequestException.class);
  }

  @Test
  void aSearchThatIsTooDeepIsStopped() {
    assertThatThrownBy(() -> RuleRegex.compile("^(a|b)*$").group("ab".repeat(100_000), 0))
        .isInstanceOf(RequestException.class);
  }

  @Test
  void repetitionsThatLookAtNothingAreRefused() {
    assertThatThrownBy(() -> RuleRegex.compile("((?:){1000}){1000}"))
        .isInstanceOf(RequestException.class)
        .hasMessageContaining("before it reads a character");
    assertThatThrownBy(() -> RuleRegex.compile("a{99999999999999999999}"))
        .isInstanceOf(RequestException.class);
  }

  @Test
  void whatIsNoRegularExpressionIsRefused() {
    assertThatThrownBy(() -> RuleRegex.compile("(a"))
        .isInstanceOf(RequestException.class)
        .hasMessage("regular expression '(a': Unclosed group");
    assertThatThrownBy(() -> RuleRegex.compile("(".repeat(1_000_000)))
        .isInstanceOf(RequestException.class);
  }

  @Test
  void usualRepetitionsAreLetThrough() {
    assertThat(
            RuleRegex.compile("([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")
                .group("disk 01234567-89ab-cdef-0123-456789abcdef", 0))
        .isEqualTo("01234567-89ab-cdef-0123-456789abcdef");
  }

  /** Random ones are seldom expensive, so each is tried on a value made of the letters it knows. */
  @Test
  void aSearchByAnyExpressionEnds() {
    List<String> parts =
        List.of(
            "a", "b", ".", "(", ")", "(?:", "(?=", "(?<=", "[ab]", "*", "+", "?", "*?", "++", "|",
            "{3}", "{0,9}", "{99,}", "\\1", "^", "$", "\\b", "()", "\\Q", "\\E", "[^a", "]");
    Random random = new Random(7);
    int compiled = 0;
    int found = 0;
    for (int run = 0; run < 5_000; run++) {
      StringBuilder regex = new StringBuilder();
      for (int i = random.nextInt(9); i >= 0; i--) {
        regex.append(parts.get(random.nextInt(parts.size())));
      }
      try {
        RuleRegex rule = RuleRegex.compile(regex.toString());
        compiled++;
        found += rule.group("ab".repeat(20) + "a".repeat(20), 0) == null ? 0 : 1;
        rule.split("ab".repeat(20));
      } catch (RequestException e) {
        assertThat(e.getMessage()).describedAs(regex.toString()).startsWith("regular expression");
      }
    }
    assertThat(compiled).isGreaterThan(500);
    assertThat(found).isGreaterThan(25);
  }
}
