package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UidCommandsTest {
  private final String store = CommandRun.newStore();

  @Test
  void newNamesGetUidsInTheirOrder() {
    CommandRun run = run("uid assign metrics sys.cpu.user sys.cpu.system");

    assertThat(run)
        .isEqualTo(
            new CommandRun(
                0, "metrics sys.cpu.user: 000001\nmetrics sys.cpu.system: 000002\n", ""));
  }

  @Test
  void mkmetricIsTheSameForMetrics() {
    assertThat(run("mkmetric a b").out()).isEqualTo("metrics a: 000001\nmetrics b: 000002\n");
    assertThat(run("uid assign tagk a").out()).isEqualTo("tagk a: 000001\n");
  }

  @Test
  void aNameThatExistsIsReportedAndTheOthersAreAssigned() {
    run("mkmetric a");

    CommandRun run = run("mkmetric a b");

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.out()).isEqualTo("metrics b: 000002\n");
    assertThat(run.errLines())
        .containsExactly("hourstone: metrics a: Name already exists with UID: 000001");
  }

  @Test
  void namesObeyTheRulesOfPoints() {
    assertThat(run("uid assign tagv a:b").errLines())
        .containsExactly(
            "hourstone: tagv a:b: Invalid name of tagv (\"a:b\"): illegal character: :");
    assertThat(run("--set tsd.core.tag.allow_specialchars=: uid assign tagv a:b").exitCode())
        .isZero();
    assertThat(run("uid rename tagv a:b a;b").exitCode()).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void anUnknownKindIsAnErrorThatListsThem() {
    assertThat(run("uid assign metrik a").errLines())
        .containsExactly("hourstone: unknown kind of name 'metrik': must be metrics, tagk or tagv");
  }

  @Test
  void grepFindsPartsOfNamesInOneKindOrAll() {
    run("mkmetric sys.cpu net.in");
    run("uid assign tagk cpu");
    run("uid assign tagv CPU0");

    assertThat(run("uid grep cpu").out()).isEqualTo("metrics sys.cpu: 000001\ntagk cpu: 000001\n");
    assertThat(run("uid grep -i cpu").outLines()).hasSize(3);
    assertThat(run("uid grep metrics ^[ns]").outLines())
        .containsExactly("metrics net.in: 000002", "metrics sys.cpu: 000001");
  }

  @Test
  void grepWithoutAMatchFailsInSilence() {
    run("mkmetric a");

    assertThat(run("uid grep x")).isEqualTo(new CommandRun(ExitCode.FAILED, "", ""));
    assertThat(run("uid grep metrics a").exitCode()).isZero();
  }

  @Test
  void aMalformedRegularExpressionIsAUsageErrorOnOneLine() {
    CommandRun run = run("uid grep a(");

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).startsWith("hourstone: not a regular expression: a(: ");
  }

  @Test
  void pointsAreFoundByTheNewNameAfterARename() {
    CommandRun.withInput("put old 1700000000 1 a=b", "--store", store, "put", "-");

    assertThat(run("uid rename metrics old new").out()).isEqualTo("metrics new: 000001\n");
    assertThat(run("query 90d-ago none:new").out()).startsWith("new {a=b}");
    assertThat(run("query 90d-ago none:old").exitCode()).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void renamingNeedsANameThatExistsAndOneThatDoesNot() {
    run("mkmetric a b");

    assertThat(run("uid rename metrics x y").errLines())
        .containsExactly("hourstone: No such name for 'metrics': 'x'");
    assertThat(run("uid rename metrics a b").err()).contains("has a UID already, 000002");
  }

  @Test
  void aDeletedNameIsGoneAndItsUidIsNotGivenAgain() {
    run("mkmetric a");

    assertThat(run("uid delete metrics a").out()).isEqualTo("metrics a: 000001 deleted\n");
    assertThat(run("uid grep a").exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run("uid delete metrics a").exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run("mkmetric a").out()).isEqualTo("metrics a: 000002\n");
  }

  @Test
  void onlyAssigningMakesAStore(@TempDir Path directory) {
    Path data = directory.resolve("data");
    for (String words : List.of("uid grep a", "uid rename tagk a b", "uid delete tagk a")) {
      List<String> args = new ArrayList<>(List.of("--store", "rocksdb:" + data));
      args.addAll(Arrays.asList(words.split(" ")));

      CommandRun run = CommandRun.of(args.toArray(String[]::new));

      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.err()).startsWith("hourstone: no data in " + data + " yet");
      assertThat(data).doesNotExist();
    }
  }

  private CommandRun run(String words) {
    List<String> args = new ArrayList<>(List.of("--store", store));
    args.addAll(Arrays.asList(words.split(" ")));
    return CommandRun.of(args.toArray(String[]::new));
  }
}
