package org.hourstone.tsd.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsFileTest {
  @TempDir Path directory;

  @Test
  void theSettingsAreThoseOfPropertiesWithTheirLines() throws IOException {
    String text =
        """
        a = 1
          ! comment \\
        b:\\
            2 3
        c\\\\
        d=x\\\\\\
          y
        # e = 4 \\
        f\\ g = \\u0041

        a=5 \\
        """;
    Path file = directory.resolve("file");
    Files.write(file, text.getBytes(StandardCharsets.ISO_8859_1));
    Properties properties = new Properties();
    properties.load(Files.newInputStream(file));

    TreeMap<String, String> read = new TreeMap<>();
    SettingsFile.read(file).forEach(entry -> read.put(entry.key(), entry.value()));
    TreeMap<String, String> expected = new TreeMap<>();
    properties.forEach((key, value) -> expected.put((String) key, ((String) value).strip()));
    assertThat(read).isEqualTo(expected);
    assertThat(SettingsFile.read(file).stream().map(entry -> entry.line() + " " + entry.key()))
        .containsExactly("1 a", "3 b", "5 c\\", "6 d", "9 f g", "11 a");
  }

  @Test
  void openTsdbLooksInFourPlaces() {
    assertThat(SettingsFile.PLACES.stream().map(Path::toString))
        .containsExactly(
            "opentsdb.conf",
            "/etc/opentsdb.conf",
            "/etc/opentsdb/opentsdb.conf",
            "/opt/opentsdb/opentsdb.conf");
  }
}
