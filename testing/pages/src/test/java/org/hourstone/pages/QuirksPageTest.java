package org.hourstone.pages;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the page of quirks refers to is there: settings, tests and recorded scenarios. */
class QuirksPageTest {
  private static final Pattern ROW =
      Pattern.compile("^\\|[^|]+\\|[^|]+\\|[^|]+\\|([^|]+)\\|$", Pattern.MULTILINE);
  private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|Contract))\\.(\\w+)`");
  private static final Pattern SCENARIO = Pattern.compile("`(\\w+): ([a-z0-9-]+)`");
  private static final Pattern SETTING = Pattern.compile("`((?:tsd|hourstone)\\.[a-z0-9_.]+)`");
  private static final String RECORDINGS =
      "testing/engine-contracts/src/main/resources/org/hourstone/testing/golden/";

  private static final List<String> MODULES =
      List.of(
          "core", "engine", "expressions", "tools", "api", "server", "backend-memory", "testing");

  private final String page = Page.of("docs/format/quirks.md").text();

  @Test
  void everyQuirkIsShownByATestOrARecording() {
    List<String> shownBy =
        ROW.matcher(page)
            .results()
            .map(row -> row.group(1).strip())
            .filter(cell -> !cell.equals("Shown by") && !cell.matches("-+"))
            .toList();

    assertThat(shownBy)
        .hasSizeGreaterThan(20)
        .allMatch(cell -> TEST.matcher(cell).find() || SCENARIO.matcher(cell).find());
  }

  @Test
  void theTestsAreThere() {
    assertThat(TEST.matcher(page).results())
        .allSatisfy(
            test ->
                assertThat(source(test.group(1) + ".java"))
                    .describedAs(test.group())
                    .contains(" " + test.group(2) + "("));
  }

  @Test
  void theScenariosAreThere() {
    assertThat(SCENARIO.matcher(page).results())
        .allSatisfy(
            scenario ->
                assertThat(Page.of(RECORDINGS + scenario.group(1) + ".json").text())
                    .describedAs(scenario.group())
                    .contains("\"" + scenario.group(2) + "\""));
  }

  @Test
  void theSettingsAreThere() {
    String declarations =
        Page.below("engine", Pattern.compile(".*Settings\\.java"))
            .map(Page::text)
            .collect(joining());

    assertThat(SETTING.matcher(page).results())
        .allSatisfy(setting -> assertThat(declarations).contains("\"" + setting.group(1) + "\""));
  }

  private static String source(String file) {
    Pattern name = Pattern.compile(".*/" + Pattern.quote(file));
    return MODULES.stream()
        .flatMap(module -> Page.below(module, name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no test " + file))
        .text();
  }
}
