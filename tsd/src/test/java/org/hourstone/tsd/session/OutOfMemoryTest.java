package org.hourstone.tsd.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hourstone.tsd.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process whose memory runs out says so in one line and ends. */
@Timeout(300)
class OutOfMemoryTest {
  private static final int LINES = 200_000;

  @TempDir Path directory;

  /** More points than the heap holds, each of a new name, into a store on the heap. */
  private void end(String command, String firstWords) throws IOException, InterruptedException {
    Path lines = directory.resolve("lines");
    try (BufferedWriter out = Files.newBufferedWriter(lines)) {
      for (int i = 0; i < LINES; i++) {
        out.write(firstWords + "metric" + i + " 1700000000 " + i + " host=a\n");
      }
    }
    Path err = directory.resolve("err");
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx32m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "--store",
                "memory:",
                command,
                lines.toString())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(err.toFile())
            .start();
    try {
      assertThat(process.waitFor()).isEqualTo(ExitCode.FAILED);
    } finally {
      process.destroyForcibly();
    }
    List<String> told =
        Files.readAllLines(err, UTF_8).stream()
            .filter(line -> !line.contains(": stored up to line "))
            .toList();
    assertThat(told).hasSize(1);
    assertThat(told.get(0))
        .matches(
            "hourstone: out of memory \\((Java heap space|GC overhead limit exceeded)\\);"
                + " this command has stored \\d+ points .*");
  }

  @Test
  void anImportEndsInOneLine() throws Exception {
    end("import", "");
  }

  @Test
  void puttingEndsInOneLine() throws Exception {
    end("put", "put ");
  }
}
