package org.hourstone.tree;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A branch: a position in a tree.
 *
 * @param treeId 1 to {@link TreeDefinition#MAX_ID}
 * @param path the names from the root on, including the root's own
 */
public record Branch(int treeId, List<String> path) {
  /** The name of every tree's root. */
  public static final String ROOT = "ROOT";

  public Branch {
    TreeDefinition.checkId(treeId);
    if (path.isEmpty()) {
      throw new IllegalArgumentException("a branch without a path");
    }
    path = List.copyOf(path);
  }

  /** The root of a tree. */
  public static Branch root(int treeId) {
    return new Branch(treeId, List.of(ROOT));
  }

  /** The child branch with this name. */
  public Branch child(String name) {
    List<String> longer = new ArrayList<>(path);
    longer.add(name);
    return new Branch(treeId, longer);
  }

  public String displayName() {
    return path.get(path.size() - 1);
  }

  /** The depth; that of the root is 0. */
  public int depth() {
    return path.size() - 1;
  }

  /**
   * The branch's id: the tree's id in two bytes, then a four-byte hash of each name below the root.
   * Two names with the same hash share a branch.
   */
  public byte[] id() {
    return TreeCells.branchRow(treeId, path);
  }

  /** The id in upper-case hex. */
  public String idText() {
    return HexFormat.of().withUpperCase().formatHex(id());
  }
}
