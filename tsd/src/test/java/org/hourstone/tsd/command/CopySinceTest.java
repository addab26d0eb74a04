package org.hourstone.tsd.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hourstone.TsdbOptions;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code copy --since}. */
class CopySinceTest extends CopyCase {
  @Test
  void eachCopySinceTheLastOneGetsWhatWasWrittenInBetween() throws IOException {
    Path since = directory.resolve("time");

    CommandRun all = copy("--since", since.toString());

    assertThat(all.exitCode()).isZero();
    assertThat(cells(to)).isEqualTo(cells(from)).isNotEmpty();
    load(from, "00000150e24320000001000001", "0000", "07", 5);
    load(from, "00000150e24320000001000002", "0000", "07", 4_000_000);
    List<String> lines = Files.readAllLines(since);
    assertThat(lines).hasSize(4);
    assertThat(lines.get(3)).matches("....-..-..T.*Z -");

    Files.write(since, List.of(lines.get(0), "1970-01-01T01:00:00Z -"));
    CommandRun later = copy("--since", since.toString());

    assertThat(later.exitCode()).isZero();
    assertThat(cells(to))
        .contains("00000150e24320000001000002")
        .doesNotContain("00000150e24320000001000001");
    assertThat(Files.readAllLines(since)).isEqualTo(lines);
  }

  @Test
  void aStoreThatWasDeletedSinceIsNotedBeforeAPartIsCopied() throws IOException {
    Path since = directory.resolve("time");
    assertThat(copy("--since", since.toString()).exitCode()).isZero();
    String empty = CommandRun.newStore();
    List<String> lines = Files.readAllLines(since);
    Files.write(since, List.of(lines.get(0).replace(to, empty), lines.get(3)));

    String[] words = {"--set", UTC, "copy", from, empty, "--since", since.toString()};
    CommandRun run = CommandRun.of(words);

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains("--since " + since, "has no metrics", "remove the file");
    Files.delete(since);
    assertThat(CommandRun.of(words).exitCode()).isZero();
    assertThat(cells(empty)).isEqualTo(cells(from));
  }

  /** Another store, with metrics of its own, lacks what was copied before. */
  @ParameterizedTest
  @ValueSource(strings = {"--since", "--resume"})
  void aStoreThatHasTakenThePlaceOfAnotherIsRefused(String option) throws IOException {
    Path file = directory.resolve("file");
    for (boolean isTarget : new boolean[] {true, false}) {
      String gone = isTarget ? to : from;
      String other = CommandRun.newStore();
      CommandRun.of("--store", other, "uid", "assign", "metrics", "m.a");
      recordCopy(option, file);
      Files.writeString(file, Files.readString(file).replace(gone, other));

      CommandRun run =
          CommandRun.of(
              "--set",
              UTC,
              "copy",
              isTarget ? from : other,
              isTarget ? other : to,
              option,
              "" + file);

      assertThat(run.err())
          .isEqualTo(
              "hourstone: %s %s is of another store that was at %s: name another file, or remove it to start at the beginning\n"
                  .formatted(option, file, other));
      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      Files.delete(file);
    }
  }

  private void recordCopy(String option, Path file) throws IOException {
    Path since = directory.resolve("time");
    assertThat(copy("--since", since.toString()).exitCode()).isZero();
    List<String> lines = Files.readAllLines(since);
    assertThat(lines.subList(1, 3)).allMatch(line -> line.matches("store [0-9a-f-]{36}"));
    Files.delete(since);
    if (option.equals("--resume")) {
      lines.set(0, lines.get(0).replace("copy --since ", "copy "));
      lines.set(3, "ranges 1\n{\"rows\":9,\"done\":1,\"ranges\":[]}\n{\"families\":{}}");
    }
    Files.write(file, lines);
  }

  /** Such as by a job that is there before the data: what comes later is copied. */
  @Test
  void aStoreThatWasEmptyIsCopiedOnceItHasData() throws IOException {
    Path since = directory.resolve("time");
    String empty = CommandRun.newStore();
    String copy = CommandRun.newStore();
    CommandRun.of("--store", empty, "uid", "assign", "metrics", "x");
    CommandRun.of("--store", empty, "uid", "delete", "metrics", "x");
    String[] words = {"--set", UTC, "copy", empty, copy, "--since", since.toString()};
    CommandRun none = CommandRun.of(words);
    assertThat(none.exitCode()).as(none.err()).isZero();
    CommandRun.of("--set", UTC, "copy", from, empty);

    CommandRun some = CommandRun.of(words);

    assertThat(some.exitCode()).as(some.err()).isZero();
    assertThat(cells(copy)).isEqualTo(cells(from));
  }

  @Test
  void aCopySinceTheLastOneThatFailsLeavesItsTime() throws IOException {
    Path since = directory.resolve("time");
    assertThat(copy("--since", since.toString()).exitCode()).isZero();
    String before = Files.readAllLines(since).get(3);
    CommandRun.of("--store", from, "uid", "assign", "metrics", "x");
    CommandRun.of("--store", to, "uid", "assign", "metrics", "y");

    CommandRun run = copy("--since", since.toString());

    assertThat(run.exitCode()).isNotZero();
    assertThat(run.err()).contains("contradict");
    assertThat(Files.readAllLines(since).get(3))
        .startsWith(before.substring(0, before.length() - 1))
        .doesNotEndWith("-");
  }

  @Test
  void aCopySinceTheLastOneThatLeavesADifferenceLeavesItsTime() throws IOException {
    Path since = directory.resolve("time");
    load(from, "00000150e22700000001000001", "aa", "01", 1000);
    load(to, "00000150e22700000001000001", "aa", "02", 1000);

    CommandRun run = copy("--since", since.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.errLines()).singleElement().asString().startsWith("differs: cell aa of row ");
    assertThat(run.outLines())
        .endsWith("the time in " + since + " stays: the next copy begins where this one did");
    assertThat(Files.readAllLines(since)).last().isEqualTo("- " + CommandRun.NOW);
    load(from, "00000150e22700000001000001", "aa", "02", 1000);
    assertThat(copy("--since", since.toString()).exitCode()).isZero();
    assertThat(Files.readAllLines(since)).last().isEqualTo(CommandRun.NOW + " -");
  }

  /**
   * A copy with a file of its own for {@code --resume} has begun before, and may be continued after
   * this one: it skips what it had copied by then, whatever was written since.
   */
  @Test
  void theTimeIsThatOfTheFirstCopyThatWasNotCompleted() throws IOException {
    Path since = directory.resolve("time");
    assertThat(copy("--since", since.toString()).exitCode()).isZero();
    List<String> lines = Files.readAllLines(since);
    Files.write(since, List.of(lines.get(0), "- 2012-12-31T23:00:00Z"));
    CommandRun.of("--store", from, "uid", "assign", "metrics", "x");
    CommandRun.of("--store", to, "uid", "assign", "metrics", "y");

    assertThat(copy("--since", since.toString()).exitCode()).isNotZero();
    assertThat(Files.readAllLines(since)).last().isEqualTo("- 2012-12-31T23:00:00Z");

    CommandRun.of("--store", to, "uid", "delete", "metrics", "y");
    CommandRun run = copy("--since", since.toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(Files.readAllLines(since)).last().isEqualTo("2012-12-31T23:00:00Z -");
    assertThat(copy("--since", since.toString()).exitCode()).isZero();
    assertThat(Files.readAllLines(since)).last().isEqualTo(CommandRun.NOW + " -");
  }

  @Test
  void theTimeHasAFileOfItsOwn() {
    String file = directory.resolve("time").toString();
    assertThat(copy("--since", file, "--resume", directory + "/./time").err())
        .contains("--since and --resume need a file each");
  }

  /** The file of the first run is missing: when it had begun is not known. */
  @Test
  void aCopyWhoseBeginningIsUnknownDoesNotSetATime() throws IOException {
    Path since = directory.resolve("time");
    Path resume = directory.resolve("state");
    TsdbOptions options = TsdbOptions.defaults();
    Files.writeString(
        resume,
        "copy --update --since 0 %s %s [] null null %s %s\n"
                .formatted(from, to, options.schema(), options.tables())
            + "ranges 1\n{\"rows\":9,\"done\":1,\"ranges\":[]}\n{\"families\":{}}\n");

    CommandRun run = copy("--since", since.toString(), "--resume", resume.toString());

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.outLines())
        .endsWith("the time in " + since + " stays: the next copy begins where this one did");
    assertThat(Files.readAllLines(since)).last().isEqualTo("- -");
  }

  @Test
  void aFileOfTheLastCopyMustBeOfTheSameCopy() throws IOException {
    Path since = directory.resolve("time");
    Files.writeString(since, "copy --since a b [] null null\n- -\n");
    assertThat(copy("--since", since.toString()).err())
        .startsWith("hourstone: --since " + since + " is from another run");
    Files.delete(since);
    assertThat(copy("--since", since.toString()).exitCode()).isZero();
    String run = Files.readAllLines(since).get(0);
    for (String corrupt : List.of("", "-", "yesterday -", "- - -")) {
      Files.writeString(since, run + "\n" + corrupt + "\n");
      assertThat(copy("--since", since.toString()).err())
          .startsWith("hourstone: --since " + since + " can't be continued: ");
    }
    assertThat(copy("--since", since.toString(), "--verify-only").err())
        .contains("--since can't be combined with --verify-only");
    assertThat(
            CommandRun.of(
                    "--set",
                    "tsd.storage.use_otsdb_timestamp=true",
                    "copy",
                    from,
                    to,
                    "--since",
                    since.toString())
                .err())
        .contains("--since requires the write times of cells");
  }
}
