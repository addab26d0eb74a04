package org.hourstone.testing.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the page on backends shows is what is tested here. */
class DocumentedExampleTest {
  private static final Path PAGE = Path.of("../../docs/write-your-own-backend.md");
  private static final Pattern IMPORT = Pattern.compile("import ([\\w.]*\\.)(\\w+);");
  private static final Path SOURCES =
      Path.of("src", "test", "java", "org", "hourstone", "testing", "example");

  @Test
  void thePageShowsTheExampleAsItIs() throws IOException {
    String page = Files.readString(PAGE);

    assertThat(page).contains(afterImports("TinyStore"), afterImports("TinyStoreContractTest"));
  }

  /** So that a reader who copies the class finds it compiles. */
  @Test
  void thePageNamesWhatTheExampleImports() throws IOException {
    String page = Files.readString(PAGE);
    String source = Files.readString(SOURCES.resolve("TinyStore.java"));

    for (Matcher imported = IMPORT.matcher(source); imported.find(); ) {
      assertThat(page)
          .containsAnyOf(imported.group(1) + "*`", imported.group(1) + imported.group(2));
    }
  }

  private static String afterImports(String name) throws IOException {
    String source = Files.readString(SOURCES.resolve(name + ".java"));
    int lastImport = source.lastIndexOf("\nimport ");
    return source.substring(source.indexOf('\n', lastImport + 1) + 1).strip();
  }
}
