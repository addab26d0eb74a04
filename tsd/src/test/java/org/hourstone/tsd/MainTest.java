package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.error.TsdbException;
import org.hourstone.error.TsdbException.Category;
import org.hourstone.tsd.session.ExitCode;
import org.hourstone.tsd.session.Problem;
import org.hourstone.tsd.terminal.Streams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {
  private final String store = CommandRun.newStore();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "demo --help",
        "import --help",
        "put --help",
        "query --help",
        "cells --help",
        "uid --help",
        "uid assign --help",
        "uid grep --help",
        "uid rename --help",
        "uid delete --help",
        "mkmetric --help",
        "version --help"
      })
  void everyCommandExplainsItselfWithExamples(String words) {
    CommandRun help = CommandRun.of(words.split(" "));

    String command = words.replace("--help", "").strip();
    assertThat(help.exitCode()).isZero();
    assertThat(help.err()).isEmpty();
    assertThat(help.out()).startsWith("Usage: hourstone " + command).contains("\nExamples:\n");
    assertThat(help.out().substring(help.out().indexOf("Examples:"))).contains("hourstone ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "last; Without, all series that have the tags are shown whose latest point is",
        "import; decompressed if the name ends in .gz;",
        "scan; or: hourstone scan [--import | --raw]",
        "fsck; or: hourstone fsck [OPTIONS] START",
        "uid; or: hourstone uid COMMAND"
      })
  void linesOfHelpAreBrokenBetweenWords(String command, String text) {
    String help = CommandRun.of(command, "--help").out();

    assertThat(help.replaceAll("\\s+", " ")).contains(text);
    assertThat(help).doesNotContain("\n\n\n");
  }

  @Test
  void examplesAreNotBroken() {
    assertThat(CommandRun.of("scan", "--help").outLines())
        .contains("  hourstone scan 2014/02/14 2014/02/15" + " 'sum:ec2.cpu{instance=24ae8d}'");
  }

  @Test
  void everyLineOfEveryHelpFitsInAWindowOf80Columns() {
    List<String> commands = new ArrayList<>();
    addNames(Main.model(), commands);
    assertThat(commands).contains("copy", "uid reclaim").hasSizeGreaterThan(40);
    List<String> wide = new ArrayList<>();
    for (String command : commands) {
      ByteArrayOutputStream help = new ByteArrayOutputStream();
      run(help, new ByteArrayOutputStream(), (command + " --help").strip().split(" "));
      String text = help.toString(StandardCharsets.UTF_8);
      assertThat(text).as(command).contains("Usage: ");
      text.lines().filter(line -> line.length() > 80).forEach(wide::add);
    }
    assertThat(wide).isEmpty();
  }

  private static void addNames(CommandLine of, List<String> names) {
    names.add(of.getCommandSpec().qualifiedName().replaceFirst("hourstone ?", ""));
    of.getSubcommands().values().forEach(each -> addNames(each, names));
  }

  @Test
  void aSynopsisFitsInTheWindow() {
    assertThat(CommandRun.of("scan", "--help").out().lines().limit(5))
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
  }

  @Test
  void theVersionIsThatOfTheBuild() {
    String version = CommandRun.of("version").out();

    assertThat(version)
        .matches(
            "hourstone \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?( \\(commit [0-9a-f]{40}(-dirty)? of"
                + " \\S+\\))?\n");
    assertThat(CommandRun.of("--version").out()).isEqualTo(version);
  }

  @Test
  void noCommandIsAUsageErrorThatListsThem() {
    CommandRun run = CommandRun.of();

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.out()).isEmpty();
    assertThat(run.errLines().get(0)).startsWith("hourstone: no command given; it may be demo, ");
  }

  @Test
  void aSearchWithoutWordsOrResultSaysSo() {
    assertThat(CommandRun.of("search").err())
        .startsWith("hourstone: no command given; it may be lookup\n");
    assertThat(CommandRun.of("search", "lookup").err())
        .startsWith("hourstone: Missing required parameter: 'METRIC TAGK=TAGV'");
    CommandRun.of("--store", store, "mkmetric", "m");
    assertThat(CommandRun.of("--store", store, "search", "lookup", "m"))
        .isEqualTo(new CommandRun(ExitCode.FAILED, "", "hourstone: no such series\n"));
  }

  @Test
  void aMistypedCommandIsAUsageErrorWithASuggestion() {
    CommandRun run = CommandRun.of("quer");

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("'quer'").contains("Did you mean: hourstone query");
  }

  @Test
  void globalOptionsMayFollowTheCommand() {
    CommandRun after =
        CommandRun.of(
            "--set",
            "tsd.core.tag.allow_specialchars=!",
            "mkmetric",
            "--store",
            store,
            "--set",
            "tsd.storage.max_tags=9",
            "m!");
    CommandRun between =
        CommandRun.of("uid", "--store=" + store, "--verbose", "grep", "--ignore-case", "M");

    assertThat(after).isEqualTo(new CommandRun(0, "metrics m!: 000001\n", ""));
    assertThat(between).isEqualTo(after);
    assertThat(CommandRun.of("mkmetric", "--help").out()).doesNotContain("--store");
    assertThat(CommandRun.of("--help").out())
        .contains("--store", "--config", "hbase://QUORUM/NODE")
        .doesNotContain("--zkquorum");
  }

  @Test
  void openTsdbsSpellingsOfItsToolsAreTaken(@TempDir Path directory) throws IOException {
    Path config = Files.writeString(directory.resolve("config"), "tsd.storage.max_tags = 9\n");
    CommandRun.of("mkmetric", "m", "--store", store);
    CommandRun run =
        CommandRun.of("fsck", "--full-scan", "--sync", "--store", store, "--config=" + config);

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(
            CommandRun.of("fsck", "--full-scan", "--store", store, "--config=" + config + "x")
                .err())
        .contains(config + "x");
  }

  @Test
  void openTsdbsNamesOfTablesAreTaken() {
    CommandRun.of("mkmetric", "m", "--store", store, "--uidtable=names", "--table", "points");

    assertThat(CommandRun.of("--store", store, "cells").out()).contains("\"table\":\"names\"");
  }

  @Test
  void theSchemeOfAStoreMayBeInCapitals() {
    assertThat(CommandRun.of("--store", store.replace("memory", "MEMORY"), "mkmetric", "m").out())
        .isEqualTo("metrics m: 000001\n");
  }

  @Test
  void anErrorIsOneLineWithoutAStackTrace() {
    CommandRun run = CommandRun.of("--store", "nonsense", "cells");

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.errLines())
        .containsExactly(
            "hourstone: bad store URI 'nonsense': must be scheme:location, such as"
                + " rocksdb:./data");
  }

  @Test
  void debugAddsTheStackTrace() {
    CommandRun run = CommandRun.of("--store", "nonsense", "--debug", "cells");

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains("\tat org.hourstone.kv.StoreUri.parse");
  }

  @Test
  void textFromTheDataCannotDrawOnTheTerminal() {
    CommandRun run = CommandRun.of("--store", store, "query", "1h-ago", "sum:a\u001b[2J\nb{x=y}");

    assertThat(run.errLines())
        .containsExactly(
            "hourstone: No such name for 'metrics': 'a\\x1b[2J\\x0ab'; hourstone uid grep metrics ."
                + " lists all");
  }

  @Test
  void ourBugIsDistinguishedFromAnErrorOfTheUser() {
    Problem bug = Problem.of(new IllegalStateException("two\nlines"));

    assertThat(bug.exitCode()).isEqualTo(ExitCode.BUG);
    assertThat(bug.message())
        .startsWith("unexpected java.lang.IllegalStateException: two\\x0alines")
        .contains("--debug");
    assertThat(Problem.of(new IllegalArgumentException("offset")).exitCode())
        .isEqualTo(ExitCode.BUG);
  }

  @ParameterizedTest
  @EnumSource(Category.class)
  void aForeseenFailureIsNotABug(Category category) {
    Problem failure = Problem.of(new TsdbException(category, "the reason"));

    assertThat(failure).isEqualTo(new Problem("the reason", ExitCode.FAILED));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tsd.core.timezone=Mars/Base",
        "tsd.storage.uid.width.metric=x",
        "hourstone.query.corrupt_rows=maybe",
        "tsd.core.histograms.config={"
      })
  void aWrongSettingIsAMistakeOfTheUser(String setting) {
    CommandRun run = CommandRun.of("--store", store, "--set", setting, "mkmetric", "m");

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains(setting.substring(0, setting.indexOf('=')));
  }

  @Test
  void aReaderThatGoesAwayEndsACommandInSilence() {
    fillStore();
    ByteArrayOutputStream err = new ByteArrayOutputStream();

    int exitCode = run(failing("Broken pipe"), err, "--store", store, "cells");

    assertThat(exitCode).isEqualTo(ExitCode.READER_GONE);
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @Test
  void anOutputThatCannotBeWrittenIsAnError() {
    fillStore();
    ByteArrayOutputStream err = new ByteArrayOutputStream();

    int exitCode = run(failing("No space left on device"), err, "--store", store, "cells");

    assertThat(exitCode).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualTo("hourstone: cannot write the output: No space left on device\n");
  }

  private void fillStore() {
    CommandRun put = CommandRun.withInput("put m 1700000000 1 a=b\n", "--store", store, "put", "-");
    assertThat(put.exitCode()).isZero();
  }

  private static int run(OutputStream out, OutputStream err, String... args) {
    Streams streams = new Streams(InputStream.nullInputStream(), out, err, false, false, 80);
    return Main.run(streams, InstantSource.fixed(CommandRun.NOW), args);
  }

  private static OutputStream failing(String reason) {
    return new OutputStream() {
      @Override
      public void write(int octet) throws IOException {
        throw new IOException(reason);
      }
    };
  }
}
