package org.hourstone.tsd.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.Main;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandardInputTest {
  @TempDir private Path directory;

  @Test
  void readingFromClosedStandardInputIsAnErrorOfOneLine() {
    for (String command : new String[] {"import", "put", "load-cells"}) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      ByteArrayOutputStream err = new ByteArrayOutputStream();
      Streams streams = new Streams(StandardInput.CLOSED, out, err, false, false, 80);
      String[] words = {"--store", CommandRun.newStore(), command, "-"};

      int exitCode = Main.run(streams, InstantSource.system(), words);

      assertThat(exitCode).as(command).isEqualTo(ExitCode.USAGE);
      assertThat(err.toString(StandardCharsets.UTF_8))
          .as(command)
          .isEqualTo("hourstone: can't read -: standard input is closed\n");
      assertThat(out.size()).as(command).isZero();
    }
  }

  @Test
  void aFileOfTheJvmIsNotStandardInput() throws IOException {
    Path home = directory.resolve("java");
    Files.createDirectories(home.resolve("lib"));
    Path link = Files.createDirectory(directory.resolve("fd")).resolve("0");
    assertThat(StandardInput.isClosed(link, home)).as("no link").isTrue();
    Files.createSymbolicLink(link, home.toRealPath().resolve("lib/modules"));
    assertThat(StandardInput.isClosed(link, home)).as("the JVM's").isTrue();
    Files.delete(link);
    Files.createSymbolicLink(link, Path.of("pipe:[1234]"));
    assertThat(StandardInput.isClosed(link, home)).as("a pipe").isFalse();
    assertThat(StandardInput.isClosed(directory.resolve("nowhere/0"), home))
        .as("a system without such links")
        .isFalse();
  }
}
