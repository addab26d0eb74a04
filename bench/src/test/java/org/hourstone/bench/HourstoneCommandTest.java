package org.hourstone.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HourstoneCommandTest {
  @TempDir Path directory;

  @Test
  void theCpuTimeOfACommandIsReturnedAndItsOutputKept() throws IOException {
    Path log = directory.resolve("log");
    HourstoneCommand command = new HourstoneCommand("echo run");
    assertThat(command.run("memory:", List.of("compact"), Path.of("/dev/null"), log))
        .isNotNegative();
    assertThat(Files.readString(log)).isEqualTo("run --store memory: compact\n");
  }

  @Test
  void aCommandThatFailsIsNamed() {
    assertThatThrownBy(
            () ->
                new HourstoneCommand("false")
                    .run(
                        "memory:",
                        List.of("compact"),
                        Path.of("/dev/null"),
                        directory.resolve("log")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("false --store memory: compact");
  }
}
