package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.error.TsdbException;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.StoreException;
import org.hourstone.testkit.Binary;
import org.hourstone.testkit.ConcurrentRunner;
import org.hourstone.testkit.LoggedBy;
import org.hourstone.testkit.store.FaultPlan;
import org.hourstone.testkit.store.FaultPlan.Fault;
import org.hourstone.testkit.store.FaultPlan.Operation;
import org.hourstone.testkit.store.FaultyStore;
import org.hourstone.tree.Branch;
import org.hourstone.tree.BranchView;
import org.hourstone.tree.Leaf;
import org.hourstone.tree.RuleType;
import org.hourstone.tree.Tree;
import org.hourstone.tree.TreeDefinition;
import org.hourstone.tree.TreeRule;
import org.hourstone.tree.TreeSeries;
import org.hourstone.tree.TreeSync;
import org.hourstone.tree.TreeSyncReport;
import org.hourstone.tree.TreeSyncRun;
import org.hourstone.tree.TreeSyncStats;
import org.hourstone.tree.Trees;
import org.junit.jupiter.api.Test;

/** Trees over a store: kept, changed by several at once, and grown. */
public abstract class TreeContract extends TreeCase {
  @Test
  final void aNewTreeGetsTheIdAfterTheLargest() {
    assertThat(trees.create(definition("a", false)).id()).isEqualTo(1);
    assertThat(trees.create(definition("b", false)).id()).isEqualTo(2);
    trees.delete(1, true);
    assertThat(trees.create(definition("c", false)).id()).isEqualTo(3);
    assertThat(trees.all()).extracting(tree -> tree.definition().name()).containsExactly("b", "c");
  }

  @Test
  final void treesMadeAtOnceGetDifferentIds() throws Exception {
    List<Integer> ids =
        ConcurrentRunner.run(8, n -> () -> trees.create(definition("t" + n, false)).id());
    assertThat(ids).containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6, 7, 8);
  }

  @Test
  final void aTreeWhoseCreationMayHaveFailedIsMadeOnce() {
    FaultPlan plan = new FaultPlan(1);
    Trees faulty = new Trees(new FaultyStore(store, plan), TREES, () -> {}, Backoff.none());
    plan.failCall(Operation.COMPARE_AND_SET, 1, Fault.UNKNOWN_APPLIED);
    assertThat(faulty.create(definition("a", false)).id()).isEqualTo(1);
    plan.failCall(Operation.COMPARE_AND_SET, 1, Fault.UNKNOWN_NOT_APPLIED);
    assertThat(faulty.create(definition("b", false)).id()).isEqualTo(2);
    assertThat(trees.all()).extracting(tree -> tree.definition().name()).containsExactly("a", "b");
  }

  @Test
  final void theLastTreeIsListedAndNoOtherCanFollow() {
    store.put(TREES, new byte[] {-1, -1}, Binary.bytes("tree"), Binary.bytes("{\"name\":\"z\"}"));

    assertThat(trees.all()).extracting(Tree::id).containsExactly(65535);
    assertThatThrownBy(() -> trees.create(definition("more", false)))
        .isInstanceOf(TsdbException.class)
        .hasMessageContaining("65535");
  }

  @Test
  final void changesOfATreeAtOnceAreAllKept() throws Exception {
    Tree tree = trees.create(definition("x", false));
    ConcurrentRunner.run(
        4,
        n ->
            () ->
                trees.update(
                    tree.id(),
                    d ->
                        new TreeDefinition(
                            d.name(), d.description() + n, "", false, 0, true, true)));
    assertThat(trees.get(tree.id()).orElseThrow().definition().description().split(""))
        .containsExactlyInAnyOrder("0", "1", "2", "3");
  }

  @Test
  final void aTreeWithFieldsOfAnotherWriterCanBeChanged() {
    store.put(
        TREES,
        new byte[] {0, 1},
        Binary.bytes("tree"),
        Binary.bytes("{\"notes\": null, \"name\":\"T\", \"colour\":\"red\"}"));

    assertThat(ask("POST", "/api/tree", "{\"treeId\":1,\"enabled\":true}").status()).isEqualTo(200);
    assertThat(cells())
        .containsEntry(
            "0001/tree",
            "{\"name\":\"T\",\"description\":\"\",\"notes\":\"\",\"strictMatch\":false,"
                + "\"created\":0,\"enabled\":true,\"storeFailures\":false}");
  }

  @Test
  final void aCorruptTreeIsNamed() {
    store.put(TREES, new byte[] {0, 7}, Binary.bytes("tree"), Binary.bytes("{"));

    assertThatThrownBy(() -> trees.all())
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("tree in row 0007");
  }

  @Test
  final void aSyncedSeriesIsALeafOnItsBranches() {
    grow(false, tag(0, "dc"), tag(1, "host"));

    db.engine().treeSync().sync(series("000001000001000001", "m", "host", "web01", "dc", "dal"));

    assertThat(cells())
        .containsEntry("0001/branch", "{\"path\":{\"0\":\"ROOT\"},\"displayName\":\"ROOT\"}")
        .containsEntry(
            "00010001838f/branch",
            "{\"path\":{\"0\":\"ROOT\",\"1\":\"dal\"},\"displayName\":\"dal\"}")
        .containsEntry(
            "00010001838f/" + Binary.text(new byte[] {'l', 'e', 'a', 'f', ':', 6, -68, 76, 85}),
            "{\"displayName\":\"web01\",\"tsuid\":\"000001000001000001\"}");
    assertThat(db.engine().treeSync().stats()).isEqualTo(new TreeSyncStats(1, 0, 0));
  }

  @Test
  final void aBranchShowsWhatHangsDirectlyOnItByName() {
    grow(false, tag(0, "dc"), metric(1), tag(2, "host"));
    TreeSync treeSync = db.engine().treeSync();
    treeSync.sync(series("010101", "b.y", "dc", "lga", "host", "w2"));
    treeSync.sync(series("010102", "b.y", "dc", "lga", "host", "w1"));
    treeSync.sync(series("010103", "a", "dc", "lga", "host", "w1"));
    treeSync.sync(series("010104", "b", "dc", "lga", "host", "Z"));
    treeSync.sync(series("010105", "b", "dc", "dal", "host", "w1"));

    assertThat(view(Branch.root(1)).branches())
        .extracting(Branch::displayName)
        .containsExactly("dal", "lga");
    Branch lga = Branch.root(1).child("lga");
    assertThat(view(lga).branches()).extracting(Branch::displayName).containsExactly("a", "b");
    assertThat(view(lga).leaves()).isEmpty();
    assertThat(view(lga.child("b")))
        .isEqualTo(
            new BranchView(
                lga.child("b"),
                List.of(new Leaf("Z", "010104")),
                List.of(lga.child("b").child("y"))));
    assertThat(view(lga.child("b").child("y")).leaves())
        .extracting(Leaf::displayName)
        .containsExactly("w1", "w2");
    assertThat(trees.branch(lga.child("nosuch").id())).isEmpty();
  }

  @Test
  final void aSecondSeriesAtALeafIsACollisionWhichTheFirstWins() {
    grow(false, tag(0, "dc"));
    db.engine().treeSync().sync(series("010101", "a", "dc", "lga"));
    db.engine().treeSync().sync(series("010102", "b", "dc", "lga"));
    db.engine().treeSync().sync(series("010103", "c", "dc", "lga"));
    db.engine().treeSync().sync(series("010101", "a", "dc", "lga"));

    assertThat(view(Branch.root(1)).leaves()).containsExactly(new Leaf("lga", "010101"));
    assertThat(trees.collisions(1, List.of()))
        .isEqualTo(Map.of("010102", "010101", "010103", "010101"));
    assertThat(trees.collisions(1, List.of("010103", "010101")))
        .isEqualTo(Map.of("010103", "010101"));
    db.put("b", Instant.ofEpochSecond(1_500_000_000), 1, Tags.of("dc", "lga"));
    String known = "000001000001000001";
    db.engine().treeSync().sync(series(known, "b", "dc", "lga"));
    assertThat(get("/api/tree/collisions?treeid=1&tsuids=" + known))
        .isEqualTo("{\"" + known + "\":\"010101\"}");
  }

  @Test
  final void ofSeriesSyncedAtOnceExactlyOneGetsTheLeaf() throws Exception {
    grow(false, tag(0, "dc"));
    ConcurrentRunner.run(
        6,
        n ->
            () -> {
              db.engine().treeSync().sync(series("01010" + n, "m", "dc", "lga"));
              return n;
            });

    List<Leaf> leaves = view(Branch.root(1)).leaves();
    assertThat(leaves).hasSize(1);
    assertThat(trees.collisions(1, List.of()))
        .hasSize(5)
        .allSatisfy((tsuid, holder) -> assertThat(holder).isEqualTo(leaves.get(0).tsuid()));
  }

  @Test
  final void collisionsAreNotRecordedUnlessTheTreeAsksForIt() {
    trees.create(new TreeDefinition("T", "", "", false, 0, true, false));
    trees.replaceRules(1, List.of(tag(0, "dc")));
    db.engine().treeSync().sync(series("010101", "a", "dc", "lga"));
    db.engine().treeSync().sync(series("010102", "b", "dc", "lga"));

    assertThat(trees.collisions(1, List.of())).isEmpty();
  }

  @Test
  final void aSeriesThatStrictMatchRefusesIsRecorded() {
    grow(true, tag(0, "dc"), tag(1, "host"));
    db.engine().treeSync().sync(series("010101", "a", "dc", "lga"));

    assertThat(trees.branch(Branch.root(1).id())).isEmpty();
    assertThat(trees.notMatched(1, List.of()))
        .isEqualTo(Map.of("010101", "No match on rules [[1:1:0:TAGK]]"));
    assertThat(get("/api/tree/notmatched?treeid=1"))
        .isEqualTo("{\"010101\":\"No match on rules [[1:1:0:TAGK]]\"}");
  }

  @Test
  final void strictModeRecordsNoneThatStrictMatchRefuses() {
    db.close();
    use(TsdbOptions.openTsdbDefaults().with(Settings.CREATE_TABLES, "true"));
    grow(true, tag(0, "dc"), tag(1, "host"));
    db.engine().treeSync().sync(series("010101", "a", "dc", "lga"));

    assertThat(trees.notMatched(1, List.of())).isEmpty();
    assertThat(get("/api/tree/notmatched?treeid=1")).isEqualTo("{}");
  }

  @Test
  final void onlyEnabledTreesGrowAndAChangeHereCountsAtOnce() {
    trees.create(new TreeDefinition("off", "", "", false, 0, false, false));
    trees.replaceRules(1, List.of(tag(0, "dc")));
    db.engine().treeSync().sync(series("010101", "a", "dc", "lga"));
    assertThat(trees.branch(Branch.root(1).id())).isEmpty();

    ask("POST", "/api/tree?treeid=1&enabled=true", "");
    db.engine().treeSync().sync(series("010101", "a", "dc", "lga"));
    assertThat(view(Branch.root(1)).leaves()).hasSize(1);
  }

  @Test
  final void aChangeByAnotherProcessCountsAfterHalfAMinute() {
    db.engine().treeSync().sync(series("010101", "a", "dc", "lga"));
    try (Tsdb other = Tsdb.over(store, db.engine().options())) {
      other.trees().create(definition("T", false));
      other.trees().replaceRules(1, List.of(tag(0, "dc")));
    }

    clock.advance(Duration.ofSeconds(29));
    db.engine().treeSync().sync(series("010101", "a", "dc", "lga"));
    assertThat(trees.branch(Branch.root(1).id())).isEmpty();
    clock.advance(Duration.ofSeconds(1));
    db.engine().treeSync().sync(series("010101", "a", "dc", "lga"));
    assertThat(view(Branch.root(1)).leaves()).hasSize(1);
  }

  @Test
  final void aTreeThatCanNotBeUsedDoesNotKeepOthersFromGrowing() {
    grow(false, tag(0, "dc"));
    store.put(
        TREES,
        new byte[] {0, 1},
        Binary.bytes("tree_rule:0:1"),
        Binary.bytes("{\"type\":\"METRIC\",\"regex\":\"(\",\"level\":0,\"order\":1}"));
    trees.create(definition("second", false));
    trees.replaceRules(2, List.of(TreeRule.at(2, 0, 0).of(RuleType.TAGK, "dc")));

    try (LoggedBy log = LoggedBy.thisThread("org.hourstone.tree")) {
      db.engine().treeSync().sync(series("010101", "a", "dc", "lga"));
      db.engine().treeSync().sync(series("010102", "a", "dc", "dal"));

      assertThat(log.messages())
          .singleElement()
          .asString()
          .startsWith(
              "points are stored, but not all of their series in trees: series 010101, tree 1:"
                  + " rule [1:0:1:METRIC]: regular expression '('");
    }
    assertThat(view(Branch.root(2)).leaves()).hasSize(2);
    assertThat(db.engine().treeSync().stats()).isEqualTo(new TreeSyncStats(2, 0, 2));
    assertThat(db.engine().treeSync().lastFailure()).startsWith("series 010102, tree 1");
  }

  @Test
  final void aSeriesThatFailedToSyncIsSyncedByTheNextRun() {
    grow(false, tag(0, "dc"), metric(1), tag(2, "host"));
    List<TreeSeries> series = new ArrayList<>();
    for (int i = 10; i < 40; i++) {
      series.add(series("0101" + i, "m.n" + i % 4, "dc", "dc" + i % 3, "host", "h" + i));
    }
    syncAll(db, series, Optional.empty());
    Map<String, String> whole = cells();
    trees.delete(1, false);

    for (long seed = 1; seed <= 5; seed++) {
      FaultPlan plan = new FaultPlan(seed);
      try (Tsdb faulty = Tsdb.over(new FaultyStore(store, plan), db.engine().options())) {
        plan.failAll(0.1);
        syncAll(faulty, series, Optional.of(1));
      } catch (StoreException e) {
        assertThat(e.outcome()).isNotNull(); // as planned: the next one goes on
      }
    }
    TreeSyncReport report = syncAll(db, series, Optional.of(1));

    assertThat(report).isEqualTo(new TreeSyncReport(30, 30, 0, 0, List.of()));
    assertThat(cells()).isEqualTo(whole);
  }

  private static TreeSyncReport syncAll(
      Tsdb db, List<TreeSeries> series, Optional<Integer> treeId) {
    TreeSyncRun run = db.engine().treeSync().begin(treeId);
    series.forEach(run::sync);
    return run.report();
  }

  @Test
  final void aRunTellsWhatBecameOfTheSeries() {
    grow(true, tag(0, "dc"));
    String endless = "^(a+)+\\1b$";
    trees.replaceRules(
        1, List.of(TreeRule.at(1, 0, 0).of(RuleType.TAGK, "dc").withRegex(endless, 0)));

    TreeSyncReport report =
        syncAll(
            db,
            List.of(
                series("010101", "m", "dc", "aab"),
                series("010102", "m", "dc", "aab"),
                series("010103", "m"),
                series("010104", "m", "dc", "a".repeat(300))),
            Optional.of(1));

    assertThat(report.series()).isEqualTo(4);
    assertThat(report.placed()).isEqualTo(1);
    assertThat(report.unplaced()).isEqualTo(2);
    assertThat(report.failed()).isEqualTo(1);
    assertThat(report.failures())
        .singleElement()
        .asString()
        .startsWith("series 010104, tree 1: rule [1:0:0:TAGK]: regular expression");
    assertThatThrownBy(() -> db.engine().treeSync().begin(Optional.of(9)))
        .isInstanceOf(TsdbException.class)
        .hasMessage("Unable to locate tree: 9");
  }

  @Test
  final void deletingATreeLeavesItsDefinitionUnlessToldOtherwise() {
    grow(true, tag(0, "dc"));
    Map<String, String> bare = cells();
    Tree other = trees.create(definition("other", false));
    db.engine().treeSync().sync(series("010101", "a", "dc", "lga"));
    db.engine().treeSync().sync(series("010102", "a", "dc", "lga"));
    db.engine().treeSync().sync(series("010103", "a"));

    trees.delete(1, false);
    assertThat(cells()).containsAllEntriesOf(bare).hasSize(bare.size() + 1);
    trees.delete(1, true);
    assertThat(cells()).hasSize(1);
    assertThat(trees.get(other.id())).isPresent();
  }
}
