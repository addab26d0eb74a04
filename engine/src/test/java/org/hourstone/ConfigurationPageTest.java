package org.hourstone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Generates the tables of {@code docs/configuration.md} from {@link Settings}. The text around them
 * is written by hand.
 */
class ConfigurationPageTest {
  private static final Path PAGE = Path.of("../docs/configuration.md");

  private static final Pattern TABLE =
      Pattern.compile("<!-- settings: (\\w+) -->\n.*?<!-- end of settings -->", Pattern.DOTALL);

  private static final Pattern SUBJECTS =
      Pattern.compile("<!-- subjects -->\n.*?<!-- end of subjects -->", Pattern.DOTALL);

  private static final String HEAD =
      """
      | Key | Values | OpenTSDB | Hourstone | Meaning |
      |---|---|---|---|---|
      """;

  @Test
  void thePageIsGeneratedFromTheSettings() throws IOException {
    String page = Files.readString(PAGE);
    String generated =
        SUBJECTS
            .matcher(TABLE.matcher(page).replaceAll(old -> Matcher.quoteReplacement(table(old))))
            .replaceAll(subjects());

    assertThat(TABLE.matcher(page).results().map(ConfigurationPageTest::section))
        .containsExactly(Setting.Section.values());
    if (System.getProperty("docs.write") != null) {
      Files.writeString(PAGE, generated);
    } else {
      assertThat(generated)
          .as(
              "docs/configuration.md; rewrite it with ./mvnw test -pl engine -am"
                  + " -Dtest=ConfigurationPageTest -Ddocs.write")
          .isEqualTo(page);
    }
  }

  private static Setting.Section section(MatchResult table) {
    return Setting.Section.valueOf(table.group(1).toUpperCase(Locale.ROOT));
  }

  private static String table(MatchResult old) {
    return Settings.all().stream()
        .filter(setting -> setting.section() == section(old))
        .map(ConfigurationPageTest::row)
        .collect(
            Collectors.joining(
                "",
                "<!-- settings: " + old.group(1) + " -->\n" + HEAD,
                "<!-- end of settings -->"));
  }

  private static String subjects() {
    return Arrays.stream(StrictSubject.values())
        .map(subject -> "| `%s` | %s |\n".formatted(subject.word(), subject.behaviour()))
        .collect(
            Collectors.joining(
                "",
                "<!-- subjects -->\n| Subject | As in OpenTSDB |\n|---|---|\n",
                "<!-- end of subjects -->"));
  }

  /** Where the defaults differ, Hourstone's is in bold. */
  private static String row(Setting<?> setting) {
    String ours = setting.defaultValue();
    String shown = ours.equals(setting.openTsdbDefault()) ? ours : "**" + ours + "**";
    return "| `%s` | %s | %s | %s | %s |\n"
        .formatted(
            setting.key(),
            setting.values().replace("a number of ", ""),
            cell(setting.openTsdbDefault()),
            cell(shown),
            cell(setting.meaning()));
  }

  private static String cell(String text) {
    return text.replace("|", "\\|"); // else it would end the cell
  }
}
