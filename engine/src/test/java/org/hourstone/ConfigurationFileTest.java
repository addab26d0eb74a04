package org.hourstone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** Generates the settings file that is installed from {@link Settings}. */
class ConfigurationFileTest {
  private static final Path FILE = Path.of("../dist/src/main/conf/hourstone.conf");

  private static final String HEAD =
      """
      # Settings of Hourstone, with their defaults. To change one, remove the # before its key.
      # OpenTSDB's settings have its names: an opentsdb.conf can be used instead of this file.
      # The meaning of each is explained in docs/configuration.md.
      """;

  private static final int WIDTH = 100;

  @Test
  void theFileIsGeneratedFromTheSettings() throws IOException {
    String generated = generate();
    Properties set = new Properties();
    set.load(new StringReader(generated));

    assertThat(set).isEmpty();
    if (System.getProperty("docs.write") != null) {
      Files.createDirectories(FILE.getParent());
      Files.writeString(FILE, generated);
    } else {
      assertThat(generated)
          .as(
              FILE
                  + "; rewrite it with ./mvnw test -pl engine -am"
                  + " -Dtest=ConfigurationFileTest -Ddocs.write")
          .isEqualTo(Files.readString(FILE));
    }
  }

  private static String generate() {
    StringBuilder text = new StringBuilder(HEAD);
    for (Setting.Section section : Setting.Section.values()) {
      String title = section.name().toLowerCase(Locale.ROOT).replace('_', ' ');
      text.append("\n\n#### ").append(title).append('\n');
      Settings.all().stream()
          .filter(setting -> setting.section() == section)
          .forEach(setting -> add(text, setting));
    }
    return text.toString();
  }

  private static void add(StringBuilder text, Setting<?> setting) {
    text.append('\n');
    String meaning = setting.meaning().replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1").replace("`", "");
    StringBuilder line = new StringBuilder("#");
    for (String word : (setting.values().replace("`", "") + ": " + meaning).split(" ")) {
      if (line.length() + word.length() >= WIDTH) {
        text.append(line).append('\n');
        line.setLength(1);
      }
      line.append(' ').append(word);
    }
    String value = setting.defaultValue().replace("`", "");
    text.append(line).append("\n#").append(setting.key()).append(" = ").append(value).append('\n');
  }
}
