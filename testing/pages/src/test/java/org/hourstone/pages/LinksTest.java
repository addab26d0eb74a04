package org.hourstone.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What pages link to is there: files, and headings of pages. */
class LinksTest {
  private static final Pattern PAGE = Pattern.compile(".*\\.md");

  private static Stream<Page> pages() {
    return Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs", "bench", "testing")
        .flatMap(path -> Page.below(path, PAGE));
  }

  @Test
  void theLinkedFilesAndHeadingsAreThere() {
    assertThat(pages()).hasSizeGreaterThan(20);
    assertThat(
            pages()
                .flatMap(
                    page ->
                        page.links().stream()
                            .filter(link -> !isThere(page, link))
                            .map(link -> page.name() + ": " + link)))
        .isEmpty();
  }

  @Test
  void missingFilesAndHeadingsAreFound() {
    Page page = Page.of("docs/query.md");

    assertThat(isThere(page, "api.md")).isTrue();
    assertThat(isThere(page, "apis.md")).isFalse();
    assertThat(isThere(page, "../README.md#try-it")).isTrue();
    assertThat(isThere(page, "../README.md#tried-it")).isFalse();
    assertThat(isThere(page, "#tried-it")).isFalse();
  }

  private static boolean isThere(Page page, String link) {
    if (link.startsWith("http")) {
      return true;
    }
    String[] parts = link.split("#", 2);
    Path target =
        parts[0].isEmpty() ? page.path() : page.path().resolveSibling(parts[0]).normalize();
    return Files.exists(target)
        && (parts.length == 1 || new Page(target).anchors().contains(parts[1]));
  }
}
