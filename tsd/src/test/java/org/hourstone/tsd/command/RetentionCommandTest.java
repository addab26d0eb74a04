package org.hourstone.tsd.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.Test;

class RetentionCommandTest {
  private static final String RULES = "hourstone.retention=sys.* raw 30d";

  private final String store = CommandRun.newStore();

  private CommandRun run(String... words) {
    List<String> args = new ArrayList<>(List.of("--store", store));
    args.addAll(List.of(words));
    return CommandRun.of(args.toArray(String[]::new));
  }

  private void put(String metric, long seconds) {
    String line = "put " + metric + " " + seconds + " 1 host=a\n";
    assertThat(CommandRun.withInput(line, "--store", store, "put", "-").exitCode()).isZero();
  }

  private int cells() {
    return run("cells", "data").outLines().size();
  }

  @Test
  void whatHasExpiredIsCountedThenDeleted() {
    long now = CommandRun.NOW.getEpochSecond();
    put("sys.cpu", 1356998400);
    put("sys.cpu", 1357002000);
    put("sys.cpu", now);
    put("net.in", 1356998400);

    CommandRun dry = run("--set", RULES, "retention", "--dry-run");
    assertThat(dry.exitCode()).isZero();
    assertThat(dry.outLines())
        .containsExactly(
            "2 rows of raw values, 32 bytes: sys.* raw 30d",
            "2 rows would be deleted, found in 0.0 s");
    assertThat(cells()).isEqualTo(4);

    CommandRun run = run("--set", RULES, "retention");
    assertThat(run.exitCode()).isZero();
    assertThat(run.outLines()).last().isEqualTo("2 rows deleted, found in 0.0 s");
    assertThat(cells()).isEqualTo(2);
  }

  @Test
  void pointsThatAreToBeRolledUpWaitForIt() {
    put("sys.cpu", 1356998400);
    put("sys.cpu", CommandRun.NOW.getEpochSecond());
    String rollups = "hourstone.rollups.auto=1h";

    CommandRun before = run("--set", RULES, "--set", rollups, "retention");
    assertThat(before.outLines())
        .containsExactly(
            "0 rows deleted, found in 0.0 s",
            "1 row has expired and must be rolled up first: a daemon does it, or rollup");

    assertThat(run("--set", rollups, "rollup").exitCode()).isZero();
    CommandRun after = run("--set", RULES, "--set", rollups, "retention");
    assertThat(after.outLines()).last().isEqualTo("1 row deleted, found in 0.0 s");
  }

  @Test
  void itIsRefusedWithoutRulesAndWhileTheClockIsImplausible() {
    put("sys.cpu", 1356998400);

    CommandRun without = run("retention");
    assertThat(without.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(without.err()).contains("hourstone.retention has no rule");

    CommandRun refused = run("--set", RULES, "retention");
    assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(refused.err()).contains("the newest point is more than a day older");
    assertThat(cells()).isEqualTo(1);

    assertThat(run("--set", RULES, "retention", "--clock-is-right").exitCode()).isZero();
    assertThat(cells()).isZero();
  }
}
