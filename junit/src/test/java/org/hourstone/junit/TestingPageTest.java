package org.hourstone.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** The tests on docs/testing.md are compiled and run verbatim. */
class TestingPageTest {
  private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Path PAGE = Path.of("..", "docs", "testing.md");

  @ParameterizedTest
  @ValueSource(strings = {"CpuTest", "SenderTest"})
  void theTestPasses(String name, @TempDir Path directory) throws Exception {
    EngineExecutionResults results = run(name, block(name), directory);

    results.allEvents().failed().list().forEach(event -> assertThat(event.toString()).isEmpty());
    assertThat(results.testEvents().succeeded().count()).isEqualTo(1);
  }

  @Test
  void aFailureLooksAsThere(@TempDir Path directory) throws Exception {
    String failing = block("CpuTest").replace("3.5))", "3), at(\"2026-01-01T00:02:00Z\", 4))");

    String failure = run("CpuTest", failing, directory).testEvents().failed().list().toString();

    String shown = Files.readString(PAGE).replaceFirst("(?s).*?```text\n", "");
    assertThat(failure).contains(shown.substring(0, shown.indexOf("\n```")));
  }

  @Test
  void noOtherBlockOfJavaIsThere() throws Exception {
    assertThat(JAVA_BLOCK.matcher(Files.readString(PAGE)).results()).hasSize(2);
  }

  private static String block(String name) throws Exception {
    return JAVA_BLOCK
        .matcher(Files.readString(PAGE))
        .results()
        .map(found -> found.group(1))
        .filter(block -> block.contains("class " + name + " {"))
        .findFirst()
        .orElseThrow();
  }

  private static EngineExecutionResults run(String name, String program, Path directory)
      throws Exception {
    Path source = Files.writeString(directory.resolve(name + ".java"), program);
    String[] options = {"-proc:none", "-d", directory.toString(), source.toString()};
    assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, options)).isZero();
    try (URLClassLoader classes = new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
      return EngineTestKit.engine("junit-jupiter")
          .selectors(selectClass(classes.loadClass(name)))
          .execute();
    }
  }
}
