package org.hourstone.tsd.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.TsdbOptions;
import org.hourstone.tool.FsckKind;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FsckCommandTest {
  private static final String ROW = "00000150e22700000001000001";

  private final String store = CommandRun.newStore();
  @TempDir private Path directory;

  private CommandRun run(String... words) {
    return withInput("", words);
  }

  private CommandRun withInput(String input, String... words) {
    List<String> args = new ArrayList<>(List.of("--store", store));
    args.addAll(List.of(words));
    return CommandRun.withInput(input, args.toArray(String[]::new));
  }

  private static String cell(String row, String qualifier, String value, int ts) {
    return "{\"table\":\"tsdb\",\"row\":\""
        + row
        + "\",\"family\":\"t\",\"qualifier\":\""
        + qualifier
        + "\",\"value\":\""
        + value
        + "\",\"ts\":"
        + ts
        + "}\n";
  }

  private String cells() {
    return run("cells", "--write-time", "data").out();
  }

  @BeforeEach
  void makeATable() {
    run("uid", "assign", "metrics", "m");
    run("uid", "assign", "tagk", "host");
    run("uid", "assign", "tagv", "a");
    withInput(
        cell(ROW, "0000", "04", 1)
            + cell(ROW, "000b", "40400000", 2)
            + cell(ROW, "00300040", "0405", 3)
            + cell(ROW, "0053", "000000000000000007", 4),
        "load-cells",
        "--into-nonempty",
        "-");
  }

  @Test
  void withoutFixItSaysWhatItWouldDo() {
    String before = cells();

    CommandRun run = run("fsck", "--full-scan");

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.outLines())
        .containsExactly(
            "bad-value: 1 error; repaired by --fix --delete-bad-values"
                + " (values that are not numbers)",
            "  row " + ROW + " m{host=a} 2013-01-01T00:00:00Z, cell 0053: an integer in 9 bytes",
            "missing-trailer: 1 error; repaired by --fix (cells of several points without the byte"
                + " at their end)",
            "  row "
                + ROW
                + " m{host=a} 2013-01-01T00:00:00Z, cell 00300040: several points without the byte"
                + " at the end",
            "duplicate: 1 error; repaired by --fix --resolve-duplicates (timestamps with different"
                + " values)",
            "  row "
                + ROW
                + " m{host=a} 2013-01-01T00:00:00Z, cell 0000: at 1356998400000 ms, 4 in cell 0000,"
                + " 3.0 in cell 000b; 3.0 is kept",
            "1 row with 4 cells and 4 points",
            "3 errors");
    assertThat(run.err()).isEmpty();
    assertThat(cells()).isEqualTo(before);
  }

  @Test
  void fixRepairsWhatItMayAndTheStatusSaysWhetherErrorsAreLeft() {
    CommandRun some = run("fsck", "--full-scan", "--fix");

    assertThat(some.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(some.outLines())
        .endsWith("3 errors, 1 fixed, 2 left")
        .contains(
            "  fixed: row "
                + ROW
                + " m{host=a} 2013-01-01T00:00:00Z, cell 00300040: several points without the byte"
                + " at the end");
    CommandRun all = run("fsck", "--fix-all", "2013/01/01", "2013/01/02", "sum:m");
    assertThat(all.exitCode()).isZero();
    assertThat(all.outLines()).endsWith("2 errors, 2 fixed, 0 left");
    CommandRun again = run("fsck", "--fix-all", "--full-scan");
    assertThat(again.exitCode()).isZero();
    assertThat(again.out()).isEqualTo("1 row with 1 cell and 3 points\nno errors\n");
  }

  @Test
  void whatIsRemovedCanBePutBack() throws IOException {
    Path saved = directory.resolve("saved");
    String before = cells();

    run(
        "fsck",
        "--full-scan",
        "--fix",
        "--delete-bad-values",
        "--resolve-duplicates",
        "--save",
        saved.toString());

    assertThat(Files.readString(saved))
        .isEqualTo(before.replace(cell(ROW, "000b", "40400000", 2), ""));
    assertThat(run("load-cells", "--into-nonempty", saved.toString()).exitCode()).isZero();
    assertThat(cells()).isEqualTo(before);
  }

  @Test
  void whatIsCompactedCanBePutBack() throws IOException {
    Path saved = directory.resolve("saved");
    run("fsck", "--full-scan", "--fix-all");
    String one = cell(ROW, "0060", "08", 5);
    withInput(one, "load-cells", "--into-nonempty", "-");
    String before = cells();

    run("fsck", "--full-scan", "--fix", "--compact", "--save", saved.toString());

    assertThat(Files.readString(saved)).isEqualTo(before).contains(one);
    assertThat(cells()).doesNotContain(one);
    assertThat(run("load-cells", "--into-nonempty", saved.toString()).exitCode()).isZero();
    assertThat(cells()).contains(before.lines().toList());
  }

  @Test
  void rowsThatAnExpressionDoesNotSelectAreLeftAlone() {
    run("uid", "assign", "tagv", "b");

    CommandRun run = run("fsck", "--fix-all", "2013/01/01", "2013/01/02", "sum", "m", "host=b");

    assertThat(run.out()).isEqualTo("0 rows with 0 cells and 0 points\nno errors\n");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void aRunBeginsWhereAnotherHasStopped() throws IOException {
    Path resume = directory.resolve("resume");
    String name = nameOfRun();
    Files.writeString(
        resume,
        name
            + "\nranges 1\n{\"rows\":2,\"done\":7,\"ranges\":[{\"family\":\"tsdb:t\",\"phase\":0,"
            + "\"selection\":-1,\"start\":\"\",\"stop\":\"\",\"next\":\""
            + ROW
            + "00\",\"begun\":true}]}\n{\"rows\":2,\"cells\":5,\"points\":4,"
            + "\"annotations\":0,\"histograms\":0,\"compactedRows\":0,"
            + "\"found\":{\"BAD_KEY\":1},\"fixed\":{}}\n");

    CommandRun run = run("fsck", "--full-scan", "--resume", resume.toString());

    assertThat(run.outLines())
        .containsSubsequence("  and 1 more", "2 rows with 5 cells and 4 points", "1 error");
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(resume).doesNotExist();
    String older =
        "{\"rest\":[{\"start\":\"\",\"stop\":\"\"}],\"report\":{\"rows\":2,\"cells\":5}}";
    for (String other : List.of("nonsense", "{}", ROW + "00", older)) {
      Files.writeString(resume, name + "\n" + other + "\n");
      assertThat(run("fsck", "--full-scan", "--resume", resume.toString()).err())
          .isEqualTo(
              "hourstone: --resume "
                  + resume
                  + " can't be continued: it is not a checkpoint in the format of this version,"
                  + " 'ranges 1'; remove it to start at the beginning\n");
    }
  }

  /** A full scan, in its checkpoint. */
  private String nameOfRun() {
    TsdbOptions options = TsdbOptions.defaults();
    return "fsck %s --full-scan --no-fix [] in UTC %s %s"
        .formatted(store, options.schema(), options.tables());
  }

  /** Else rows that were only checked would not be repaired. */
  @Test
  void aRunThatRepairsIsNotContinuedFromOneThatDoesNot() throws IOException {
    Path resume = directory.resolve("resume");
    Files.writeString(resume, nameOfRun() + "\n" + ROW + "00\n");

    CommandRun run = run("fsck", "--full-scan", "--fix", "--resume", resume.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains(resume + " is from another run: ");
  }

  /** Else rows of this one would not be checked. */
  @Test
  void aRunOverAStoreThatHasTakenThePlaceOfAnotherIsRefused() throws IOException {
    Path resume = directory.resolve("resume");
    String done = "ranges 1\n{\"rows\":9,\"done\":1,\"ranges\":[]}\n{\"rows\":9}\n";
    Files.writeString(resume, nameOfRun() + "\nstore another\n" + done);

    CommandRun run = run("fsck", "--full-scan", "--resume", resume.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains(resume + " is of another store that was at " + store);
  }

  @Test
  void aRunThatIsContinuedAfterAFailureReportsAllRows() throws IOException {
    Path resume = directory.resolve("resume");
    Path full = Path.of("/dev/full");
    Assumptions.assumeTrue(Files.exists(full));
    String before = "00000150e218f0000001000001";
    withInput(cell(before, "0053", "000000000000000007", 1), "load-cells", "--into-nonempty", "-");

    CommandRun run =
        run(
            "fsck",
            "--full-scan",
            "--fix",
            "--save",
            full.toString(),
            "--resume",
            resume.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).isEqualTo("hourstone: --save /dev/full: No space left on device\n");
    CommandRun rest = run("fsck", "--full-scan", "--fix", "--resume", resume.toString());
    assertThat(rest.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(rest.outLines())
        .contains(
            "bad-value: 2 errors, 0 fixed; repaired by --fix --delete-bad-values (values that are"
                + " not numbers)")
        .endsWith("2 rows with 5 cells and 4 points", "4 errors, 1 fixed, 3 left");
    assertThat(resume).doesNotExist();
  }

  @Test
  void cellsAreSavedOnlyFromRepairs() {
    Path saved = directory.resolve("saved");
    CommandRun run = run("fsck", "--full-scan", "--compact", "--save", saved.toString());
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("--save requires --fix or --fix-all");
    assertThat(saved).doesNotExist();
  }

  @Test
  void theReportCanBeJson() {
    assertThat(run("fsck", "--full-scan", "--json", "--places", "0").out())
        .isEqualTo(
            "{\"fix\":false,\"rows\":1,\"cells\":4,\"points\":4,\"annotations\":0,"
                + "\"histograms\":0,\"compactedRows\":0,\"unreadableRanges\":0,\"errors\":3,\"errorsLeft\":3,\"kinds\":["
                + "{\"kind\":\"bad-value\",\"error\":true,\"found\":1,\"fixed\":0,\"repairedBy\":\"--fix"
                + " --delete-bad-values\",\"places\":[]},"
                + "{\"kind\":\"missing-trailer\",\"error\":true,\"found\":1,\"fixed\":0,"
                + "\"repairedBy\":\"--fix\",\"places\":[]},"
                + "{\"kind\":\"duplicate\",\"error\":true,\"found\":1,\"fixed\":0,\"repairedBy\":\"--fix"
                + " --resolve-duplicates\",\"places\":[]}]}\n");
    assertThat(run("fsck", "--full-scan", "--json", "--fix").out())
        .contains(
            "{\"row\":\""
                + ROW
                + "\",\"name\":\"m{host=a} 2013-01-01T00:00:00Z\",\"qualifier\":\"00300040\","
                + "\"what\":\"several points without the byte at the end\",\"state\":\"fixed\"}");
  }

  @Test
  void aTerminalSeesABar() {
    CommandRun run = CommandRun.onTerminal("--store", store, "fsck", "--full-scan");

    assertThat(run.err()).contains("fsck").contains("1 row");
  }

  @Test
  void whichRowsHasToBeSaidOnce() {
    assertThat(run("fsck").errLines().get(0))
        .isEqualTo("hourstone: no rows selected: give --full-scan, or START [END] EXPRESSION…");
    assertThat(run("fsck", "--full-scan", "1h-ago", "sum:m").exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run("fsck", "--full-scan", "--threads", "0").exitCode()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void everyKindIsExplainedInTheDocs() throws IOException {
    String page = Files.readString(Path.of("../docs/fsck.md"));

    for (FsckKind kind : FsckKind.values()) {
      String severity = kind.isError() ? "error" : "info";
      assertThat(page).contains("| `" + kind.label() + "` | " + severity + " |");
    }
  }
}
