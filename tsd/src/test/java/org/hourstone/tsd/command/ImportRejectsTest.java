package org.hourstone.tsd.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Lines that were rejected, and imports that were broken off, can be taken up again. */
class ImportRejectsTest extends ImportCase {
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
        .startsWith(
            "# rejected: " + file + ":2: value 'x0': Invalid character 'x'", "m 1700000001 x0 a=b");
    Files.writeString(rejects, Files.readString(rejects).replace(" x", " 1"));
    assertThat(load(rejects.toString()).outLines())
        .contains("25 points stored from 1 file in 0.0 s");
    assertThat(load("--rejects", file, file).err()).contains("is one of the files to import");
    assertThat(Files.readString(Path.of(file))).isEqualTo(lines.toString());
  }

  @Test
  void anImportEndsOnADiskThatIsNearlyFullAndIsContinuedLater() {
    String file = file("points", GOOD);
    String disk = "rocksdb:" + directory.resolve("store");
    String resume = directory.resolve("resume").toString();

    CommandRun run =
        CommandRun.of(
            "--store",
            disk,
            "--set",
            "hourstone.disk.reserve=" + Long.MAX_VALUE,
            "import",
            "--resume",
            resume,
            file);

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(complaints(run))
        .singleElement()
        .asString()
        .startsWith("hourstone: " + file + ":1: the store failed: refused: the disk is nearly full")
        .contains("hourstone.disk.reserve");
    assertThat(run.err()).contains(file + ": stored up to line 0; to continue: repeat the command");
    CommandRun later = CommandRun.of("--store", disk, "import", "--resume", resume, file);
    assertThat(later.exitCode()).as(later.err()).isZero();
    assertThat(later.out()).startsWith("1 point stored from 1 file");
  }

  /** They are not read again. */
  @Test
  void whatAnInterruptedImportHasRejectedIsNotForgotten() {
    String first = file("first", "m 1700000001 x a=b\n" + GOOD);
    String second = file("second", "m 1700000002 1 a=b\n");
    String disk = "rocksdb:" + directory.resolve("store");
    Path resume = directory.resolve("resume");
    ImportPlaces interrupted = new ImportPlaces(resume, disk, "");
    interrupted.rejected();
    interrupted.stored(first, 2);

    CommandRun run =
        CommandRun.of(
            "--store",
            disk,
            "import",
            "--skip-errors",
            "--resume",
            resume.toString(),
            first,
            second);

    assertThat(run.out()).startsWith("1 point stored from 2 files");
    assertThat(run.err())
        .contains("the interrupted import that this one continues has rejected lines");
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(resume).doesNotExist();
  }

  @Test
  void aRejectedLineIsSavedWithTheNextStoredOne() {
    String first = file("first", GOOD);
    Path resume = directory.resolve("resume");
    ImportPlaces places = new ImportPlaces(resume, "memory:", "");
    assertThat(places.hasRejected()).isFalse();
    places.rejected();
    places.stored(first, 1);
    assertThat(new ImportPlaces(resume, "memory:", "").hasRejected()).isTrue();
    assertThat(new ImportPlaces(resume, "memory:", "").of(first)).isEqualTo(1);
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

  /** Its lines would become other points. */
  @Test
  void anImportIsNotContinuedInAnotherFormat() {
    String state = directory.resolve("state").toString();
    String file = file("points.csv", "timestamp,value,a\n1700000001,1,b\n1700000002,x,b\n");
    load("--resume", state, "--csv", "--metric", "m", file);
    for (String other : new String[] {"--metric n", "--metric m --tag c=d"}) {
      List<String> words = new ArrayList<>(List.of("--resume", state, "--csv"));
      words.addAll(List.of(other.split(" ")));
      words.add(file);
      assertThat(load(words.toArray(String[]::new)).err()).contains(" is from another run: ");
    }
    assertThat(load("--resume", state, file).err()).contains(" is from another run: ");
    assertThat(load("--resume", state, "--csv", "--metric", "m", file).err())
        .contains("points.csv:3: ")
        .doesNotContain("another run");
  }

  /** Else the lines that the first one has would be missing in this one. */
  @Test
  void aStoreThatHasTakenThePlaceOfAnotherIsRefused() throws IOException {
    Path state = directory.resolve("state");
    String file = file("file", GOOD + "nonsense\n");
    load("--resume", state.toString(), file);
    String other = CommandRun.newStore();
    Files.writeString(state, Files.readString(state).replace(store, other));

    String before = Files.readString(state);
    for (String[] more : new String[][] {{}, {"--skip-errors"}}) {
      List<String> words = new ArrayList<>(List.of("--store", other, "import"));
      words.addAll(List.of(more));
      words.addAll(List.of("--resume", state.toString(), file));
      CommandRun run = CommandRun.of(words.toArray(String[]::new));

      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.err())
          .contains("--resume " + state + " is of another store that was at " + other);
      assertThat(Files.readString(state)).isEqualTo(before);
    }
    Files.delete(state);
    CommandRun.of("--store", other, "import", "--resume", state.toString(), file);
    assertThat(CommandRun.of("--store", other, "query", "2023/11/01", "none:m").exitCode())
        .isZero();
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
    List<String> lines = Files.readAllLines(state);
    assertThat(lines.get(1)).matches("store [0-9a-f-]{36}");
    assertThat(lines)
        .containsExactly(
            "import into " + store, lines.get(1), "1 " + real(first), "1 " + real(second));

    file("second", "already stored\nm 1700000001 2 a=c\nm 1700000002 3 a=b\n");
    CommandRun resumed = load("--resume", state.toString(), first, second);

    assertThat(resumed.exitCode()).isZero();
    assertThat(resumed.out()).startsWith("2 points stored from 2 files");
    assertThat(complaints(resumed))
        .containsExactly("hourstone: " + first + ": no points after line 1");
    assertThat(state).doesNotExist();
    Files.writeString(state, "import into rocksdb:other\n");
    assertThat(load("--resume", state.toString(), first).err())
        .contains(state + " is from another run: ", "'import into rocksdb:other'");
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

  /** In strict mode there are no comments but ours. */
  @Test
  void rejectedLinesCanBeCorrectedAndImportedInStrictMode() throws IOException {
    String file = file("points", "m 1700000001 x a=b\n");
    Path rejects = directory.resolve("rejects");
    load("--rejects", rejects.toString(), file);
    Files.writeString(
        rejects, Files.readString(rejects).replace(" x a", " 1 a") + "# cut off: m 17000\n");

    for (String mode : List.of("--opentsdb-defaults", "--set=tsd.core.tag.allow_specialchars=#")) {
      CommandRun run =
          CommandRun.of("--store", store, mode, "import", "--auto-metric", rejects.toString());

      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.out()).startsWith("1 point stored");
    }
    assertThat(storedPoints()).isOne();
  }

  @Test
  void halfARecordOfCsvIsACommentOfCsv() throws IOException {
    Path rejects = Files.writeString(directory.resolve("rejects"), "metric,time,value,a\nm,17000");
    String file = file("points.csv", "metric,time,value,a\nm,x,1,b\n");
    String state = directory.resolve("state").toString();
    load("--csv", "--resume", state, "--rejects", rejects.toString(), file);
    Files.writeString(rejects, Files.readString(rejects).replace(",x,", ",1700000001,"));

    CommandRun run = load("--csv", rejects.toString());

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(Files.readString(rejects)).contains("\n# cut off: m;17000\n");
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
  void linesWhoseTimeHasExpiredAreRejected() throws IOException {
    String file =
        file("points", GOOD + "m 1600000000 2 a=b\nm 1700000001 3 a=b\nm 1500000000 4 a=b\n");
    Path rejects = directory.resolve("rejects");

    CommandRun run =
        load("--set", "hourstone.retention=m raw 300d", "--rejects", rejects.toString(), file);

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.outLines())
        .containsExactly("2 points stored from 1 file in 0.0 s", "2 lines rejected");
    assertThat(Files.readAllLines(rejects))
        .hasSize(4)
        .contains("m 1600000000 2 a=b", "m 1500000000 4 a=b")
        .first()
        .asString()
        .startsWith(
            "# rejected: " + file + ":2: values of the hour of 2020-09-13T12:00:00Z have expired");
  }
}
