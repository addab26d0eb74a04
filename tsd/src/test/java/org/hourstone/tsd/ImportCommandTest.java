package org.hourstone.tsd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImportCommandTest {
  private static final String GOOD = "m 1700000000 1 a=b\n";

  @TempDir Path directory;

  private final String store = CommandRun.newStore();

  @Test
  void everyLineIsStoredAndToldUpToWhere() {
    String file = file("points", GOOD + "m 1700000060 2.5 a=b\n");

    CommandRun run = load(file);

    assertThat(run)
        .isEqualTo(
            new CommandRun(
                0, "2 points stored from 1 file in 0.0 s\n", file + ": stored up to line 2\n"));
    assertThat(stored()).contains("{\"1700000000\":1,\"1700000060\":2.5}");
  }

  @Test
  void repeatedInstantsAreCountedAndTheLastLineIsRead() {
    CommandRun run = load(file("points", GOOD + "m 1700000000 2.5 a=b\n" + "m 1699999000 3 a=b\n"));

    assertThat(run.exitCode()).isZero();
    assertThat(run.outLines())
        .containsExactly(
            "3 points stored from 1 file in 0.0 s",
            "1 point repeats a timestamp of their series: the last one is read");
    assertThat(stored()).contains("{\"1699999000\":3,\"1700000000\":2.5}");
  }

  @Test
  void standardInputAndGzipAreRead() throws IOException {
    String zipped = file("points.gz", gzip("m 1700000001 2 a=b\n"));

    CommandRun run = CommandRun.withInput(GOOD, "--store", store, "import", "-", zipped);

    assertThat(run.exitCode()).isZero();
    assertThat(run.errLines())
        .containsExactly("-: stored up to line 1", zipped + ": stored up to line 1");
    assertThat(stored()).contains("{\"1700000000\":1,\"1700000001\":2}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          m 1700000000 1              | not enough words (need at least 4
          m                           | not enough words (need at least 4
          m 1700000000  1 a=b         | empty value
          m 1700000000 1 a            | invalid tag: a
          m 1700000000 1 a=           | invalid tag: a=
          m 1700000000 1 =b           | invalid tag: =b
          m 1700000000 1 a=b=c        | invalid tag: a=b=c
          m 1700000000 1 a=b a=c      | duplicate tag: a=c
          m x 1 a=b                   | timestamp 'x': Invalid character 'x'
          m 0 1 a=b                   | invalid timestamp: 0
          m -5 1 a=b                  | invalid timestamp: -5
          m 1700000000.5 1 a=b        | after a dot there must be three digits
          m 99999999999999 1 a=b      | bad timestamp=99999999999999
          m 1700000000 NaN a=b        | value 'NaN': Invalid character 'N'
          m 1700000000 1e400 a=b      | value is NaN or Infinite: Infinity
          m 1700000000 1.x a=b        | value '1.x': not a number
          m 1700000000 1.2.3 a=b      | value '1.2.3': not a number
          m 1700000000 1e-400 a=b     | value '1e-400': closer to 0 than the smallest double
          m 1700000000 0x10 a=b       | value '0x10': Invalid character 'x'
          m 1700000000 + a=b          | value '+': Just a sign, no value
          m 1700000000 9223372036854775808 a=b | value '9223372036854775808': Overflow
          m 1700000000 12345678901234567890 a=b | value '12345678901234567890': Value too long
          m! 1700000000 1 a=b         | illegal character: !
          m 1700000000 1 a!=b         | illegal character: !
          m 1700000000 1 a=b!         | illegal character: !
          中 1700000000 1 a=b         | not in ISO-8859-1: 中
          m 1700000000 1 a=1 b=1 c=1 d=1 e=1 f=1 g=1 h=1 i=1 | Too many tags: 9 maximum allowed: 8
          put m 17000000x0 1 a=b      | timestamp '17000000x0': Invalid character 'x'
          """)
  void aMalformedLineEndsTheImportWithItsPlaceAndReason(String line, String reason) {
    String file = file("points", GOOD + line + "\n" + "m 1700000001 2 a=b\n");

    CommandRun run = load(file);

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(complaints(run))
        .singleElement()
        .asString()
        .startsWith("hourstone: " + file + ":2: ")
        .contains(reason);
    assertThat(run.errLines())
        .last()
        .isEqualTo(
            file
                + ": stored up to line 1; to continue: tail -n +2 "
                + file
                + " | hourstone … import -");
    assertThat(run.out()).contains("1 point stored from 1 file").contains("1 line rejected");
    assertThat(stored()).contains("\"dps\":{\"1700000000\":1}");
  }

  @Test
  void skippingErrorsStoresTheRestShowsTheFirstTenAndCountsAll() {
    StringBuilder lines = new StringBuilder(GOOD);
    for (int i = 0; i < 25; i++) {
      lines.append("nonsense ").append(i).append('\n');
    }
    lines.append("m 1700000001 2 a=b\n");
    String file = file("points", lines.toString());

    CommandRun run = load("--skip-errors", file);

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.errLines()).hasSize(11).last().isEqualTo(file + ": stored up to line 27");
    for (int i = 0; i < 10; i++) {
      assertThat(run.errLines().get(i))
          .startsWith(file + ":" + (i + 2) + ": rejected: not enough words");
    }
    assertThat(run.outLines())
        .containsExactly(
            "2 points stored from 1 file in 0.0 s",
            "25 lines rejected; the first 10 are shown above");
    assertThat(stored()).contains("{\"1700000000\":1,\"1700000001\":2}");
  }

  @Test
  void aBinaryFileIsRefusedOnOneLine() {
    byte[] noise = new byte[100_000];
    new Random(1).nextBytes(noise);

    CommandRun run = load(file("noise", noise));

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(complaints(run)).singleElement().asString().contains("noise:1: not UTF-8 text");
  }

  @Test
  void aFileWithoutPointsIsReportedAndNoError() {
    for (String text : List.of("", "\n\n\r\n", "# a comment\n  \n")) {
      String file = file("empty", text);
      CommandRun run = load(file);

      assertThat(run.exitCode()).isZero();
      assertThat(run.out()).isEmpty();
      assertThat(complaints(run)).containsExactly("hourstone: " + file + ": no points");
    }
  }

  @Test
  void byteOrderMarksCommentsAndThePutOfTelnetAreNoErrors() {
    CommandRun run = load(file("points", "\ufeff" + GOOD + "# comment\n\nput " + GOOD));

    assertThat(run.exitCode()).isZero();
    assertThat(stored()).contains("\"dps\":{\"1700000000\":1}");
  }

  @Test
  void rejectedLinesAreWrittenToAFileThatCanBeCorrectedAndImported() throws IOException {
    StringBuilder lines = new StringBuilder(GOOD);
    for (int i = 0; i < 25; i++) {
      lines.append("m 1700000001 x").append(i).append(" a=b\n");
    }
    String file = file("points", lines.toString());
    Path rejects = directory.resolve("rejects");

    CommandRun run = load("--rejects", rejects.toString(), file);

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(Files.readAllLines(rejects))
        .hasSize(50)
        .startsWith("# " + file + ":2: value 'x0': Invalid character 'x'", "m 1700000001 x0 a=b");
    Files.writeString(rejects, Files.readString(rejects).replace(" x", " 1"));
    assertThat(load(rejects.toString()).outLines())
        .contains("25 points stored from 1 file in 0.0 s");
    assertThat(load("--rejects", file, file).err()).contains("is one of the files to import");
    assertThat(Files.readString(Path.of(file))).isEqualTo(lines.toString());
  }

  @Test
  void rejectedLinesAreAddedToThoseOfAnEarlierImport() throws IOException {
    Path rejects = Files.writeString(directory.resolve("rejects"), "# a:1: why\nm x");
    String bad = "m 1700000001 x a=b";
    String file = file("points", bad + "\n");
    assertThat(load("--rejects", rejects.toString(), file).err())
        .contains("rejects: the last line in it has no end");
    Files.writeString(rejects, "# a:1: why\nm x\n");
    load("--rejects", rejects.toString(), file);
    assertThat(Files.readAllLines(rejects))
        .hasSize(4)
        .startsWith("# a:1: why", "m x")
        .last()
        .isEqualTo(bad);
  }

  @Test
  void aReasonWithHalfACharacterLosesNoLine() throws IOException {
    String bad = "m.\uD83D\uDE00 1700000001 1 a=b";
    String file = file("points", bad + "\nm 1700000001 1 a=b\n");
    Path rejects = directory.resolve("rejects");

    CommandRun run = load("--rejects", rejects.toString(), file);

    assertThat(run.errLines()).contains(file + ": stored up to line 2");
    assertThat(run.out()).startsWith("1 point stored from 1 file");
    assertThat(Files.readAllLines(rejects)).hasSize(2).last().isEqualTo(bad);
  }

  /** Else its older points would be stored again, over those of later files. */
  @Test
  void aFileThatCanNotBeReadForATimeStaysStored() throws IOException {
    Path state = directory.resolve("state");
    String first = file("first", "m 1700000001 1 a=b\nm 1700000002 1 a=b\n");
    String second = file("second", "m 1700000001 2 a=b\nnonsense\n");
    load("--resume", state.toString(), first, second);
    String places = Files.readString(state);
    file("first", "m 1700000001 1 a=b\n");

    CommandRun run = load("--resume", state.toString(), first, second);

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains("has 1 lines, fewer than the 2 that are stored");
    assertThat(Files.readString(state)).isEqualTo(places);
    assertThat(load("--resume", first, "--rejects", first, second).err())
        .contains("--rejects and --resume name the same file");
  }

  @Test
  void anImportContinuesWhereTheLastOneEnded() throws IOException {
    Path state = directory.resolve("state");
    String first = file("first", GOOD);
    String second = file("second", "m 1700000001 2 a=b\nnonsense\nm 1700000002 3 a=b\n");

    CommandRun failed = load("--resume", state.toString(), first, second);

    assertThat(failed.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(failed.errLines())
        .last()
        .isEqualTo(second + ": stored up to line 1; to continue: repeat the command");
    assertThat(Files.readAllLines(state))
        .containsExactly("import into " + store, "1 " + real(first), "1 " + real(second));

    file("second", "already stored\nm 1700000001 2 a=c\nm 1700000002 3 a=b\n");
    CommandRun resumed = load("--resume", state.toString(), first, second);

    assertThat(resumed.exitCode()).isZero();
    assertThat(resumed.out()).startsWith("2 points stored from 2 files");
    assertThat(complaints(resumed))
        .containsExactly("hourstone: " + first + ": no points after line 1");
    assertThat(state).doesNotExist();
    Files.writeString(state, "import into rocksdb:other\n");
    assertThat(load("--resume", state.toString(), first).err()).contains("the resume file belongs");
  }

  @Test
  void aFileIsContinuedByWhateverNameItHas() throws IOException {
    Path state = directory.resolve("state");
    String file = file("points", GOOD + "nonsense\n");
    load("--resume", state.toString(), file);
    Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of(file));

    CommandRun run = load("--resume", state.toString(), link.toString());

    assertThat(run.err()).contains(link + ":2: ").contains("stored up to line 1");
    assertThat(run.out()).startsWith("0 points stored");
  }

  @Test
  void rejectsThatCanNotBeWrittenEndTheImportWhichCanBeContinued() throws IOException {
    Path full = Path.of("/dev/full");
    Assumptions.assumeTrue(Files.exists(full));
    Path state = directory.resolve("state");
    String first = file("first", GOOD);
    String second = file("second", "m 1700000001 2 a=b\nnonsense\n");
    String third = file("third", "m 1700000003 2 a=b\n");
    load("--resume", state.toString(), first, second);
    String places = Files.readString(state);

    CommandRun run =
        load("--resume", state.toString(), "--rejects", full.toString(), first, second, third);

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.errLines())
        .containsSubsequence(
            "hourstone: --rejects /dev/full: No space left on device",
            second + ": stored up to line 1; to continue: repeat the command");
    assertThat(Files.readString(state)).isEqualTo(places);
    assertThat(storedPoints()).isEqualTo(2);
  }

  @Test
  void aResumeFileThatCanNotBeWrittenEndsTheImport() throws IOException {
    Path state = directory.resolve("state");
    Path next = Files.createDirectory(directory.resolve("state.next"));
    String first = file("first", GOOD);
    String second = file("second", "m 1700000001 2 a=b\n");

    CommandRun run = load("--skip-errors", "--resume", state.toString(), first, second);

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains("hourstone: --resume ").contains(next + ": Is a directory");
    assertThat(run.errLines())
        .contains(first + ": stored up to line 0; to continue: repeat the command");
    assertThat(storedPoints()).isOne();
  }

  @Test
  void aLineIsNotAddedToHalfALineThatAKilledImportHasLeft() throws IOException {
    Path rejects = Files.writeString(directory.resolve("rejects"), "# a:1: why\nm 17000");
    String file = file("points", "nonsense\n");

    load("--resume", directory.resolve("state").toString(), "--rejects", rejects.toString(), file);

    assertThat(Files.readAllLines(rejects))
        .hasSize(4)
        .startsWith("# a:1: why", "# cut off: m 17000")
        .endsWith("nonsense");
  }

  @Test
  void rejectedRecordsOfCsvCanBeCorrectedAndImported() throws IOException {
    String file = file("a,b.csv", "metric,time,value,host\nm,1700000001,x,a\nm,1700000002,2,a\n");
    Path rejects = directory.resolve("rejects");
    load("--csv", "--rejects", rejects.toString(), file);
    Files.writeString(rejects, Files.readString(rejects).replace(",x,", ",1,"));

    CommandRun run = load("--csv", rejects.toString());

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).startsWith("1 point stored from 1 file");
  }

  @Test
  void csvIsImportedByItsColumnsAsQueryWritesIt() {
    String file =
        file(
            "points.csv",
            """
            time,"value",host,dc
            2023-11-14 22:13:20Z,1,web01,"lga"
            1700000060,2.5,web02,
            1700000060,2.5,web 02,
            1700000060,2.5
            """);

    CommandRun run = load("--csv", "--metric", "m", "--tag", "os=linux", "--skip-errors", file);

    assertThat(run.errLines())
        .startsWith(
            file + ":4: rejected: column host has a space: 'web 02'",
            file + ":5: rejected: has 2 columns, and the first line has 4");
    CommandRun csv =
        CommandRun.of("--store", store, "query", "--timezone=UTC", "2023/11/01", "none:m", "--csv");
    assertThat(csv.out())
        .isEqualTo(
            """
            metric,timestamp,value,tags
            m,2023-11-14T22:13:20Z,1,dc=lga host=web01 os=linux
            m,2023-11-14T22:14:20Z,2.5,host=web02 os=linux
            """);
    String copy = CommandRun.newStore();
    assertThat(
            CommandRun.of("--store", copy, "import", "--csv", file("copy.csv", csv.out()))
                .exitCode())
        .isZero();
    assertThat(CommandRun.of("--store", copy, "query", "2023/11/01", "none:m", "--csv").outLines())
        .hasSize(3);
    assertThat(load("--csv", file).err())
        .contains(file + ": no column metric in the first line, which has time, value, host, dc");
    assertThat(load("--tag", "a=b", file).err()).contains("require --csv");
  }

  @Test
  void aFileThatIsNotThereOrADirectoryIsAnErrorAndMakesNoStore() {
    Path data = directory.resolve("data");
    for (String file : List.of(directory.resolve("missing").toString(), directory.toString())) {
      CommandRun run = CommandRun.of("--store", "rocksdb:" + data, "import", file);

      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.out()).isEmpty();
      assertThat(run.err())
          .matches("hourstone: \\Q" + file + "\\E: (no such file|is a directory)\n");
      assertThat(data).doesNotExist();
    }
  }

  @Test
  void aTruncatedGzipFileTellsWhereItBreaksOffAndKeepsWhatCameBefore() throws IOException {
    StringBuilder lines = new StringBuilder();
    Random random = new Random(2);
    for (int i = 0; i < 20_000; i++) {
      lines.append("m ").append(1_700_000_000L + i).append(' ').append(random.nextInt());
      lines.append(" a=b\n");
    }
    byte[] whole = gzip(lines.toString());
    String file = file("cut.gz", Arrays.copyOf(whole, whole.length / 2));

    CommandRun run = load(file);

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    String complaint = complaints(run).get(0);
    assertThat(complaint)
        .matches(".*cut\\.gz: truncated after line \\d+; the lines before are stored");
    String line = complaint.replaceAll(".* line (\\d+);.*", "$1");
    assertThat(Integer.parseInt(line)).isBetween(5_000, 15_000);
    assertThat(storedPoints()).isEqualTo(Integer.parseInt(line));
  }

  @Test
  void aDamagedGzipFileIsAnError() throws IOException {
    byte[] bytes = gzip(GOOD.repeat(1000));
    bytes[bytes.length - 6] ^= 1; // of its checksum
    String file = file("bad.gz", bytes);

    CommandRun run = load(file);

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(complaints(run)).singleElement().asString().contains("bad.gz: cannot be read");
  }

  @ParameterizedTest
  @CsvSource({"'m 1700000000 1 a=b'", "''"})
  void aFileThatOnlyClaimsToBeGzipIsAnError(String content) {
    String file = file("points.gz", content);

    CommandRun run = load(file);

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).startsWith("hourstone: " + file + ": is not gzip, though its name");
  }

  @Test
  void aFileThatFailsEndsTheImportButNotWhatIsStored() {
    String first = file("first", GOOD);
    String missing = directory.resolve("missing").toString();
    String last = file("last", "m 1700000001 2 a=b\n");

    CommandRun run = load(first, missing, last);

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(complaints(run)).containsExactly("hourstone: " + missing + ": no such file");
    assertThat(stored()).contains("\"dps\":{\"1700000000\":1}");
  }

  @Test
  void skippingErrorsGoesOnWithTheOtherFiles() {
    String missing = directory.resolve("missing").toString();
    String empty = file("empty", "");
    String last = file("last", "m 1700000001 2 a=b\n");

    CommandRun run = load("--skip-errors", missing, file("first", GOOD), empty, last);

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(complaints(run))
        .containsExactly(
            "hourstone: " + missing + ": no such file", "hourstone: " + empty + ": no points");
    assertThat(run.out()).isEqualTo("2 points stored from 3 files in 0.0 s\n");
    assertThat(stored()).contains("{\"1700000000\":1,\"1700000001\":2}");
  }

  @Test
  void metricsAreCreatedByAutoMetricEvenWhereTheSettingsForbidIt() {
    String file = file("points", GOOD);

    CommandRun refused = CommandRun.of("--store", store, "--opentsdb-defaults", "import", file);
    CommandRun taken =
        CommandRun.of("--store", store, "--opentsdb-defaults", "import", "--auto-metric", file);

    assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(complaints(refused))
        .containsExactly(
            "hourstone: " + file + ":1: No such name for 'metrics': 'm'",
            "hourstone: the settings forbid that points create metrics"
                + " (tsd.core.auto_create_metrics): create them with --auto-metric, or with the"
                + " command mkmetric");
    assertThat(taken.exitCode()).isZero();
  }

  @Test
  void anUnknownMetricIsFollowedByAHintAtTheOption() {
    CommandRun run =
        CommandRun.of(
            "--store", store, "--opentsdb-defaults", "import", "--skip-errors", file("p", GOOD));

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(complaints(run)).singleElement().asString().contains("with --auto-metric, or with");
    assertThat(load(file("p", "nonsense\n")).err()).doesNotContain("--auto-metric");
  }

  @Test
  void strictModeRefusesTimesThatDoNotIncrease() {
    String file = file("points", GOOD + GOOD);

    CommandRun run =
        CommandRun.of("--store", store, "--opentsdb-defaults", "import", "--auto-metric", file);

    assertThat(complaints(run))
        .singleElement()
        .asString()
        .contains("is less than or equal to previous=");
  }

  @Test
  void theBarShowsTheFileAndLetsComplaintsStandOnLinesOfTheirOwn() {
    String file = file("points", GOOD + "nonsense\n");

    CommandRun run = load("--progress", "--skip-errors", file);

    assertThat(run.err()).contains("points").contains("100%");
    assertThat(run.err()).contains("\r\u001b[K" + file + ":2: rejected: not enough words");
    assertThat(run.err()).doesNotContain("stored up to");
  }

  @Test
  void theBarIsForTerminalsUnlessItIsAskedForOrRefused() {
    String file = file("points", GOOD);

    assertThat(CommandRun.onTerminal("--store", store, "import", file).err()).contains("100%");
    assertThat(CommandRun.onTerminal("--store", store, "import", "--no-progress", file).err())
        .isEqualTo(file + ": stored up to line 1\n");
    assertThat(load(file).err()).isEqualTo(file + ": stored up to line 1\n");
  }

  @Test
  void theBarHasRoomBesideALongName() {
    String file = file("points-of-the-other-data-centre-2024-01-31.txt", GOOD);

    CommandRun run = CommandRun.onTerminal("--store", store, "import", file);

    assertThat(run.err()).contains("…4-01-31.txt 100% |█").contains("19/19 B (0:00:0");
  }

  @Test
  void theBarOfASmallFileCountsItsBytes() {
    String file = file("points", "m 1700000001 2 a=b\n");

    assertThat(CommandRun.onTerminal("--store", store, "import", file).err()).contains("19/19 B");
  }

  @Test
  void aLineThatEndsACsvImportIsFollowedByACommandThatReadsTheHeaderToo() {
    String csv = file("my.csv", "# from x\nmetric,time,value,a\nm,1700000001,1,b\nm,1,x,b\n");
    String next = file("next.csv", "metric,time,value,a\nm,1700000002,1,b\n");

    CommandRun run = load("--csv", csv, next);

    assertThat(run.errLines())
        .last()
        .isEqualTo(
            csv
                + ": stored up to line 3; to continue: sed 3,3d "
                + csv
                + " | hourstone … import --csv - "
                + next);
  }

  @Test
  void debugShowsWhereAnImportFailed() {
    String file = file("points", "nonsense\n");

    CommandRun run = CommandRun.of("--store", store, "--debug", "import", file);

    assertThat(run.err()).contains("Caused by: org.hourstone.error.RequestException: not enough");
  }

  private CommandRun load(String... words) {
    List<String> args = new ArrayList<>(List.of("--store", store, "import"));
    args.addAll(List.of(words));
    return CommandRun.of(args.toArray(String[]::new));
  }

  private static Path real(String file) throws IOException {
    return Path.of(file).toRealPath();
  }

  private static List<String> complaints(CommandRun run) {
    return run.errLines().stream().filter(line -> line.startsWith("hourstone: ")).toList();
  }

  private String stored() {
    return CommandRun.of("--store", store, "query", "2023/11/01", "none:m", "--json").out();
  }

  private long storedPoints() {
    return CommandRun.of("--store", store, "query", "2023/11/01", "none:m").out().lines().count()
        - 2;
  }

  private String file(String name, String text) {
    return file(name, text.getBytes(UTF_8));
  }

  private String file(String name, byte[] bytes) {
    try {
      return Files.write(directory.resolve(name), bytes).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }
}
