package org.hourstone.tsd.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that are compressed, tables, corrupt or not there. */
class ImportFilesTest extends ImportCase {
  @Test
  void standardInputAndGzipAreRead() throws IOException {
    String zipped = file("points.gz", gzip("m 1700000001 2 a=b\n"));

    CommandRun run = CommandRun.withInput(GOOD, "--store", store, "import", "-", zipped);

    assertThat(run.exitCode()).isZero();
    assertThat(run.errLines())
        .containsExactly("-: stored up to line 1", zipped + ": stored up to line 1");
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
  void aCorruptGzipFileIsAnError() throws IOException {
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
                + " | hourstone --store "
                + store
                + " --set tsd.core.timezone=UTC import --csv - "
                + next);
  }
}
