package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hourstone.Settings;
import org.junit.jupiter.api.Test;

/** What the page of quirks refers to is there: settings, tests and recorded scenarios. */
class QuirksPageTest {
  private static final Pattern ROW =
      Pattern.compile("^\\|[^|]+\\|[^|]+\\|[^|]+\\|([^|]+)\\|$", Pattern.MULTILINE);
  private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|Contract))\\.(\\w+)`");
  private static final Pattern SCENARIO = Pattern.compile("`(\\w+): ([a-z0-9-]+)`");
  private static final Pattern SETTING = Pattern.compile("`((?:tsd|hourstone)\\.[a-z0-9_.]+)`");
  private static final Path RECORDINGS =
      Path.of("../engine-contracts/src/main/resources/org/hourstone/testing/golden");

  private static final List<String> MODULES =
      List.of("core", "engine", "expressions", "tools", "api", "backend-memory", "testing");

  private final String page = read(Path.of("../../docs/format/quirks.md"));

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
                assertThat(read(RECORDINGS.resolve(scenario.group(1) + ".json")))
                    .describedAs(scenario.group())
                    .contains("\"" + scenario.group(2) + "\""));
  }

  @Test
  void theSettingsAreThere() {
    assertThat(SETTING.matcher(page).results())
        .allSatisfy(setting -> assertThat(Settings.find(setting.group(1))).isPresent());
  }

  private static String source(String file) {
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(Path.of("../..", module))) {
        Optional<Path> found = files.filter(path -> path.endsWith(file)).findFirst();
        if (found.isPresent()) {
          return read(found.get());
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    throw new AssertionError("no test " + file);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
