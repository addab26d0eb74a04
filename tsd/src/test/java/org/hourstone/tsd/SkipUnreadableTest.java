package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.hourstone.TsdbOptions;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Commands that read everything but rows of a corrupt block, and tell which rows they are. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SkipUnreadableTest {
  private static final int POINTS = 40_000;
  private static final String LOST = "hourstone: lost: rows of tsdb:t from ";

  private String store = "";
  private Path directory = Path.of("");

  @BeforeAll
  void corrupt(@TempDir Path temporary) throws IOException {
    directory = temporary;
    store = "rocksdb:" + temporary.resolve("store") + "?coded=false";
    Random random = new Random(1);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < POINTS; i++) {
      lines.append("m ").append(1_700_000_000 + i * 60).append(' ').append(random.nextDouble());
      lines.append(" h=a\n");
    }
    run(lines.toString(), ExitCode.OK, "import", "-");
    run("", ExitCode.OK, "compact");
    Path largest = largest(temporary.resolve("store"));
    Files.write(largest, flipped(largest));
  }

  private static Path largest(Path store) throws IOException {
    try (Stream<Path> files = Files.list(store)) {
      return files
          .filter(file -> file.toString().endsWith(".sst"))
          .max(Comparator.comparingLong(file -> file.toFile().length()))
          .orElseThrow();
    }
  }

  /** A file's content, with one bit of it changed. */
  private static byte[] flipped(Path file) throws IOException {
    byte[] content = Files.readAllBytes(file);
    content[content.length / 2] ^= 1;
    return content;
  }

  @Test
  void scanShowsTheOtherPoints() {
    List<String> words = List.of("scan", "--import", "2023/11/01", "2024/01/01", "none:m");
    CommandRun failed = run("", ExitCode.FAILED, words.toArray(String[]::new));
    assertThat(failed.err()).contains("Corruption").contains("--skip-unreadable");
    CommandRun skipped =
        run(
            "",
            ExitCode.FAILED,
            "scan",
            "--import",
            "--skip-unreadable",
            "2023/11/01",
            "2024/01/01",
            "none:m");
    assertThat(skipped.outLines()).hasSizeBetween(POINTS / 2, POINTS - 1);
    assertThat(skipped.err()).contains(LOST, "(m{h=a} 2023-1");
  }

  @Test
  void fsckChecksTheOtherRows() {
    run("", ExitCode.FAILED, "fsck", "--full-scan");
    CommandRun skipped = run("", ExitCode.FAILED, "fsck", "--full-scan", "--skip-unreadable");
    assertThat(skipped.err()).contains(LOST);
    assertThat(skipped.out())
        .contains("1 range of rows could not be read\nno errors in the rows that could be read");

    CommandRun json =
        run("", ExitCode.FAILED, "fsck", "--full-scan", "--skip-unreadable", "--json");
    assertThat(json.out()).contains("\"unreadableRanges\":1,\"errors\":0,\"errorsLeft\":0");
  }

  @Test
  void copyCopiesTheOtherRows() {
    String copy = "rocksdb:" + directory.resolve("copy");
    CommandRun run = CommandRun.of("copy", "--skip-unreadable", store, copy);
    assertThat(run.exitCode()).as("%s", run).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains(LOST);
    CommandRun scanned =
        CommandRun.of("--store", copy, "scan", "--import", "2023/11/01", "2024/01/01", "none:m");
    assertThat(scanned.exitCode()).as("%s", scanned).isZero();
    assertThat(scanned.outLines()).hasSizeBetween(POINTS / 2, POINTS - 1);
  }

  /** Else it would never be copied, although the store was repaired. */
  @Test
  void whatACopySinceTheLastOneHasLostIsReadByTheNext() throws IOException {
    Path unreadable = Files.createDirectory(directory.resolve("unreadable"));
    try (Stream<Path> files = Files.list(directory.resolve("store"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, unreadable.resolve(file.getFileName()));
      }
    }
    String from = "rocksdb:" + unreadable + "?coded=false";
    String to = "rocksdb:" + directory.resolve("since");
    Path time = directory.resolve("time");
    String[] copy = {"copy", "--skip-unreadable", "--since", time.toString(), from, to};
    String stays = "the time in " + time + " stays: the next copy begins where this one did";

    assertThat(CommandRun.of(copy).outLines()).endsWith(stays);
    List<String> lines = Files.readAllLines(time);
    assertThat(lines).hasSize(4).last().isEqualTo("- " + CommandRun.NOW);
    String earlier = "1970-01-01T01:00:00Z ";
    Files.write(time, List.of(lines.get(0), earlier + "-"));
    CommandRun lossy = CommandRun.of(copy);
    assertThat(lossy.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(lossy.outLines()).endsWith(stays);
    assertThat(Files.readAllLines(time)).last().isEqualTo(earlier + CommandRun.NOW);

    Path largest = largest(unreadable);
    Files.write(largest, flipped(largest));
    CommandRun whole = CommandRun.of(copy);
    assertThat(whole.exitCode()).as("%s", whole).isZero();
    assertThat(whole.out()).doesNotContain(" stays");
    assertThat(Files.readAllLines(time)).last().isEqualTo(CommandRun.NOW + " -");
    CommandRun scanned =
        CommandRun.of("--store", to, "scan", "--import", "2023/11/01", "2024/01/01", "none:m");
    assertThat(scanned.outLines()).hasSize(POINTS);
  }

  /** The run that skipped them was interrupted; the one that continues does not meet them. */
  @Test
  void whatAnInterruptedRunHasLostIsStillLost() throws IOException {
    String copy = "rocksdb:" + directory.resolve("resumed");
    CommandRun whole = CommandRun.of("copy", "--skip-unreadable", store, copy);
    String lost = whole.err().lines().filter(line -> line.startsWith(LOST)).findFirst().orElse("");
    assertThat(whole.out()).contains("\n1 range of rows could not be read\n");

    TsdbOptions options = TsdbOptions.defaults();
    String run =
        "copy --skip-unreadable %s %s [] null null %s %s\n"
            .formatted(store, copy, options.schema(), options.tables());
    Path state = directory.resolve("state");
    Files.writeString(
        state,
        run
            + lost.substring("hourstone: ".length())
            + "\nranges 1\n{\"rows\":9,\"done\":1,\"ranges\":[]}\n{\"families\":{}}\n");
    CommandRun rest =
        CommandRun.of("copy", "--skip-unreadable", "--resume", state.toString(), store, copy);
    assertThat(rest.err()).isEqualTo(lost + "\n");
    assertThat(rest.out()).contains("\n1 range of rows could not be read\n");
    assertThat(rest.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(state).doesNotExist();
  }

  @Test
  void cellsShowsTheOtherCells() {
    run("", ExitCode.FAILED, "cells", "data");
    CommandRun skipped = run("", ExitCode.FAILED, "cells", "--skip-unreadable", "data");
    assertThat(skipped.err()).contains(LOST);
    assertThat(skipped.outLines()).isNotEmpty();
  }

  private CommandRun run(String input, int exitCode, String... words) {
    List<String> all = Stream.concat(Stream.of("--store", store), Stream.of(words)).toList();
    CommandRun run = CommandRun.withInput(input, all.toArray(String[]::new));
    assertThat(run.exitCode()).as("%s %s", all, run.err()).isEqualTo(exitCode);
    return run;
  }
}
