package org.hourstone.tsd.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompactCommandTest {
  private final String store = CommandRun.newStore();

  private CommandRun run(String... words) {
    List<String> args = new ArrayList<>(List.of("--store", store));
    args.addAll(List.of(words));
    return CommandRun.of(args.toArray(String[]::new));
  }

  /** Two rows of one metric, an hour apart, and one of another: three cells each. */
  private void putPoints() {
    for (String line :
        List.of(
            "sys.cpu 1356998400 1 host=a",
            "sys.cpu 1356998401 2 host=a",
            "sys.cpu 1356998402 3 host=a",
            "sys.cpu 1357002000 1 host=a",
            "sys.cpu 1357002001 2 host=a",
            "sys.cpu 1357002002 3 host=a",
            "sys.mem 1356998400 1 host=a",
            "sys.mem 1356998401 2 host=a",
            "sys.mem 1356998402 3 host=a")) {
      CommandRun put = CommandRun.withInput("put " + line + "\n", "--store", store, "put", "-");
      assertThat(put.exitCode()).isZero();
    }
  }

  private int cells() {
    return run("cells", "data").outLines().size();
  }

  @Test
  void allRowsAreCompactedAndNoAnswerChanges() {
    putPoints();
    String[] query = {"query", "2013/01/01", "2013/01/02", "none:sys.cpu", "none:sys.mem"};
    String before = run(query).out();

    CommandRun compact = run("compact");

    assertThat(compact.exitCode()).isZero();
    assertThat(compact.outLines())
        .containsExactly("3 rows read in 0.0 s, 3 rewritten: 9 cells became 3");
    assertThat(compact.err()).isEmpty();
    assertThat(cells()).isEqualTo(3);
    assertThat(run(query).out()).isEqualTo(before).contains("6 points", "3 points");
    assertThat(run("compact").outLines()).containsExactly("3 rows read in 0.0 s, 0 rewritten");
  }

  @Test
  void aRangeThatEndsBeforeItsStartIsRefused() {
    putPoints();
    CommandRun run = run("compact", "--start", "2013/01/02", "--end", "2013/01/01");
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("--end 2013/01/01 is before --start 2013/01/02");
  }

  @Test
  void aMetricOrARangeIsCompactedAlone() {
    putPoints();
    assertThat(run("compact", "--metric", "sys.mem").outLines())
        .containsExactly("1 row read in 0.0 s, 1 rewritten: 3 cells became 1");
    assertThat(run("compact", "--start", "1357002000").outLines())
        .containsExactly("1 row read in 0.0 s, 1 rewritten: 3 cells became 1");
    assertThat(run("compact", "--metric", "sys.cpu", "--end", "1356998500").outLines())
        .containsExactly("1 row read in 0.0 s, 1 rewritten: 3 cells became 1");
    assertThat(run("compact", "--start", "1357009200").outLines())
        .containsExactly("0 rows read in 0.0 s, 0 rewritten");
  }

  @Test
  void aRowWhoseHourIsNotOverIsLeft() {
    for (int second : List.of(0, 1)) {
      long now = CommandRun.NOW.getEpochSecond() + second;
      CommandRun.withInput("put sys.cpu " + now + " 1 host=a\n", "--store", store, "put", "-");
    }
    assertThat(run("compact").outLines())
        .containsExactly(
            "1 row read in 0.0 s, 0 rewritten",
            "1 row postponed: the hour is not over, the row was written to a moment ago, or a"
                + " writer's journal may have older points");
  }

  @Test
  void aCorruptRowIsNamedAndLeft() {
    putPoints();
    try (KeyValueStore open = KeyValueStores.open(store)) {
      open.put(
          new Family("tsdb", "t"),
          HexFormat.of().parseHex("00000150e22700000001000001"),
          new byte[] {5, 0, 0},
          new byte[] {0, 0});
    }

    CommandRun compact = run("compact");

    assertThat(compact.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(compact.outLines())
        .containsExactly("3 rows read in 0.0 s, 2 rewritten: 6 cells became 2", "1 row skipped");
    assertThat(compact.errLines())
        .hasSize(1)
        .first()
        .asString()
        .startsWith("skipped: row 00000150e22700000001000001 of tsdb:t: ");

    CommandRun query = run("query", "2013/01/01", "2013/01/02", "none:sys.cpu");
    assertThat(query.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(query.err()).startsWith("hourstone: row 00000150e22700000001000001 of tsdb:t, cell");
    CommandRun skipping =
        run(
            "--set",
            "hourstone.query.corrupt_rows=skip",
            "query",
            "2013/01/01",
            "2013/01/02",
            "none:sys.cpu");
    assertThat(skipping.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(skipping.out()).contains("6 points");
    assertThat(skipping.err()).startsWith("hourstone: skipped: row 00000150e22700000001000001");
  }

  @Test
  void aNameThatIsNotThereAndAStoreThatIsNotThereAreErrors(@TempDir Path directory) {
    putPoints();
    assertThat(run("compact", "--metric", "sys.disk").errLines())
        .containsExactly("hourstone: No such name for 'metrics': 'sys.disk'");
    CommandRun nowhere = CommandRun.of("--store", "rocksdb:" + directory.resolve("x"), "compact");
    assertThat(nowhere.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(nowhere.err()).contains("no data in");
  }
}
