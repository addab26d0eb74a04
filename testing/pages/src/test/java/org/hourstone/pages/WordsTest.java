package org.hourstone.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pages, Javadoc and messages don't use words that CONTRIBUTING.md's glossary replaces. Only those
 * are searched for that have no other meaning here.
 */
class WordsTest {
  private static final Pattern FILE = Pattern.compile(".*\\.(java|md)");
  private static final List<String> PROSE =
      List.of(
          "README.md",
          "CONTRIBUTING.md",
          "docs",
          "core/src/main",
          "engine/src/main",
          "expressions/src/main",
          "tools/src/main",
          "api/src/main",
          "tsd/src/main",
          "backend-memory/src/main",
          "backend-rocksdb/src/main",
          "backend-hbase/src/main",
          "testkit/src/main",
          "bench/src/main");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(some|no|any)body",
        "by and by",
        "now and then",
        "lest",
        "anew",
        "meanwhile",
        "pass(ed|es|ing) over",
        "mend(s|ed|ing|able)?",
        "(is|are|was|were|be|been|being) told",
        "tells? of",
        "told of",
        "(at|in) hand",
        "put together",
        "(takes?|taken|taking|took) apart",
        "held back",
        "on (\\d+|four|eight|two|the fewest) bytes?",
        "as (it|they) stands?",
        "so long before",
        "heed(s|ed|ing)?",
        "be it",
        "plant(s|ed|ing)?",
        "complain(s|ed)?"
      })
  void isNotUsed(String word) {
    Pattern pattern = Pattern.compile("\\b(" + word + ")\\b", Pattern.CASE_INSENSITIVE);

    assertThat(
            PROSE.stream()
                .flatMap(path -> Page.below(path, FILE))
                .flatMap(page -> uses(page, pattern)))
        .isEmpty();
  }

  /**
   * File, line number and line. A line of a list of words to avoid quotes them in its first cell.
   */
  private static Stream<String> uses(Page page, Pattern pattern) {
    List<String> lines = page.text().lines().toList();
    return IntStream.range(0, lines.size())
        .filter(i -> !lines.get(i).startsWith("| \""))
        .filter(i -> pattern.matcher(lines.get(i)).find())
        .mapToObj(i -> page.name() + ":" + (i + 1) + ": " + lines.get(i).strip());
  }
}
