package org.hourstone.tsd.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.TsdbOptions;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.Test;

class CopyCommandTest extends CopyCase {
  @Test
  void computedRollupsAreLeftOutWhichIsSaid() {
    assertThat(copy().out()).doesNotContain("rollups");
    String auto = "hourstone.rollups.auto=1h,1d";
    assertThat(CommandRun.of("--store", from, "--set", auto, "rollup").exitCode()).isZero();
    assertThat(cells(from, "tsdb-rollup-1h")).isNotEmpty();

    for (String setting : List.of(UTC, auto)) {
      CommandRun run = CommandRun.of("--set", setting, "copy", from, to);

      assertThat(run.exitCode()).isZero();
      assertThat(run.out())
          .endsWith(
              "not copied: rollups that %s has computed; %s computes its own if hourstone.rollups.auto is set, from the points that are left; a backup has everything%n"
                  .formatted(from, to));
      assertThat(cells(to)).doesNotContain("tsdb-rollup-1h");
    }
  }

  /** They are values of another program then, such as an OpenTSDB that uses the target. */
  @Test
  void computedRollupsAreCopiedIfTheirTablesAreConfigured() {
    String config =
        "tsd.rollups.config={\"aggregationIds\":{\"sum\":0,\"count\":1,\"min\":2,\"max\":3},"
            + "\"intervals\":[{\"interval\":\"1m\",\"rowSpan\":\"1h\",\"defaultInterval\":true,"
            + "\"table\":\"tsdb\",\"preAggregationTable\":\"tsdb\"},{\"interval\":\"1h\",\"rowSpan\":\"1d\","
            + "\"table\":\"tsdb-rollup-1h\",\"preAggregationTable\":\"tsdb-rollup-1h\"}]}";
    String auto = "hourstone.rollups.auto=1h";
    List<String> settings = List.of("--set", config, "--set", "tsd.rollups.enable=true");
    assertThat(CommandRun.of("--store", from, "--set", auto, "rollup").exitCode()).isZero();

    List<String> computing = new ArrayList<>(settings);
    computing.addAll(List.of("--set", auto, "copy", from, to));
    CommandRun left = CommandRun.of(computing.toArray(String[]::new));
    assertThat(left.exitCode()).isZero();
    assertThat(left.out()).contains("not copied: rollups");
    assertThat(cells(to)).doesNotContain("tsdb-rollup-1h");

    List<String> copying = new ArrayList<>(settings);
    copying.addAll(List.of("copy", from, to));
    CommandRun run = CommandRun.of(copying.toArray(String[]::new));
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).doesNotContain("not copied");
    assertThat(cells(to, "tsdb-rollup-1h")).isEqualTo(cells(from, "tsdb-rollup-1h"));
  }

  @Test
  void everythingIsCopiedAndCounted() {
    CommandRun run = copy();

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    // The clock stands still: a counter that was written several times is dated ahead of it, and is
    // given another time.
    assertThat(
            run.outLines().stream().filter(line -> !line.endsWith("but with another write time")))
        .hasSize(5)
        .element(0)
        .asString()
        .matches("tsdb:t: 4 rows with \\d cells, checksum [0-9a-f]{16}");
    assertThat(run.outLines().get(4))
        .matches("\\d+ rows with \\d+ cells compared in 0.0 s, \\d+ put and read back");
    assertThat(cells(to)).isEqualTo(cells(from)).isNotEmpty();
    assertThat(cells(to, "data", "--write-time")).isEqualTo(cells(from, "data", "--write-time"));

    CommandRun again = copy();
    assertThat(again.outLines().get(4)).endsWith(", 0 put and read back");
    assertThat(again.outLines().subList(0, 4)).isEqualTo(run.outLines().subList(0, 4));
  }

  @Test
  void nothingIsCopiedOntoADiskThatIsNearlyFull() {
    String full = "rocksdb:" + directory.resolve("full");

    CommandRun run =
        CommandRun.of("--set", "hourstone.disk.reserve=" + Long.MAX_VALUE, "copy", from, full);

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains("hourstone: refused: the disk is nearly full");
    assertThat(CommandRun.of("--store", full, "cells").out()).isEmpty();
    assertThat(CommandRun.of("copy", from, full).exitCode()).isZero();
  }

  @Test
  void aMetricIsCopiedWithWhatItNeeds() {
    CommandRun run =
        copy("--metric", "m.a{host=a}", "--start", "2013/01/01-01:00", "--end", "2013/01/01-01:30");

    assertThat(run.exitCode()).isZero();
    assertThat(
            CommandRun.of(
                    "--store", to, "--set", UTC, "query", "2013/01/01", "2013/01/02", "sum:m.a")
                .out())
        .contains("2013-01-01T01:00:00Z  4")
        .contains("1 point");
    assertThat(CommandRun.of("--store", to, "uid", "grep", ".*").out())
        .isEqualTo("metrics m.a: 000001\ntagk host: 000001\ntagv a: 000001\n");
    assertThat(cells(to, "meta")).isNotEmpty();
    assertThat(copy("--metric", "m.c").err())
        .isEqualTo("hourstone: No such name for 'metrics': 'm.c'\n");
  }

  @Test
  void cellsThatDifferAreReported() {
    copy();
    String row = "00000150e22700000001000001";
    load(from, row, "aa", "01", 1000);
    load(to, row, "aa", "02", 2000);

    CommandRun verified = copy("--verify-only");
    CommandRun refused = copy();
    CommandRun updated = copy("--update");

    String difference =
        "differs: cell aa of row "
            + row
            + " of tsdb:t is 01 of 1000 in the source and 02 of 2000 in the target";
    assertThat(verified.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(verified.errLines()).containsExactly(difference);
    assertThat(verified.outLines()).endsWith("1 cell missing or different");
    assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(refused.errLines()).containsExactly(difference);
    assertThat(refused.outLines()).endsWith("1 cell different, left unchanged");
    assertThat(updated.exitCode()).isZero();
    assertThat(updated.outLines()).endsWith("1 cell newer in the target, left unchanged");
    assertThat(cells(to, "data")).isNotEqualTo(cells(from, "data"));
    assertThat(copy("--overwrite").exitCode()).isZero();
    assertThat(cells(to, "data", "--write-time")).isEqualTo(cells(from, "data", "--write-time"));
    assertThat(copy("--verify-only").exitCode()).isZero();
  }

  @Test
  void namesThatContradictAreAnError() {
    CommandRun.of("--store", to, "uid", "assign", "metrics", "mine");

    CommandRun run = copy();

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err())
        .isEqualTo(
            "hourstone: nothing is copied, since UIDs contradict each other: metrics 000001 is m.a"
                + " in the source and mine in the target\n");
    assertThat(cells(to, "data")).isEmpty();
  }

  @Test
  void aFileToResumeFromMustBeOfTheSameCopy() throws IOException {
    Path resume = directory.resolve("state");

    assertThat(copy("--resume", resume.toString()).exitCode()).isZero();
    assertThat(resume).doesNotExist();
    Files.writeString(resume, "copy a b [] null null\n{}\n");
    assertThat(copy("--resume", resume.toString()).err())
        .startsWith(
            "hourstone: --resume "
                + resume
                + " is from another run: name another file, or remove it to start at the beginning;"
                + " its run is 'copy a b [] null null', this one is 'copy "
                + from);
    TsdbOptions options = TsdbOptions.defaults();
    String copy = "copy " + from + " " + to + " [] null null ";
    String older = "{\"parts\":[{\"family\":\"tsdb:t\",\"phase\":0}]}";
    for (String other : List.of("nonsense", older)) {
      Files.writeString(
          resume, copy + options.schema() + " " + options.tables() + "\n" + other + "\n");
      assertThat(copy("--resume", resume.toString()).err())
          .isEqualTo(
              "hourstone: --resume "
                  + resume
                  + " can't be continued: it is not a checkpoint in the format of this version,"
                  + " 'ranges 1'; remove it to start at the beginning\n");
    }
  }

  /** Cells before the place would be copied by one rule, and those after it by another. */
  @Test
  void aCopyIsNotContinuedByAnotherRule() throws IOException {
    Path resume = directory.resolve("state");
    TsdbOptions options = TsdbOptions.defaults();
    String rest =
        from + " " + to + " [] null null " + options.schema() + " " + options.tables() + "\n{}\n";
    List<String> rules = List.of("", "--update ", "--overwrite ", "--skip-unreadable ");
    for (String before : rules) {
      for (String now : rules) {
        Files.writeString(resume, "copy " + before + rest);
        String[] words = ("--resume " + resume + " " + now).strip().split(" ");
        CommandRun run = copy(words);
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
        if (before.equals(now)) {
          assertThat(run.err()).contains("it is not a checkpoint in the format of this version");
        } else {
          assertThat(run.err())
              .contains(
                  " is from another run: ",
                  "its run is 'copy " + before,
                  "this one is 'copy " + now);
        }
      }
    }
  }

  @Test
  void aCorruptFileToResumeFromIsNamed() throws IOException {
    Path resume = directory.resolve("state");
    TsdbOptions options = TsdbOptions.defaults();
    String run =
        "copy " + from + " " + to + " [] null null " + options.schema() + " " + options.tables();
    String ranges = "{\"rows\":0,\"done\":0,\"ranges\":[]}";
    for (String corrupt :
        List.of(
            "ranges\n{}",
            "{}\n{}",
            ranges + "\n{}",
            ranges + "\n{\"families\":{\"tsdb:t\":{\"rows\":\"x\"}}}")) {
      Files.writeString(resume, run + "\nranges 1\n" + corrupt + "\n");
      assertThat(copy("--resume", resume.toString()).err())
          .matches(
              "hourstone: --resume \\Q"
                  + resume
                  + "\\E can't be continued: the (ranges|counts) in it are corrupt; remove it to"
                  + " start at the beginning\n");
    }
  }

  @Test
  void aSourceThatIsNotThereMakesNoTarget() {
    Path target = directory.resolve("target");

    CommandRun run =
        CommandRun.of("copy", "rocksdb:" + directory.resolve("nothing"), "rocksdb:" + target);

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains("no data in");
    assertThat(target).doesNotExist();
  }

  @Test
  void theStoresAreNamedOnceAndDiffer() {
    assertThat(CommandRun.of("copy", from, from).exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(CommandRun.of("--store", from, "copy", from, to).errLines().get(0))
        .isEqualTo("hourstone: --store is not allowed here: FROM and TO name the stores");
    assertThat(copy("--start", "1d-ago").errLines().get(0))
        .isEqualTo("hourstone: --start and --end require --metric");
    assertThat(copy("--update", "--overwrite").exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(copy("--threads", "0").exitCode()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void aTerminalSeesABar() {
    assertThat(CommandRun.onTerminal("copy", from, to).err()).contains("copy");
  }
}
