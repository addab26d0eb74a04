package org.hourstone.tree;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.error.RequestException;
import org.hourstone.error.TsdbException;
import org.hourstone.error.TsdbException.Category;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.CellEditor;
import org.hourstone.internal.LongScan;
import org.hourstone.internal.UidText;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FuzzyRow;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The tree table: definitions, rules, branches and leaves. See {@code docs/format/tree.md}.
 *
 * <p>Thread-safe. Several processes may use one table: a definition or rule is changed only if it
 * still has the state that was read. All methods throw StoreException if the store fails, those
 * that put something also if its disk is nearly full, and {@link CorruptDataException} with the row
 * if a row has contents that are not part of the format.
 */
public final class Trees {
  /** The maximum number of ids tried if other processes take them first. */
  private static final int ATTEMPTS = 100;

  private static final int DELETED_AT_ONCE = 1000;

  /** The maximum size of a tree's definition and rules, which are in one row. */
  private static final int MOST_BYTES = 256 << 10;

  /** The memory of a cell, parsed and as text, for each of its bytes. */
  private static final int SIZE_IN_MEMORY = 8;

  /** The least memory of a cell. */
  private static final int CELL_BYTES = 500;

  private final KeyValueStore store;
  private final Family family;
  private final Runnable admission;
  private final CellEditor cells;
  private final AtomicLong changes = new AtomicLong();

  /**
   * @param family {@code tsdb-tree:t}
   * @param admission throws if nothing new is accepted
   */
  public Trees(KeyValueStore store, Family family, Runnable admission, Backoff backoff) {
    this.store = store;
    this.admission = admission;
    this.family = family;
    this.cells = new CellEditor(store, backoff);
  }

  /**
   * Calls back with the TSUIDs of all leaves, collisions and series that were not matched, some
   * repeatedly.
   *
   * @throws org.hourstone.codec.CorruptDataException if a leaf can't be read; it is named
   */
  public void forEachTsuid(Consumer<byte[]> action) {
    try (LongScan rows = new LongScan(store, family, Scan.all())) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        for (int i = 0; i < row.size(); i++) {
          byte[] qualifier = row.qualifier(i);
          String tsuid =
              TreeCells.startsWith(qualifier, TreeCells.LEAF_PREFIX)
                  ? TreeJson.leaf(row.key(), row.value(i)).tsuid()
                  : TreeCells.tsuid(qualifier);
          action.accept(UidText.parse(tsuid));
        }
      }
    }
  }

  /**
   * Creates a tree without rules. Its id is the largest id in use plus one.
   *
   * @throws RequestException if it has no name
   * @throws TsdbException if the largest id is in use already
   */
  public Tree create(TreeDefinition definition) {
    if (definition.name().isEmpty()) {
      throw new RequestException("Missing tree name");
    }
    checkSize(TreeJson.bytes(definition).length);
    admission.run();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int id = largestId() + 1;
      if (id > TreeDefinition.MAX_ID) {
        throw new TsdbException(
            Category.CORRUPTION, "no tree ID is left: " + TreeDefinition.MAX_ID + " is in use");
      }
      boolean free =
          cells.create(family, TreeCells.treeRow(id), TreeCells.TREE, TreeJson.bytes(definition));
      changes.incrementAndGet();
      if (free) {
        return new Tree(id, definition, List.of());
      }
    }
    throw new TsdbException(
        Category.STORE,
        "gave up creating a tree: other processes took " + ATTEMPTS + " IDs in the meantime");
  }

  private int largestId() {
    int largest = 0;
    try (RowCursor rows = store.scan(family, treeRows())) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        largest = TreeCells.treeId(row.key());
      }
    }
    return largest;
  }

  private static Scan treeRows() {
    byte[] any = new byte[TreeCells.TREE_ID_BYTES];
    return Scan.all().filter(new FuzzyRow(any, new boolean[TreeCells.TREE_ID_BYTES]));
  }

  /** The tree with this id. */
  public Optional<Tree> get(int id) {
    TreeDefinition.checkId(id);
    return tree(store.get(family, TreeCells.treeRow(id), TreeCells.DEFINITION_AND_RULES));
  }

  /** All trees by id. */
  public List<Tree> all() {
    return all(bytes -> {});
  }

  /**
   * As {@link #all()}.
   *
   * @param memory called with the memory of a tree, and of its text in a response, before it is
   *     taken; its exceptions are passed on
   */
  public List<Tree> all(LongConsumer memory) {
    List<Tree> trees = new ArrayList<>();
    Scan scan = treeRows().columns(TreeCells.DEFINITION_AND_RULES);
    try (RowCursor rows = store.scan(family, scan)) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        for (int i = 0; i < row.size(); i++) {
          memory.accept(sizeInMemory(row.value(i)));
        }
        tree(row).ifPresent(trees::add);
      }
    }
    return trees;
  }

  private static long sizeInMemory(byte[] value) {
    return CELL_BYTES + SIZE_IN_MEMORY * (long) value.length;
  }

  private static Optional<Tree> tree(Row row) {
    byte[] definition = row.find(TreeCells.TREE);
    if (definition == null) {
      return Optional.empty();
    }
    List<TreeRule> rules = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      if (TreeCells.startsWith(row.qualifier(i), TreeCells.RULE_PREFIX)) {
        rules.add(TreeJson.rule(row.key(), row.value(i)));
      }
    }
    return Optional.of(
        new Tree(TreeCells.treeId(row.key()), TreeJson.definition(row.key(), definition), rules));
  }

  static TsdbException noSuchTree(int id) {
    return new TsdbException(Category.NOT_FOUND, "Unable to locate tree: " + id);
  }

  /**
   * Changes a tree's definition.
   *
   * @param change computes the new definition from the stored one; called again if another process
   *     has changed it
   * @return the tree as it is now
   * @throws TsdbException if it does not exist
   */
  public Tree update(int id, UnaryOperator<TreeDefinition> change) {
    TreeDefinition.checkId(id);
    byte[] row = TreeCells.treeRow(id);
    update(
        row,
        TreeCells.TREE,
        stored -> {
          if (stored == null) {
            throw noSuchTree(id);
          }
          return TreeJson.bytes(change.apply(TreeJson.definition(row, stored)));
        });
    return get(id).orElseThrow(() -> noSuchTree(id));
  }

  /**
   * Removes the contents of a tree: branches, leaves, and records of collisions and of series not
   * matched.
   *
   * @param definition whether the tree's definition and rules are removed, too
   */
  public void delete(int id, boolean definition) {
    TreeDefinition.checkId(id);
    byte[] first = TreeCells.treeRow(id);
    List<RowMutation> batch = new ArrayList<>();
    try (RowCursor rows = store.scan(family, Scan.prefix(first))) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        boolean keep = !definition && Arrays.equals(row.key(), first);
        List<Change> deletions = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
          if (!keep || !TreeCells.isDefinition(row.qualifier(i))) {
            deletions.add(new Change.Delete(row.qualifier(i)));
          }
        }
        if (!deletions.isEmpty()) {
          batch.add(new RowMutation(row.key(), deletions));
        }
        if (batch.size() == DELETED_AT_ONCE) {
          store.mutate(family, batch);
          batch = new ArrayList<>();
        }
      }
    }
    store.mutate(family, batch);
    changes.incrementAndGet();
  }

  /**
   * Creates or changes a rule. Does not check that the tree exists.
   *
   * @param change computes the new rule from the stored one or an empty one; called again if
   *     another process has changed it
   * @return the rule as it is now
   * @throws RequestException if the rule is incomplete or has a malformed regular expression
   */
  public TreeRule updateRule(int treeId, int level, int order, UnaryOperator<TreeRule> change) {
    TreeRule blank = TreeRule.at(treeId, level, order);
    byte[] row = TreeCells.treeRow(treeId);
    byte[] written =
        update(
            row,
            TreeCells.rule(level, order),
            stored -> {
              TreeRule wanted = change.apply(stored == null ? blank : TreeJson.rule(row, stored));
              wanted.check();
              return TreeJson.bytes(wanted);
            });
    return TreeJson.rule(row, written);
  }

  /** Replaces all rules of a tree by these, which must be of this tree, in one step. */
  public void replaceRules(int treeId, List<TreeRule> rules) {
    Map<String, Change> perCell = new TreeMap<>();
    get(treeId)
        .ifPresent(tree -> tree.rules().forEach(rule -> perCell.put(place(rule), delete(rule))));
    for (TreeRule rule : rules) {
      rule.check();
      perCell.put(
          place(rule),
          new Change.Put(TreeCells.rule(rule.level(), rule.order()), TreeJson.bytes(rule)));
    }
    long bytes = 0;
    for (Change change : perCell.values()) {
      bytes += change instanceof Change.Put put ? put.value().length : 0;
    }
    checkSize(bytes);
    if (!rules.isEmpty()) {
      admission.run();
    }
    if (!perCell.isEmpty()) {
      mutate(TreeCells.treeRow(treeId), List.copyOf(perCell.values()));
    }
  }

  private static String place(TreeRule rule) {
    return rule.level() + ":" + rule.order();
  }

  private static Change delete(TreeRule rule) {
    return new Change.Delete(TreeCells.rule(rule.level(), rule.order()));
  }

  /** Removes a rule, if it exists. */
  public void deleteRule(int treeId, int level, int order) {
    mutate(TreeCells.treeRow(treeId), List.of(delete(TreeRule.at(treeId, level, order))));
  }

  /** As {@link #branch(byte[], LongConsumer)}, of any size. */
  public Optional<BranchView> branch(byte[] id) {
    return branch(id, bytes -> {});
  }

  /**
   * A branch with its leaves and child branches.
   *
   * @param id as {@link Branch#id} returns it
   * @param memory called with the memory of a leaf or branch, and of its text in a response, before
   *     it is taken; its exceptions are passed on
   * @throws RequestException if it does not have the length of an id
   */
  public Optional<BranchView> branch(byte[] id, LongConsumer memory) {
    if (!TreeCells.isBranchRow(id)) {
      throw new RequestException("a branch's ID is 2 + 4n bytes, not " + id.length);
    }
    Row self = store.get(family, id, Columns.all());
    byte[] value = self.find(TreeCells.BRANCH);
    if (value == null) {
      return Optional.empty();
    }
    List<Leaf> leaves = new ArrayList<>();
    for (int i = 0; i < self.size(); i++) {
      if (TreeCells.startsWith(self.qualifier(i), TreeCells.LEAF_PREFIX)) {
        memory.accept(sizeInMemory(self.value(i)));
        leaves.add(TreeJson.leaf(id, self.value(i)));
      }
    }
    leaves.sort(byName(Leaf::displayName));
    return Optional.of(new BranchView(TreeJson.branch(id, value), leaves, children(id, memory)));
  }

  private List<Branch> children(byte[] id, LongConsumer memory) {
    byte[] template = Arrays.copyOf(id, id.length + TreeCells.HASH_BYTES);
    boolean[] fixed = new boolean[template.length];
    Arrays.fill(fixed, 0, id.length, true);
    Scan scan =
        Scan.prefix(id)
            .filter(new FuzzyRow(template, fixed))
            .columns(Columns.exactly(TreeCells.BRANCH));
    List<Branch> children = new ArrayList<>();
    try (RowCursor rows = store.scan(family, scan)) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        memory.accept(sizeInMemory(row.value(0)));
        children.add(TreeJson.branch(row.key(), row.value(0)));
      }
    }
    children.sort(byName(Branch::displayName));
    return children;
  }

  private static <T> Comparator<T> byName(Function<T, String> name) {
    return Comparator.comparing(name, String.CASE_INSENSITIVE_ORDER).thenComparing(name);
  }

  /** As {@link #collisions(int, List, LongConsumer)}, of any size. */
  public Map<String, String> collisions(int treeId, List<String> tsuids) {
    return collisions(treeId, tsuids, bytes -> {});
  }

  /**
   * The series whose place was taken by another series.
   *
   * @param tsuids the series, in hex; empty for all
   * @param memory called with the memory of each, and of its text in a response, before it is
   *     taken; its exceptions are passed on
   * @return the TSUID of the other series by TSUID
   */
  public Map<String, String> collisions(int treeId, List<String> tsuids, LongConsumer memory) {
    TreeDefinition.checkId(treeId);
    return texts(
        TreeCells.collisionsRow(treeId),
        tsuids.stream().map(TreeCells::collision).toList(),
        memory);
  }

  /** As {@link #notMatched(int, List, LongConsumer)}, of any size. */
  public Map<String, String> notMatched(int treeId, List<String> tsuids) {
    return notMatched(treeId, tsuids, bytes -> {});
  }

  /**
   * The series for which a level had no branch.
   *
   * @param tsuids the series, in hex; empty for all
   * @param memory called with the memory of each, and of its text in a response, before it is
   *     taken; its exceptions are passed on
   * @return the message about the level not matched by TSUID
   */
  public Map<String, String> notMatched(int treeId, List<String> tsuids, LongConsumer memory) {
    TreeDefinition.checkId(treeId);
    return texts(
        TreeCells.notMatchedRow(treeId),
        tsuids.stream().map(TreeCells::notMatched).toList(),
        memory);
  }

  private Map<String, String> texts(byte[] key, List<byte[]> qualifiers, LongConsumer memory) {
    Columns columns =
        qualifiers.isEmpty() ? Columns.all() : Columns.exactly(qualifiers.toArray(byte[][]::new));
    Row row = store.get(family, key, columns);
    Map<String, String> texts = new TreeMap<>();
    for (int i = 0; i < row.size(); i++) {
      String tsuid = TreeCells.tsuid(row.qualifier(i));
      if (!tsuid.isEmpty()) {
        memory.accept(sizeInMemory(row.value(i)));
        texts.put(tsuid, TreeCells.text(row.value(i)));
      }
    }
    return texts;
  }

  /** A count that increases whenever this process changes a definition or rule. */
  long changes() {
    return changes.get();
  }

  /** A tree is read as a whole by every request about it. */
  private static void checkSize(long bytes) {
    if (bytes > MOST_BYTES) {
      throw new TsdbException(
          Category.LIMIT,
          "the definition and rules of the tree would have "
              + bytes
              + " bytes, more than "
              + MOST_BYTES);
    }
  }

  /** The size of a tree's row without one of its cells. */
  private long otherBytes(byte[] key, byte[] qualifier) {
    Row row = store.get(family, key, TreeCells.DEFINITION_AND_RULES);
    long bytes = 0;
    for (int i = 0; i < row.size(); i++) {
      bytes += Arrays.equals(row.qualifier(i), qualifier) ? 0 : row.value(i).length;
    }
    return bytes;
  }

  @CanIgnoreReturnValue
  private byte[] update(byte[] row, byte[] qualifier, Function<byte @Nullable [], byte[]> change) {
    admission.run();
    long others = otherBytes(row, qualifier);
    try {
      return cells.update(
          family,
          row,
          qualifier,
          stored -> {
            byte[] changed = change.apply(stored);
            if (stored == null || changed.length > stored.length) {
              checkSize(others + changed.length);
            }
            return changed;
          });
    } finally {
      changes.incrementAndGet();
    }
  }

  private void mutate(byte[] row, List<Change> cells) {
    try {
      store.mutate(family, List.of(new RowMutation(row, cells)));
    } finally {
      changes.incrementAndGet();
    }
  }
}
