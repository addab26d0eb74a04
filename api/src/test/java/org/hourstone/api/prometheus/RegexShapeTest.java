package org.hourstone.api.prometheus;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What regular expressions need, and that none hides a part of it. */
class RegexShapeTest {
  private static final long MILLION = 1_000_000;

  private static long steps(String regex) {
    return RegexShape.of(regex, 1000).steps();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "a|b", "a\\.b|c", "(a|b)", "(?:a\\.b|c)"})
  void aListIsNoPattern(String regex) {
    assertThat(LabelMatcher.isList(regex)).isTrue();
    LabelMatcher matcher = new LabelMatcher(LabelMatcher.Type.RE, "n", regex);
    assertThat(List.of("a", "a.b", "b", "c", "ab", "(a", "d"))
        .allSatisfy(
            each -> assertThat(matcher.passes(each)).as(each).isEqualTo(each.matches(regex)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"(a)|(b)", "(a", "a)", "(a\\)", "(?i:a|b)", "(a.b)"})
  void othersAreNoLists(String regex) {
    assertThat(LabelMatcher.isList(regex)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "'', 0, 0",
    "abc, 0, 3",
    "a{3}b{2}, 0, 10",
    "(ab){3}, 1, 15",
    "((a{2}){3}){4}, 2, 96",
    "(?:ab)(?i)(?P<name>c), 1, 7",
    "'[{9}(]{2}\\({2}', 0, 16",
    "'\\x{1000}\\p{Greek}{2}\\', 0, 1004",
    "'a*(?i){3}', 0, 9",
    "'\\Qa{9}(\\E{2}[[:alpha:]x]', 0, 11",
    "'a{2,5}b{0}c{,3}d{3,}', 0, 23",
    "')](', 1, 4",
    "'(((((a', 3, 6",
    "a{999999999}{999999999}{999999999}{999999999}{999999999}, 0, 1099511627776",
  })
  void theShapeOfARegexIsKnown(String regex, int depth, long steps) {
    assertThat(RegexShape.of(regex, 2)).isEqualTo(new RegexShape(depth, steps, false));
  }

  /** RE2/J ends each of these classes at the first bracket, and repeats what follows it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "[+-[:x]%s:]",
        "[^+-[:x]%s:]",
        "[\\x{2B}-[:x]%s:]",
        "[\\53-[:x]%s:]",
        "[\\d+-[:x]%s:]",
        "[[:alpha:]+-[:x]%s:]",
      })
  void aClassHidesNothing(String around) {
    String hidden = "(?:(?:a{1000}){1000})";

    assertThat(steps(around.formatted(hidden))).isGreaterThan(MILLION);
    assertThat(Pattern.compile(around.formatted("(?:b{300})")).programSize()).isGreaterThan(300);
  }

  /** What is not compiled to a step, but takes its time. */
  @Test
  void whatTakesTimeCounts() {
    String letters =
        IntStream.range(0, 40_000)
            .mapToObj(i -> Character.toString(0x100 + 2 * i))
            .collect(joining("|"));
    assertThat(steps(letters)).isGreaterThan(MILLION);
    assertThat(steps("x" + letters.replace("|", "|x"))).isGreaterThan(MILLION);
    assertThat(steps("\\pL|".repeat(1500))).isGreaterThan(MILLION);
    assertThat(steps("a".repeat(200_000))).isGreaterThan(MILLION);
    assertThat(steps("(?i)" + "[\u2000-\uffff]".repeat(700))).isGreaterThan(MILLION);
    assertThat(steps("(?i)[" + "\u2000-\uffff".repeat(700) + "]")).isGreaterThan(MILLION);
    assertThat(steps("[" + "\u2000-\uffff".repeat(700) + "]")).isLessThan(10_000);
    assertThat(steps("(?i)[a-z0-9]{64}")).isLessThan(10_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(?i)\u1c80",
        "(?i:\\x{1C88})",
        "(?is)\\Qa\u1c84\\E",
        "(?i)[\\x{1c85}]",
        "(?i)[B-\u3000]",
        "(?s-i)(?i)(a|[^\\102-\\x{10000}])",
        "(?i)[]-\u2000]",
        "(?i)a(?P<n>\u1c81)",
      })
  void compilingMayNotEnd(String regex) {
    assertThat(RegexShape.of(regex, 1000).isEndless()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u1c80",
        "[B-\u3000]",
        "(?s)\u1c80",
        "(?i)[a-z]",
        "(?i)\\p{Cyrillic}[^\\PL]\\pL\\W\\D[[:^alpha:]]",
        "(?i)[^\\p{Lu}]",
      })
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void compilingEnds(String regex) {
    assertThat(RegexShape.of(regex, 1000).isEndless()).isFalse();
    assertThat(Pattern.compile(regex)).isNotNull();
  }

  /** Each letter of which Java knows a variant; a newer Java may know more of them. */
  @Test
  @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void theCaseOfAllOtherLettersCanBeIgnored() {
    IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
        .filter(each -> Character.toLowerCase(each) != each || Character.toUpperCase(each) != each)
        .mapToObj(each -> "(?i)" + Pattern.quote(Character.toString(each)))
        .filter(regex -> !RegexShape.of(regex, 1).isEndless())
        .forEach(regex -> assertThat(Pattern.compile(regex)).isNotNull());
  }

  /** RE2/J says how much memory a program takes: no less than its steps. */
  @Test
  void noExpressionHasMoreStepsThanCounted() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<String> parts =
        List.of(
            "a",
            "bc",
            "[",
            "]",
            "^",
            "-",
            "[:",
            ":]",
            "[:alpha:]",
            "(",
            ")",
            "(?:",
            "(?i)",
            "(?i:",
            "{3}",
            "{2,}",
            "{1,4}",
            "*",
            "+",
            "?",
            "|",
            "\\",
            "\\Q",
            "\\E",
            "\\pL",
            "\\p{Greek}",
            "\\d",
            "\\x41",
            "\\x{41}",
            "\\101",
            "$",
            ".",
            "{",
            "}",
            ",",
            "+-[");
    int compiled = 0;
    for (int i = 0; i < 100_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = 1 + random.nextInt(12); length > 0; length--) {
        text.append(parts.get(random.nextInt(parts.size())));
      }
      String regex = text.toString();
      try {
        int size = com.google.re2j.Pattern.compile(regex).programSize();
        compiled++;
        assertThat((long) size)
            .as("%s, seed %d", regex, seed)
            .isLessThanOrEqualTo(2 * RegexShape.of(regex, 1000).steps() + 8);
      } catch (PatternSyntaxException e) {
        // Others are not counted.
      }
    }
    assertThat(compiled).isGreaterThan(1000);
  }
}
