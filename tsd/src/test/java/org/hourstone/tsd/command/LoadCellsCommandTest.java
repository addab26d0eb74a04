package org.hourstone.tsd.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadCellsCommandTest {
  private static final String CELL =
      "{\"table\":\"tsdb\",\"row\":\"00000150e22700000001000001\",\"family\":\"t\","
          + "\"qualifier\":\"01e0\",\"value\":\"2a\",\"ts\":1356998500000}\n";

  private final String source = CommandRun.newStore();
  private final String target = CommandRun.newStore();

  private static CommandRun run(String input, String store, String... words) {
    List<String> args =
        new ArrayList<>(List.of("--store", store, "--set", "tsd.core.timezone=UTC"));
    args.addAll(List.of(words));
    return CommandRun.withInput(input, args.toArray(String[]::new));
  }

  @Test
  void loadedCellsArePrintedAsTheyWere() {
    run("m 1356998430 42 host=a\nm 1356998431 0.5 host=b dc=x\n", source, "import", "-");
    // Of the past: a store dates nothing later than its clock, which stands still here.
    String cells =
        run("", source, "cells", "--write-time")
            .out()
            .replace("\"ts\":17041536", "\"ts\":17041535");

    CommandRun load = run(cells, target, "load-cells", "-");

    assertThat(load.err()).isEqualTo("-: stored up to line " + cells.lines().count() + "\n");
    assertThat(load.out()).isEqualTo(cells.lines().count() + " cells stored\n");
    assertThat(load.exitCode()).isZero();
    assertThat(run("", target, "cells", "--write-time").out()).isEqualTo(cells);
    assertThat(run("", target, "query", "2012/12/31", "2013/01/02", "sum:m{host=a}").out())
        .contains("2013-01-01T00:00:30Z  42\n");
  }

  @Test
  void tablesThatSettingsDoNotNameAreCreatedOnlyIfAsked(@TempDir Path directory) {
    String cells = CELL.replace("tsdb", "tsdb-rollup-1h") + CELL;
    String store = "rocksdb:" + directory.resolve("data");

    assertThat(run(cells, store, "load-cells", "-").err())
        .isEqualTo(
            "hourstone: -:1: the store has no table 'tsdb-rollup-1h' with a family 't';"
                + " --create-tables creates what is missing\n");
    assertThat(run("", store, "cells").out()).isEmpty();
    assertThat(run(cells, store, "load-cells", "--create-tables", "-").exitCode()).isZero();

    assertThat(run("", store, "cells", "--write-time").outLines())
        .containsExactlyInAnyOrderElementsOf(cells.lines().toList());
  }

  @Test
  void tablesOfComputedRollupsAreThoseOfTheSettings(@TempDir Path directory) {
    String store = "rocksdb:" + directory.resolve("data");
    String auto = "hourstone.rollups.auto=1h";
    run("m 1356998430 42 host=a\n", source, "import", "-");
    run("", source, "--set", auto, "rollup");
    String cells = run("", source, "cells", "--write-time").out();
    assertThat(cells).contains("\"tsdb-rollup-1h\"");

    CommandRun load = run(cells, store, "--set", auto, "load-cells", "-");

    assertThat(load.err()).startsWith("-: stored up to line");
    assertThat(load.exitCode()).isZero();
    run("", store, "--set", auto, "rollup");
    assertThat(run("", store, "--set", auto, "rollup", "--verify").out())
        .isEqualTo("0 rows of rolled-up values repaired\n");
    assertThat(run("", store, "cells").out()).contains("\"tsdb-rollup-1h\"");
  }

  @Test
  void cellsAreNotLoadedOntoADiskThatIsNearlyFull(@TempDir Path directory) {
    String store = "rocksdb:" + directory.resolve("data");

    CommandRun run =
        run(CELL, store, "--set", "hourstone.disk.reserve=" + Long.MAX_VALUE, "load-cells", "-");

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err())
        .contains("hourstone: refused: the disk is nearly full")
        .endsWith("(hourstone.disk.reserve)\n");
    assertThat(run("", store, "cells").out()).isEmpty();
    assertThat(run(CELL, store, "load-cells", "-").exitCode()).isZero();
  }

  @Test
  void aStoreThatHasCellsIsLeftAloneUnlessOneInsists() {
    run(CELL, target, "load-cells", "-");
    String other = CELL.replace("2a", "2b");

    CommandRun refused = run(other, target, "load-cells", "-");

    assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(refused.err())
        .isEqualTo(
            "hourstone: the store has cells already; --into-nonempty loads into it anyway\n");
    assertThat(run("", target, "cells", "--write-time").out()).isEqualTo(CELL);
    assertThat(run(other, target, "load-cells", "--into-nonempty", "-").exitCode()).isZero();
    assertThat(run("", target, "cells", "--write-time").out()).isEqualTo(other);
  }

  @Test
  void aCellDoesNotReplaceOneThatWasWrittenLater() {
    String later = CELL.replace("2a", "2b").replace("1356998500000", "1356998500001");
    run(later, target, "load-cells", "-");

    CommandRun load = run(CELL, target, "load-cells", "--into-nonempty", "-");

    assertThat(load.outLines())
        .containsExactly("1 cell stored", "1 cell hidden by later cells of the store");
    assertThat(run("", target, "cells", "--write-time").out()).isEqualTo(later);
    run(CELL, target, "load-cells", "--into-nonempty", "--now", "-");
    assertThat(run("", target, "cells").out()).contains("\"value\":\"2a\"");
  }

  @Test
  void ofACellThatComesTwiceTheNewestStays() {
    String later = CELL.replace("2a", "2b").replace("1356998500000", "1356998500001");
    run(later + CELL, target, "load-cells", "-");

    assertThat(run("", target, "cells", "--write-time").out()).isEqualTo(later);
  }

  @Test
  void ofACellThatComesTwiceTheLastStays() {
    run(CELL + CELL.replace("2a", "2b"), target, "load-cells", "-");

    assertThat(run("", target, "cells", "--write-time").out()).isEqualTo(CELL.replace("2a", "2b"));
  }

  @Test
  void aLineThatIsNoCellIsNamedAndThoseBeforeItStay() {
    assertThat(fails("{")).startsWith("hourstone: -:3: not JSON: ");
    assertThat(fails("[]")).isEqualTo("hourstone: -:3: not a JSON object\n");
    assertThat(fails(CELL.replace("\"ts\"", "\"time\"")))
        .isEqualTo("hourstone: -:3: unknown field 'time'\n");
    assertThat(fails(CELL.replace("\"table\":\"tsdb\",", "")))
        .isEqualTo("hourstone: -:3: no field 'table'\n");
    assertThat(fails(CELL.replace("2a", "2")))
        .isEqualTo("hourstone: -:3: field 'value' is not hex: 2\n");
    assertThat(fails(CELL.replace("00000150e22700000001000001", "")))
        .isEqualTo("hourstone: -:3: empty row\n");
    assertThat(fails(CELL.replace("1356998500000", "-1")))
        .isEqualTo("hourstone: -:3: field 'ts' is not a time in milliseconds: -1\n");
    assertThat(fails(CELL.replace("\"t\"", "\"t:t\""))).startsWith("hourstone: -:3: bad family");
  }

  @Test
  void aLineHasOneCellOnly() {
    String cell = CELL.strip();
    assertThat(fails(cell + cell)).isEqualTo("hourstone: -:3: more than one JSON value\n");
    assertThat(fails(cell + " 1")).isEqualTo("hourstone: -:3: more than one JSON value\n");
    assertThat(fails(cell + " trailing")).startsWith("hourstone: -:3: not JSON: ");
  }

  @Test
  void aLineOfMoreThanTheLargestCellIsRefused() {
    assertThat(fails(" ".repeat(20_100_000)))
        .isEqualTo("hourstone: -:3: line of more than 20065536 bytes\n");
  }

  private static String fails(String line) {
    String store = CommandRun.newStore();
    CommandRun run = run(CELL + "\n" + line, store, "load-cells", "-");
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.errLines()).first().isEqualTo("-: stored up to line 2");
    assertThat(run("", store, "cells", "--write-time").out()).isEqualTo(CELL);
    return run.err().substring(run.err().indexOf('\n') + 1);
  }
}
