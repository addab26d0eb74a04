package org.hourstone.tsd.command;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImportCommandTest extends ImportCase {
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
  void repeatedTimestampsAreCountedAndTheLastLineIsRead() {
    CommandRun run = load(file("points", GOOD + "m 1700000000 2.5 a=b\n" + "m 1699999000 3 a=b\n"));

    assertThat(run.exitCode()).isZero();
    assertThat(run.outLines())
        .containsExactly(
            "3 points stored from 1 file in 0.0 s",
            "1 point repeats a timestamp of its series: the last one is read");
    assertThat(stored()).contains("{\"1699999000\":3,\"1700000000\":2.5}");
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
          m 1700000000.1234 1 a=b     | after a dot there must be one to three digits
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
          m 0 1 a=b                   | invalid timestamp: 0
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
                + " | hourstone --store "
                + store
                + " --set tsd.core.timezone=UTC import -");
    assertThat(run.out()).contains("1 point stored from 1 file").contains("1 line rejected");
    assertThat(stored()).contains("\"dps\":{\"1700000000\":1}");
  }

  @Test
  void aByteOrderMarkIsSkippedInAFileOfOneLineWithoutItsEnd() {
    for (String end : List.of("", "\n", "\r\n")) {
      CommandRun run =
          CommandRun.withInput(
              "\uFEFFsys.cpu 1700000000 1 host=a" + end,
              "--store",
              CommandRun.newStore(),
              "import",
              "-");
      assertThat(run.exitCode()).as("%s", run).isZero();
      assertThat(run.out()).contains("1 point stored");
    }
  }

  @Test
  void aFileOfAnotherKindIsNamed() throws IOException {
    byte[] lines = "sys.cpu 1700000000 1 host=a\nsys.cpu 1700000001 1 host=a\n".getBytes(UTF_8);
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(lines);
    }
    assertThat(imported(packed.toByteArray())).contains("-:1:", "gzip", ".gz");
    String text = new String(lines, UTF_8);
    for (Charset charset : List.of(UTF_16, UTF_16LE, UTF_16BE)) {
      assertThat(imported(text.getBytes(charset))).contains("-:1:", "UTF-16");
    }
    assertThat(imported(new byte[] {(byte) 0xff, 'a'})).contains("not UTF-8 text");
  }

  private static String imported(byte[] input) {
    CommandRun run = CommandRun.withInput(input, "--store", CommandRun.newStore(), "import", "-");
    assertThat(run.exitCode()).as("%s", run).isEqualTo(ExitCode.FAILED);
    return run.err();
  }

  @Test
  void byteOrderMarksCommentsAndThePutOfTelnetAreNoErrors() {
    CommandRun run = load(file("points", "\ufeff" + GOOD + "# comment\n\nput " + GOOD));

    assertThat(run.exitCode()).isZero();
    assertThat(stored()).contains("\"dps\":{\"1700000000\":1}");
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
  void theBarShowsTheFileAndLeavesWarningsOnLinesOfTheirOwn() {
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
  void debugShowsWhereAnImportFailed() {
    String file = file("points", "nonsense\n");

    CommandRun run = CommandRun.of("--store", store, "--debug", "import", file);

    assertThat(run.err()).contains("Caused by: org.hourstone.error.RequestException: not enough");
  }
}
