package org.hourstone.testing.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What the page on backends shows is what is tested here. */
class DocumentedExampleTest {
  private static final Path PAGE = Path.of("../../docs/write-your-own-backend.md");
  private static final Path SOURCES =
      Path.of("src", "test", "java", "org", "hourstone", "testing", "example");

  @Test
  void thePageShowsTheExampleAsItIs() throws IOException {
    String page = Files.readString(PAGE);

    assertThat(page).contains(afterImports("TinyStore"), afterImports("TinyStoreContractTest"));
  }

  private static String afterImports(String name) throws IOException {
    String source = Files.readString(SOURCES.resolve(name + ".java"));
    int lastImport = source.lastIndexOf("\nimport ");
    return source.substring(source.indexOf('\n', lastImport + 1) + 1).strip();
  }
}
