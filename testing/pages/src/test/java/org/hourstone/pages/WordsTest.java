package org.hourstone.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pages, Javadoc, messages, names and tests don't use words that CONTRIBUTING.md's glossary
 * replaces. Only those are searched for that have no other meaning here.
 */
class WordsTest {
  private static final Pattern FILE = Pattern.compile(".*\\.(java|md|html|js)|[./]*/hourstone");
  private static final Pattern NOT_OURS = Pattern.compile(".*/uPlot[^/]*");

  private static final Pattern CODE_SPAN = Pattern.compile("`[^`]*`");

  /** Former names of settings, which warnings have. */
  private static final Pattern FORMER = Pattern.compile("cells_as_they_stand|damaged_rows");

  /** Without {@code testing/pages}, which quotes the list, and the test kit's planted faults. */
  private static final List<String> PROSE =
      List.of(
          "README.md",
          "CONTRIBUTING.md",
          "CHANGELOG.md",
          "hourstone",
          "docs",
          "core/src",
          "engine/src",
          "expressions/src",
          "tools/src",
          "api/src",
          "server/src",
          "junit/src",
          "tsd/src",
          "backend-memory/src",
          "backend-rocksdb/src",
          "backend-hbase/src",
          "testkit/src",
          "bench/src",
          "testing/engine-contracts/src",
          "testing/engine-tests/src",
          "testing/hbase-tests/src",
          "testing/hbase-standalone/src",
          "testing/opentsdb-peer/src",
          "testing/clients/src");

  private static Map<String, Prose> pages = Map.of();

  @BeforeAll
  static void read() {
    pages =
        PROSE.stream()
            .flatMap(path -> Page.below(path, FILE))
            .filter(page -> !NOT_OURS.matcher(page.name()).matches())
            .collect(Collectors.toMap(Page::name, WordsTest::searched));
  }

  @AfterAll
  static void forget() {
    pages = Map.of();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(some|no|any|every)body",
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
        "(takes?|taken|taking|took|tells?|told|telling) apart",
        "held back",
        "on (\\d+|four|eight|two|the fewest) bytes?(?! are already assigned)", // OpenTSDB says so
        "as (it|they) stands?",
        "so long before",
        "heed(s|ed|ing)?",
        "be it",
        "plant(s|ed|ing)?",
        "complain(s|ed)?",
        "damag(e|es|ed|ing)",
        "dearer",
        "so many"
      })
  void isNotUsed(String word) {
    Pattern pattern = Pattern.compile("\\b(" + word + ")\\b", Pattern.CASE_INSENSITIVE);

    assertThat(pages.entrySet().stream().flatMap(page -> uses(page, pattern))).isEmpty();
  }

  /** File, line number and text. */
  private static Stream<String> uses(Map.Entry<String, Prose> page, Pattern pattern) {
    return page.getValue().uses(pattern).map(use -> page.getKey() + ":" + use);
  }

  /**
   * The text without the lines of a list of words to avoid, which quote them in the first cell, and
   * without former names.
   */
  private static Prose searched(Page page) {
    String text = FORMER.matcher(page.text()).replaceAll("-");
    return new Prose(
        page.name().equals("CHANGELOG.md")
            ? CODE_SPAN.matcher(text).replaceAll("-")
            : text.replaceAll("(?m)^\\| \".*$", ""));
  }
}
