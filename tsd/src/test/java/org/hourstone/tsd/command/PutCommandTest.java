package org.hourstone.tsd.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PutCommandTest {
  private final String store = CommandRun.newStore();

  @Test
  void goodLinesAreStoredAndBadOnesReportedWithTheirNumberAsTelnetDoes() {
    CommandRun run =
        put(
            """
            put m 1700000000 1 a=b
            put m 1700000001
            put m 1700000002 x a=b

            put m 1700000003 1 a
            get m
            put m 1700000004.500 4.5 a=b\r
            """);

    assertThat(run.errLines())
        .containsExactly(
            "-:2: put: illegal argument: not enough arguments (need least 4, got 2)",
            "-:3: put: invalid value: value 'x': Invalid character 'x'",
            "-:5: put: illegal argument: invalid tag: a",
            "-:6: unknown command: get");
    assertThat(run.out()).isEqualTo("2 points stored, 4 lines rejected\n");
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(
            CommandRun.of("--store", store, "query", "90d-ago", "none:m", "--json", "--ms").out())
        .contains("{\"1700000000000\":1,\"1700000004500\":4.5}");
  }

  @Test
  void wordsOfALineAreNotFiles() {
    assertThat(CommandRun.of("--store", store, "put", "m", "1700000000", "1", "a=b").err())
        .startsWith("hourstone: put reads lines from one file, or from standard input: echo 'put ");
  }

  /** Lines of known series are handed over many at a time, others one by one. */
  @Test
  void manyLinesAreStoredInTheirOrderAroundRejectedOnes() {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      lines.append("put m ").append(1_700_000_000 + i / 2).append(' ').append(i).append(" a=b");
      lines.append(i % 1000 == 999 ? " c\n" : i % 7 == 0 ? "\r\n" : "\n");
    }
    CommandRun run = put(lines.toString());

    assertThat(run.out()).isEqualTo("19,980 points stored, 20 lines rejected\n");
    assertThat(run.errLines())
        .hasSize(20)
        .contains("-:1000: put: illegal argument: invalid tag: c")
        .contains("-:20000: put: illegal argument: invalid tag: c");
    String stored =
        CommandRun.of("--store", store, "query", "2023/11/14", "2023/11/16", "none:m", "--csv")
            .out();
    assertThat(stored.lines()).hasSize(1 + 10_000).contains("m,2023-11-15T00:59:58Z,19997,a=b");
    assertThat(stored).contains("m,2023-11-15T00:59:59Z,19998,a=b"); // that after it is rejected
  }

  @Test
  void withoutARejectedLineTheExitStatusIsZero() {
    CommandRun run = put("put m 1700000000 1 a=b");

    assertThat(run).isEqualTo(new CommandRun(0, "1 point stored, 0 lines rejected\n", ""));
  }

  @Test
  void aMetricThatMayNotBeCreatedIsUnknown() {
    CommandRun run =
        CommandRun.withInput(
            "put m 1700000000 1 a=b\n", "--store", store, "--opentsdb-defaults", "put", "-");

    assertThat(run.errLines())
        .containsExactly("-:1: put: unknown metric: No such name for 'metrics': 'm'");
  }

  @Test
  void aNameThatGetsNoUidIsReportedAsByTelnet() {
    StringBuilder lines = new StringBuilder();
    for (int i = 1; i <= 256; i++) {
      lines.append("put m").append(i).append(" 1700000000 1 a=b\n");
    }

    CommandRun run =
        CommandRun.withInput(
            lines.toString(), "--store", store, "--set", "tsd.storage.uid.width.metric=1", "put");

    assertThat(run.out()).isEqualTo("255 points stored, 1 line rejected\n");
    assertThat(run.errLines()).last().asString().startsWith("-:256: put: storage error: ");
  }

  @Test
  void aLineOfMoreThan1024BytesIsRejectedAndTheNextOneRead() {
    String longest = "put m 1700000000 1 a=" + "b".repeat(PutCommand.MAX_LINE_BYTES - 21);
    assertThat(longest).hasSize(PutCommand.MAX_LINE_BYTES);

    CommandRun run = put(longest + "\n" + longest + "b\n" + "put m 1700000000 1 a=c\n");

    assertThat(run.errLines()).containsExactly("-:2: put: line of more than 1024 bytes");
    assertThat(run.out()).isEqualTo("2 points stored, 1 line rejected\n");
  }

  @Test
  void linesAreUtf8() {
    CommandRun run = put("put m 1700000000 1 a=\u00e9\nput m 1700000001 1 a=\u00e9\n");

    assertThat(run.exitCode()).isZero();
    assertThat(CommandRun.of("--store", store, "uid", "grep", "tagv", ".").out())
        .isEqualTo("tagv \u00e9: 000001\n");
    CommandRun other =
        CommandRun.withInput(
            "put m 1700000000 1 a=\u00e9\n".getBytes(ISO_8859_1), "--store", store, "put", "-");
    assertThat(other.errLines()).containsExactly("-:1: put: not UTF-8 text");
  }

  @Test
  void inStrictModeLinesAreLatin1() {
    CommandRun run =
        CommandRun.withInput(
            "put m 1700000000 1 a=\u00e9\n".getBytes(ISO_8859_1),
            "--store",
            store,
            "--opentsdb-defaults",
            "--set",
            "tsd.core.auto_create_metrics=true",
            "put",
            "-");

    assertThat(run.exitCode()).isZero();
    assertThat(CommandRun.of("--store", store, "uid", "grep", "tagv", ".").out())
        .isEqualTo("tagv \u00e9: 000001\n");
  }

  @Test
  void aFileIsReadToo(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("lines"), "put m 1700000000 1 a=b\nput\n");

    CommandRun run = CommandRun.of("--store", store, "put", file.toString());

    assertThat(run.out()).isEqualTo("1 point stored, 1 line rejected\n");
    assertThat(run.err()).startsWith(file + ":2: ");
  }

  private CommandRun put(String lines) {
    return CommandRun.withInput(lines, "--store", store, "put", "-");
  }
}
