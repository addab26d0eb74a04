package org.hourstone.tsd.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.tree.RuleType;
import org.hourstone.tree.TreeDefinition;
import org.hourstone.tree.TreeRule;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.session.ExitCode;
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
  void aNameOrUidIsLookedUpInOneKindOrAll() {
    run("mkmetric cpu mem");
    run("uid assign tagk cpu");

    assertThat(run("uid cpu").out()).isEqualTo("metrics cpu: 000001\ntagk cpu: 000001\n");
    assertThat(run("uid metrics mem")).isEqualTo(new CommandRun(0, "metrics mem: 000002\n", ""));
    for (String uid : List.of("000002", "2", "[0,0,2]")) {
      assertThat(run("uid metrics " + uid).out()).isEqualTo("metrics mem: 000002\n");
    }
    assertThat(CommandRun.of("--store", store, "uid", "tagk", "[0, 0, 1]").out())
        .isEqualTo("tagk cpu: 000001\n");
    run("uid assign tagv 2");
    assertThat(run("uid 2").outLines()).containsExactly("metrics mem: 000002", "tagv 2: 000001");
  }

  @Test
  void whatIsNeitherANameNorAUidIsSaidSo() {
    run("mkmetric cpu");

    assertThat(run("uid nosuch"))
        .isEqualTo(
            new CommandRun(ExitCode.FAILED, "", "hourstone: no name and no UID is 'nosuch'\n"));
    assertThat(run("uid tagk 000001").err())
        .isEqualTo("hourstone: no name and no UID of tagk is '000001'\n");
    assertThat(run("uid metrics [0,0,1,1]").exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run("uid metrics 99999999999999").exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run("uid nokind cpu").err()).contains("unknown kind of name 'nokind'");
    assertThat(run("uid").exitCode()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void theWidthOfUidsCanBeGivenAnywhereAfterUid() {
    assertThat(run("uid --idwidth 2 assign metrics a").out()).isEqualTo("metrics a: 0001\n");
    assertThat(run("uid grep --idwidth=2 a").out()).isEqualTo("metrics a: 0001\n");
    assertThat(run("--set tsd.storage.max_tags=9 uid --idwidth=2 0001").out())
        .isEqualTo("metrics a: 0001\n");
    CommandRun other = run("uid metrics a");
    assertThat(other.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(other.err()).contains("tsd.storage.uid.width.metric=2, not 3");
  }

  @Test
  void scarcityIsReportedOnceACommandAndShownByStats() {
    List<String> args = new ArrayList<>(List.of("--store", store, "uid"));
    args.addAll(List.of("--idwidth", "1", "assign", "tagv"));
    for (int i = 0; i < 206; i++) {
      args.add("v" + i);
    }

    CommandRun run = CommandRun.of(args.toArray(String[]::new));

    assertThat(run.exitCode()).isZero();
    assertThat(run.errLines())
        .containsExactly(
            "hourstone: 80.0 % of the UIDs of tagv are used; when none is left, new names are"
                + " refused");
    CommandRun stats = run("uid stats --idwidth 1");
    assertThat(stats.outLines())
        .containsExactly(
            "metrics 0 of 255 UIDs of 1 byte used, 0.0 %",
            "tagk    0 of 255 UIDs of 1 byte used, 0.0 %",
            "tagv    206 of 255 UIDs of 1 byte used, 80.7 %");
    assertThat(stats.errLines()).hasSize(1);
    assertThat(run("uid grep --idwidth 1 v0").err()).isEmpty();
  }

  @Test
  void fsckShowsAndRepairsErrors() {
    run("mkmetric a b");
    try (KeyValueStore cells = KeyValueStores.open(store)) {
      Family forward = new Family("tsdb-uid", "id");
      byte[] metrics = "metrics".getBytes(StandardCharsets.ISO_8859_1);
      cells.put(forward, new byte[] {'c'}, metrics, new byte[] {0, 0, 3});
      cells.put(forward, new byte[] {'a'}, new byte[] {'x'}, new byte[] {1});
    }
    String name = "metrics c: 000003, which leads to no name";
    String column = "unknown column 78 in row 61 of tsdb-uid:id";
    String counter = "the counter of metrics is 2, but UIDs go up to 3";

    CommandRun shown = run("uid fsck");

    assertThat(shown.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(shown.outLines())
        .containsExactly(column, name, counter, "3 names and 2 UIDs checked, 3 errors found");
    CommandRun fixed = run("uid fsck fix");
    assertThat(fixed.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(fixed.outLines())
        .containsExactly(
            column + "; left: only delete_unknown deletes it",
            name + "; fixed: 000003 leads to c",
            counter + "; fixed: it is 3",
            "3 names and 2 UIDs checked, 3 errors found, 2 repaired, 1 left");
    assertThat(run("uid fsck --fix --delete-unknown").exitCode()).isZero();
    assertThat(run("uid fsck"))
        .isEqualTo(new CommandRun(0, "3 names and 3 UIDs checked, no errors found\n", ""));
    assertThat(run("uid fsck all").exitCode()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void metadataIsMadeUpForAndPurged() {
    CommandRun.withInput(
        "put m 1700000000 1 a=b\nput m 1700000000 1 a=c", "--store", store, "put", "-");

    assertThat(run("uid metasync"))
        .isEqualTo(
            new CommandRun(
                0, "2 rows read, 2 TSMeta created, 4 UIDMeta created, 2 counters created\n", ""));
    assertThat(run("uid metasync --from 0000016553EDE0000001000002").out())
        .startsWith("1 row read, 0 TSMeta created");
    assertThat(run("uid metapurge").out()).isEqualTo("4 UIDMeta and 4 cells of series deleted\n");
    run("uid delete tagv b");
    CommandRun skipped = run("uid metasync");
    assertThat(skipped.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(skipped.errLines())
        .containsExactly(
            "hourstone: series 000001000001000001: No such unique ID for 'tagv': [0, 0, 1]");
    assertThat(skipped.out()).endsWith(", 1 skipped\n");
  }

  @Test
  void seriesAreSortedIntoTreesAndTreesPurged() {
    CommandRun.withInput("put m 1700000000 1 host=web01", "--store", store, "put", "-");
    run("uid metasync");
    try (Tsdb db = Tsdb.open(store)) {
      db.trees().create(new TreeDefinition("all", "", "", false, 0, true, false));
      db.trees().updateRule(1, 0, 0, rule -> TreeRule.at(1, 0, 0).of(RuleType.TAGK, "host"));
    }

    assertThat(run("uid treesync"))
        .isEqualTo(new CommandRun(0, "1 series sorted, 1 leaf, 0 times no place\n", ""));
    assertThat(run("uid treepurge 1").out()).isEqualTo("tree 1 purged\n");
    assertThat(run("uid treesync").out()).startsWith("1 series sorted, 1 leaf");
    assertThat(run("uid treepurge 1 true").out())
        .isEqualTo("tree 1 purged, with its definition and rules\n");
    CommandRun again = run("uid treepurge 1 true");
    assertThat(again.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(again.out()).isEmpty();
    assertThat(again.err())
        .isEqualTo("hourstone: tree 1 is not defined; remains of an earlier purge are deleted\n");
    assertThat(run("uid treesync").out()).startsWith("1 series sorted, 0 leaves");
    assertThat(run("uid treepurge 0").exitCode()).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void onlyAssigningMakesAStore(@TempDir Path directory) {
    Path data = directory.resolve("data");
    for (String words :
        List.of(
            "uid grep a", "uid rename tagk a b", "uid delete tagk a", "uid fsck fix", "uid a")) {
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
