package org.hourstone.tree;

import java.util.List;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.CellEditor;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;

/**
 * Stores placements of series: branches, leaves, and series without a place. Existing cells are
 * never changed, so any number of processes may store concurrently, and storing again has no
 * effect. The root is stored first and the leaf last, so a crash can at worst leave branches
 * without their leaf. Thread-safe.
 */
final class BranchWriter {
  private final KeyValueStore store;
  private final Family family;
  private final CellEditor cells;
  private final boolean storesNotMatched;

  /**
   * @param storesNotMatched whether series that a tree with strict match refuses are recorded
   */
  BranchWriter(KeyValueStore store, Family family, Backoff backoff, boolean storesNotMatched) {
    this.store = store;
    this.family = family;
    this.cells = new CellEditor(store, backoff);
    this.storesNotMatched = storesNotMatched;
  }

  /** Whether the series has its leaf now. */
  boolean write(Placement placement) {
    Leaf leaf = placement.leaf().orElse(null);
    if (leaf == null) {
      writeNotMatched(placement);
      return false;
    }
    List<Branch> branches = placement.branches();
    List<byte[]> ids = branches.stream().map(Branch::id).toList();
    List<Row> stored = store.get(family, ids, Columns.exactly(TreeCells.BRANCH));
    for (int i = 0; i < ids.size(); i++) {
      if (stored.get(i).isEmpty()) {
        cells.setIfAbsent(family, ids.get(i), TreeCells.BRANCH, TreeJson.bytes(branches.get(i)));
      }
    }
    return writeLeaf(placement.tree(), ids.get(ids.size() - 1), leaf);
  }

  private boolean writeLeaf(Tree tree, byte[] branch, Leaf leaf) {
    byte[] there =
        cells
            .setIfAbsent(family, branch, TreeCells.leaf(leaf.displayName()), TreeJson.bytes(leaf))
            .value();
    if (there == null) {
      return false;
    }
    String holder = TreeJson.leaf(branch, there).tsuid();
    if (holder.equals(leaf.tsuid())) {
      return true;
    }
    if (tree.definition().storeFailures()) {
      store.put(
          family,
          TreeCells.collisionsRow(tree.id()),
          TreeCells.collision(leaf.tsuid()),
          TreeCells.bytes(holder));
    }
    return false;
  }

  private void writeNotMatched(Placement placement) {
    if (storesNotMatched
        && placement.tree().definition().strictMatch()
        && placement.tree().definition().storeFailures()
        && !placement.missed().isEmpty()) {
      store.put(
          family,
          TreeCells.notMatchedRow(placement.tree().id()),
          TreeCells.notMatched(placement.series().tsuid()),
          TreeCells.bytes("No match on rules " + placement.missed()));
    }
  }
}
