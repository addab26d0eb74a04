package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is called in other packages by its name is there, so that no class has to be in them. */
class InnerTest {
  @Test
  void packagesOfOtherModulesHaveNoClassesHere() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      assertThat(files.filter(Files::isRegularFile).map(Path::getParent))
          .containsOnly(Path.of("src/main/java/org/hourstone/bench"));
    }
  }

  @Test
  void aNumberIsReadFromBytes() throws Throwable {
    Object reader = Inner.numberReader();
    assertThat(Inner.number(reader, "62".getBytes(US_ASCII))).isEqualTo(62);
  }

  @Test
  void thePointsOfLinesAndBodiesAreTaken() throws Throwable {
    LineBenchmark benchmark = new LineBenchmark();
    benchmark.value = "62.34";
    benchmark.makeSeriesKnown();
    assertThat(benchmark.telnetLine().size()).isEqualTo(1000);
    assertThat(benchmark.jsonBody().size()).isEqualTo(1000);
    benchmark.close();
  }
}
