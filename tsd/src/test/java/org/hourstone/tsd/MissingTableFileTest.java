package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store of which a table file is missing, or is cut. */
class MissingTableFileTest {
  private static final int POINTS = 2_000;

  @TempDir Path directory;
  private String store = "";
  private Path table = Path.of("");

  @BeforeEach
  void createStore() throws IOException {
    store = "rocksdb:" + directory.resolve("store");
    run(lines("m", 1_500_000_000), ExitCode.OK, "import", "-");
    run("", ExitCode.OK, "compact");
    table = largestTable();
    run(lines("n", 1_600_000_000), ExitCode.OK, "import", "-");
  }

  private static String lines(String metric, long start) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < POINTS; i++) {
      lines.append(metric).append(' ').append(start + i * 7919L).append(" 1.5 h=a\n");
    }
    return lines.toString();
  }

  private Path largestTable() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("store"))) {
      return files
          .filter(file -> file.toString().endsWith(".sst"))
          .max(Comparator.comparingLong(file -> file.toFile().length()))
          .orElseThrow();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1000})
  void theRestIsReadOnRequest(int left) throws IOException {
    byte[] sound = Files.readAllBytes(table);
    if (left < 0) {
      Files.delete(table);
    } else {

      Files.write(table, Arrays.copyOf(sound, left));
    }
    String file = "the table file " + table.getFileName();
    List<String> scan = List.of("scan", "--import", "1400000000", "1700000000", "none:n");
    for (List<String> words : List.of(scan, List.of("fsck", "--full-scan"))) {
      CommandRun failed = run("", ExitCode.FAILED, words.toArray(String[]::new));
      assertThat(failed.err()).contains(file).contains("restore a backup");
      assertThat(failed.err().lines()).hasSize(1);
    }

    CommandRun skipped = run("", ExitCode.FAILED, "fsck", "--full-scan", "--skip-unreadable");
    assertThat(skipped.err()).contains(file, "hourstone: lost: rows of tsdb:t from ");
    CommandRun scanned =
        run(
            "",
            ExitCode.FAILED,
            "scan",
            "--import",
            "--skip-unreadable",
            "1400000000",
            "1700000000",
            "none:n");
    assertThat(scanned.outLines()).hasSize(POINTS);

    Files.write(table, sound);
    assertThat(run("", ExitCode.OK, scan.toArray(String[]::new)).outLines()).hasSize(POINTS);
  }

  private CommandRun run(String input, int exitCode, String... words) {
    List<String> all = Stream.concat(Stream.of("--store", store), Stream.of(words)).toList();
    CommandRun run = CommandRun.withInput(input, all.toArray(String[]::new));
    assertThat(run.exitCode()).as("%s %s", all, run.err()).isEqualTo(exitCode);
    return run;
  }
}
