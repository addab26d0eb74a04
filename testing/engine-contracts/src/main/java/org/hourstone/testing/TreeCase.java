package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.Api;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.testkit.Binary;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.tree.Branch;
import org.hourstone.tree.BranchView;
import org.hourstone.tree.RuleType;
import org.hourstone.tree.Tree;
import org.hourstone.tree.TreeDefinition;
import org.hourstone.tree.TreeRule;
import org.hourstone.tree.TreeSeries;
import org.hourstone.tree.TreeSeries.Named;
import org.hourstone.tree.TreeSeries.Tag;
import org.hourstone.tree.Trees;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Base of tests of trees: a database over the store under test, and its trees. */
abstract class TreeCase {
  static final Family TREES = new Family("tsdb-tree", "t");
  final ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_500_001_200));

  @TempDir private Path directory;
  KeyValueStore store;
  Tsdb db;
  Trees trees;
  Api api;

  /** Opens the store under test, empty. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  @BeforeEach
  final void openDatabase() {
    store = open(StoreFixture.in(directory, 1));
    use(TsdbOptions.defaults().with(Settings.CREATE_TABLES, "true").withClock(clock));
  }

  final void use(TsdbOptions options) {
    db = Tsdb.over(store, options);
    trees = db.trees();
    api = new Api(db);
  }

  @AfterEach
  final void closeDatabase() {
    if (db != null) { // opening it may have failed, and that is what must be reported
      db.close();
    }
    if (store != null) {
      store.close();
    }
  }

  static TreeDefinition definition(String name, boolean strict) {
    return new TreeDefinition(name, "", "", strict, 0, true, true);
  }

  final Tree grow(boolean strict, TreeRule... rules) {
    Tree tree = trees.create(definition("T", strict));
    trees.replaceRules(tree.id(), List.of(rules));
    return tree;
  }

  static TreeRule tag(int level, String key) {
    return TreeRule.at(1, level, 0).of(RuleType.TAGK, key);
  }

  static TreeRule metric(int level) {
    return TreeRule.at(1, level, 0).of(RuleType.METRIC).splitAt("\\.");
  }

  static TreeSeries series(String tsuid, String metric, String... tags) {
    List<Tag> list = new ArrayList<>();
    for (int i = 0; i < tags.length; i += 2) {
      list.add(new Tag(new Named(tags[i], Map.of()), new Named(tags[i + 1], Map.of())));
    }
    return new TreeSeries(tsuid, new Named(metric, Map.of()), list);
  }

  final ApiResponse ask(String method, String uri, String body) {
    return api.respond(ApiCall.of(method, uri, body));
  }

  final String get(String uri) {
    ApiResponse answer = ask("GET", uri, "");
    assertThat(answer.status()).describedAs(answer.body()).isEqualTo(200);
    return answer.body();
  }

  /** Every cell of the table: row/qualifier, letters where it has them, to the value as text. */
  final Map<String, String> cells() {
    Map<String, String> cells = new TreeMap<>();
    try (RowCursor rows = store.scan(TREES, Scan.all())) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        for (int i = 0; i < row.size(); i++) {
          cells.put(
              new Bytes(row.key()) + "/" + Binary.text(row.qualifier(i)),
              Binary.text(row.value(i)));
        }
      }
    }
    return cells;
  }

  final BranchView view(Branch branch) {
    return trees.branch(branch.id()).orElseThrow();
  }

  /** Goes on with metadata kept, and trees processed, as points are written. */
  final void useMetadata() {
    db.close();
    use(
        db.engine()
            .options()
            .with(Settings.META_REALTIME_TS, "true")
            .with(Settings.META_TRACKING, "true")
            .with(Settings.META_INCREMENTING, "true")
            .with(Settings.TREE_PROCESSING, "true"));
  }
}
