package org.hourstone.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.hourstone.error.RequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Java's matcher tries without reading a character, and that no part of it is hidden. */
class UnreadStepsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      quoteCharacter = '"',
      value = {
        "abc 3",
        "a|b|c 6",
        "(a|b){3} 6",
        "^web\\d+$ 6",
        "(?:^){1000} 2002",
        "a(?:^){1000} 2002",
        "(?:|)(?:|)(?:|)(?:|) 31",
        "a*b*c* 7",
        "(a*)* 7",
        "[](?:^){1000}] 2",
        "(?x)a#(?:^){1000} 3",
        "\\Q(?:^){1000}\\E 11",
      })
  void stepsAreCounted(String regex, double steps) {
    assertThat(UnreadSteps.of(regex)).isEqualTo(steps);
  }

  /** Each has this, which is not in a class, a comment or a quotation, whatever it looks like. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "%s",
        "x%s",
        ".*%s",
        "(a)%s",
        "(?i)%s",
        "(?<n>)\\k<n>%s",
        "(?<n>)(?:\\k<n>%s)",
        "(?:a|%s)",
        "(?:a|%s)?b",
        "(?=%s)a",
        "(?<!a)%s",
        "(?>%s)a",
        "(?:%s)++a",
        "[]]%s",
        "[^]]%s",
        "[a&&[^]]]%s",
        "[[]]]%s",
        "[a\\]]%s",
        "[\\Q]\\E]%s",
        "\\[%s",
        "\\Q[\\E%s",
        "\\\\Q[a]%s",
        "\\c[%s",
        "\\x{5b}%s",
        "\\u005b%s",
        "\\133%s",
        "\\p{Punct}%s",
        "\\b{g}%s",
        "(?x)#[\n%s",
        "(?x)#[\r%s",
        "(?x) # [\u0085%s",
        "(?x)(?: #)\n)%s",
        "(?x)(?<n#>\n>)%s",
        "(?x)\\c#\n[%s",
        "(?x:#[\n)%s",
        "(?x)(?-x:#)%s",
        "(?xd)#[\r\n%s",
        "(?\\Qx\\E)#[\n%s",
        "(?x)[a#]\n]%s",
        "(?x)[ ^#]\n]a]%s",
        "{2}%s",
        "(?i){2}%s",
        "a{2}{3}%s",
      })
  void noneIsHidden(String form) {
    for (String part :
        List.of(
            "(?:(?:^){3000}){3000}",
            "(?:(?:){3000}){3000}",
            "(?:(?:$){3000,}){3000}",
            "(?:|)".repeat(40),
            "(?:^|\\b)".repeat(40))) {
      String regex = form.replace("%s", part);
      Pattern.compile(regex);
      assertThatThrownBy(() -> BoundedRegex.compile(regex))
          .as(regex)
          .isInstanceOf(RequestException.class)
          .hasMessageContaining("before it reads a character: make it simpler");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".*",
        "^web[0-9]{2,4}\\.(?:prod|test)\\.example\\.(?:com|org)$",
        "(?i)^(?!.*-old$).*$",
        "(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)",
        "a?b?c?d?e?f?g?h?i?j?k?l?m?n?o?p?q?r?s?t?u?v?w?x?y?z?",
        "([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})",
        "((\\w+)(\\.|-|$)){10}",
        "(?x) web \\d+ # of the rack\n (?: a | b )",
      })
  void usualOnesAreLetThrough(String regex) {
    assertThat(BoundedRegex.compile(regex).pattern()).isEqualTo(regex);
  }

  @Test
  void aLongListIsLetThrough() {
    StringBuilder list = new StringBuilder("host-0");
    for (int i = 1; i < 30_000; i++) {
      list.append("|host-").append(i);
    }
    assertThat(BoundedRegex.compile(list.toString()).matcher("host-29999").matches()).isTrue();
  }

  /** Whatever Java compiles is read as Java does, and ends if it may read only a little. */
  @Test
  @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void matchesOfRandomOnesEnd() {
    List<String> parts =
        List.of(
            "a",
            "-",
            " ",
            "#",
            "\n",
            "(",
            ")",
            "(?:",
            "(?=",
            "(?<!",
            "(?>",
            "(?x)",
            "(?-x)",
            "(?d:",
            "(?<n>",
            "\\k<n>",
            "[",
            "]",
            "[^",
            "&&",
            "{3000}",
            "{3000,}",
            "{0,3000}",
            "*",
            "+",
            "?",
            "|",
            "|",
            "^",
            "$",
            "\\b",
            "\\1",
            "\\",
            "\\c",
            "\\Q",
            "\\E",
            "\\x{41}",
            "\\p{L}",
            ")",
            "(?:|",
            "(?:^",
            "){3000}",
            "){3000}");
    Random random = new Random(11);
    int compiled = 0;
    for (int run = 0; run < 300_000; run++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(14); i >= 0; i--) {
        text.append(parts.get(random.nextInt(parts.size())));
      }
      String regex = text.toString();
      try {
        Pattern pattern = Pattern.compile(regex);
        compiled++;
        double steps = UnreadSteps.of(regex);
        if (steps <= BoundedRegex.MOST_STEPS) {
          boolean unused = pattern.matcher(new FewReads("a-a b")).find();
        } else {
          assertThat(regex).containsAnyOf("{3000", "(?:|");
        }
      } catch (PatternSyntaxException | CancellationException | StackOverflowError e) {
        // Java does not compile it, or it was stopped.
      }
    }
    assertThat(compiled).isGreaterThan(10_000);
  }

  /** A text that is read a few times only. */
  private static final class FewReads implements CharSequence {
    private final String text;
    private int reads;

    FewReads(String text) {
      this.text = text;
    }

    @Override
    public char charAt(int index) {
      if (++reads > 1000) {
        throw new CancellationException();
      }
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.substring(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
