package org.hourstone.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The position that the rules of a tree give a series.
 *
 * @param path the names below the root, the last one the leaf's; empty if the series has no place
 * @param missed the rules of the levels that yielded no name
 * @param messages a trace of the rules, for testing them
 */
public record Placement(
    Tree tree, TreeSeries series, List<String> path, List<TreeRule> missed, List<String> messages) {
  public Placement {
    path = List.copyOf(path);
    missed = List.copyOf(missed);
    messages = List.copyOf(messages);
  }

  /** The branches from the root to the branch that has the leaf; empty if there is no leaf. */
  public List<Branch> branches() {
    if (path.isEmpty()) {
      return List.of();
    }
    Branch last = Branch.root(tree.id());
    List<Branch> branches = new ArrayList<>(List.of(last));
    for (String name : path.subList(0, path.size() - 1)) {
      last = last.child(name);
      branches.add(last);
    }
    return branches;
  }

  /** The leaf on the last branch. */
  public Optional<Leaf> leaf() {
    return path.isEmpty()
        ? Optional.empty()
        : Optional.of(new Leaf(path.get(path.size() - 1), series.tsuid()));
  }
}
