package org.hourstone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ConfigurationPageTest {
  private static final Pattern ROW =
      Pattern.compile("^\\| `([^`]+)` \\| ([^|]*)\\| ([^|]*)\\| .+\\|$", Pattern.MULTILINE);

  @Test
  void thePageListsEverySettingWithBothDefaultsAndNothingElse() throws IOException {
    String page = Files.readString(Path.of("../docs/configuration.md"));

    assertThat(ROW.matcher(page).results().map(ConfigurationPageTest::row))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(ConfigKey.values()).map(ConfigurationPageTest::row).toList());
  }

  private static List<String> row(MatchResult row) {
    return List.of(row.group(1), row.group(2).strip(), row.group(3).strip());
  }

  /** Where the defaults differ, Hourstone's is in bold. */
  private static List<String> row(ConfigKey key) {
    boolean differs = !key.openTsdbDefault().equals(key.defaultValue());
    String ours = differs ? "**" + key.defaultValue() + "**" : key.defaultValue();
    return List.of(key.key(), key.openTsdbDefault(), ours);
  }
}
