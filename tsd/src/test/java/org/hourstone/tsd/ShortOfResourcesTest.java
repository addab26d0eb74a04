package org.hourstone.tsd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A process that the system gives too little says so in one line, and ends. */
@Timeout(300)
class ShortOfResourcesTest {
  @TempDir private Path directory;

  private List<String> errors(Path file) throws IOException {
    return Files.readAllLines(file, UTF_8).stream()
        .filter(line -> line.startsWith("hourstone: "))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({"70, 96, uid grep x", "128, 160, tsd --port=0"})
  @EnabledOnOs(OS.LINUX)
  void tooFewDescriptorsAreNamedAtTheStart(int limit, int least, String command)
      throws IOException, InterruptedException {
    Path file = directory.resolve("err");
    List<String> words =
        new ArrayList<>(
            List.of(
                "sh",
                "-c",
                "ulimit -n " + limit + "; exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "--store",
                "rocksdb:" + directory.resolve("store")));
    words.addAll(List.of(command.split(" ")));
    Process process =
        new ProcessBuilder(words)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(file.toFile())
            .start();
    try {
      assertThat(process.waitFor()).isEqualTo(ExitCode.FAILED);
    } finally {
      process.destroyForcibly();
    }
    // With very few the process can't read its own limit any more.
    assertThat(errors(file))
        .singleElement()
        .asString()
        .matches(
            "hourstone: too few file descriptors: (the process may open "
                + limit
                + ", and needs at least "
                + least
                + "|none is left, and at least "
                + least
                + " are needed) \\(ulimit -n\\)");
    assertThat(directory.resolve("store")).doesNotExist();
  }

  /** No thread of it is left that answers. */
  @Test
  void aDaemonWithoutMemoryEnds() throws IOException, InterruptedException {
    Path file = directory.resolve("err");
    DaemonProcess.Launch launch =
        new DaemonProcess.Launch(
            "40m", Map.of(), List.of(), ProcessBuilder.Redirect.to(file.toFile()));
    try (DaemonProcess daemon = DaemonProcess.start("memory:", launch)) {
      putUntilItEnds(daemon);
      assertThat(daemon.awaitEnd()).isEqualTo(ExitCode.FAILED);
    }
    assertThat(errors(file))
        .singleElement()
        .asString()
        .matches("hourstone: out of memory \\((Java heap space|GC overhead limit exceeded)\\); .*");
  }

  private static void putUntilItEnds(DaemonProcess daemon) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(daemon.address());
      OutputStream out = socket.getOutputStream();
      String host = " 1 host=" + "h".repeat(500);
      for (int i = 0; daemon.process().isAlive(); i++) {
        out.write(("put m " + (1_700_000_000L + i) + host + i + "\n").getBytes(UTF_8));
      }
    } catch (IOException e) {
      assertThat(e).hasMessageMatching("Connection reset.*|Broken pipe.*");
    }
  }
}
